/*
 * Verifies the operations on one bucket's word against loops over its slots, for every width,
 * window and lane, on words whose neighbouring slots are as awkward as can be.
 */
#include "bucket.h"
#include "grid.h"

static struct geometry geometry_of(const struct ref_shape *s) {
    struct geometry g;
    assert_int_equal(guira__geometry(s->M, s->f, s->w, &g), GUIRA_OK);
    return g;
}

static uint64_t slow_tag(const struct ref_shape *s, uint64_t word, uint32_t slot) {
    return word >> (slot * s->f) & ((UINT64_C(1) << s->f) - 1);
}

/* A word of tags that are empty, all ones, next to what is looked for, or anything. */
static uint64_t awkward_word(const struct ref_shape *s, struct rng *rng, uint64_t tag) {
    uint64_t mask = (UINT64_C(1) << s->f) - 1;
    uint64_t word = 0;
    for (uint32_t slot = 0; slot < s->k; slot++) {
        const uint64_t choice[] = {
            0, mask, tag, tag + 1, tag - 1, 1, (mask >> 1) + 1, rng_next(rng)};
        word |= (choice[rng_below(rng, 8)] & mask) << (slot * s->f);
    }
    return word;
}

static void require_sets(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    struct rng rng = rng_stream(s->f * 100 + s->w);
    for (uint64_t i = 0; i < scaled(4000); i++) {
        uint64_t fingerprint = rng_below(&rng, s->Q);
        unsigned side = (unsigned)rng_below(&rng, 2);
        uint32_t lane = (uint32_t)rng_below(&rng, s->P);
        struct pattern p = pattern_of(&g, fingerprint, side, lane);
        uint64_t word = awkward_word(s, &rng, 1 + (fingerprint * 2 + side) * s->O);
        uint64_t matches = 0;
        uint64_t empty = 0;
        unsigned used = 0;
        for (uint32_t slot = 0; slot < s->k; slot++) {
            uint64_t top = UINT64_C(1) << (slot * s->f + s->f - 1);
            uint32_t at = (slot + s->k - lane) % s->k;
            uint64_t tag = slow_tag(s, word, slot);
            uint64_t wanted = 1 + (fingerprint * 2 + side) * s->O + (s->O == 1 ? 0 : at);
            assert_int_equal(slot_tag(&g, word, slot), tag);
            matches |= at < s->w && tag == wanted ? top : 0;
            empty |= at < s->w && tag == 0 ? top : 0;
            used += tag != 0;
        }
        assert_int_equal(matching_slots(&g, word, p), matches);
        assert_int_equal(empty_slots(&g, word, p), empty);
        assert_int_equal(used_slots(&g, word), used);
        assert_int_equal(used_slots(&g, ~word),
                         used_slots(&g, ~word & (g.shape.all_top | g.shape.below_top)));
    }
}

static void sets_of_slots_are_those_of_a_loop(void **state) {
    (void)state;
    for_each_geometry(5, require_sets);
}

static void require_slot_masks(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    for (uint32_t slot = 0; slot < s->k; slot++) {
        uint64_t mask = ((UINT64_C(1) << s->f) - 1) << (slot * s->f);
        assert_int_equal(slot_mask(&g, slot), mask);
        uint64_t from_here = g.shape.all_top & ~((UINT64_C(1) << (slot * s->f)) - 1);
        assert_int_equal(lowest_slot_mask(&g, from_here), mask);
    }
}

static void the_lowest_slot_of_a_set_is_found(void **state) {
    (void)state;
    for_each_geometry(2, require_slot_masks);
}

/* An element's pattern put into an empty word is found there as often as it was put. */
static void require_patterns_match_themselves(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    for (uint32_t lane = 0; lane < s->P; lane++) {
        struct pattern p = pattern_of(&g, s->Q - 1, 1, lane);
        uint64_t word = 0;
        for (uint32_t i = 0; i < s->w; i++) {
            uint64_t empty = empty_slots(&g, word, p);
            assert_int_equal(bits_set(empty), s->w - i);
            word |= p.tags & lowest_slot_mask(&g, empty);
            assert_int_equal(bits_set(matching_slots(&g, word, p)), i + 1);
        }
        assert_int_equal(word, p.tags);
        assert_int_equal(matching_slots(&g, word, p), p.top);
    }
}

static void a_pattern_matches_the_slots_it_filled(void **state) {
    (void)state;
    for_each_geometry(2, require_patterns_match_themselves);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_slots_are_those_of_a_loop),
        cmocka_unit_test(the_lowest_slot_of_a_set_is_found),
        cmocka_unit_test(a_pattern_matches_the_slots_it_filled),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
