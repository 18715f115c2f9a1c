/*
 * Verifies where elements are placed and what tags say: hashes to elements and back against exact
 * 128-bit products, both places against the slow reference, tags there and back for every width and
 * window, and the partner shift forth and back for every table size from 2 to 4,096 buckets.
 */
#include "bucket.h"
#include "grid.h"
#include "place.h"

static struct geometry geometry_of(const struct ref_shape *s) {
    struct geometry g;
    assert_int_equal(guira__geometry(s->M, s->f, s->w, &g), GUIRA_OK);
    return g;
}

static void require_exact_elements(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    struct rng rng = rng_stream(s->U);
    for (int i = 0; i < 2000; i++) {
        uint64_t hash = i == 0 ? 0 : i == 1 ? UINT64_MAX : rng_next(&rng);
        struct element e = element_of_hash(&g, hash);
        assert_true(e.home.bucket < s->M && e.home.lane < s->P && e.fingerprint < s->Q);
        assert_int_equal(element_number(&g, e), ref_element(s, hash));
        assert_int_equal(hash_of_element(&g, e), ref_hash_of(s, ref_element(s, hash)));
        uint64_t x = rng_below(&rng, s->U);
        assert_int_equal(element_number(&g, element_of_hash(&g, ref_hash_of(s, x))), x);
        if (ref_hash_of(s, x) > 0) {
            assert_int_not_equal(element_number(&g, element_of_hash(&g, ref_hash_of(s, x) - 1)), x);
        }
    }
}

static void an_element_is_the_hash_scaled_to_the_universe(void **state) {
    (void)state;
    for_each_geometry(2, require_exact_elements);
    for_each_geometry(3, require_exact_elements);
    for_each_geometry(1000003, require_exact_elements);
}

/* Elements are spread evenly: each has floor or ceil of 2^64 / U hashes, so ends are checked. */
static void the_ends_of_the_hashes_are_the_ends_of_the_elements(void **state) {
    (void)state;
    struct ref_shape s;
    assert_true(ref_shape(12345, 12, 2, &s));
    struct geometry g = geometry_of(&s);
    assert_int_equal(element_number(&g, element_of_hash(&g, 0)), 0);
    assert_int_equal(element_number(&g, element_of_hash(&g, UINT64_MAX)), s.U - 1);
}

static void require_places(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    struct rng rng = rng_stream(s->M + s->f);
    for (int i = 0; i < 500; i++) {
        struct element e = element_of_hash(&g, rng_next(&rng));
        struct ref_slot slot[REF_MAX_SLOTS];
        assert_int_equal(ref_slots(s, element_number(&g, e), slot), 2 * s->w);
        for (unsigned side = 0; side < 2; side++) {
            struct place p = place_of(&g, e, side);
            struct pattern pattern = pattern_of(&g, e.fingerprint, side, p.lane);
            uint64_t tags = 0;
            for (uint32_t j = 0; j < s->w; j++) {
                const struct ref_slot *r = &slot[side * s->w + j];
                assert_int_equal(p.bucket, r->bucket);
                assert_int_equal(slot_tag(&g, pattern.tags, r->slot), r->tag);
                tags |= r->tag << (r->slot * s->f);
            }
            assert_int_equal(pattern.tags, tags);
        }
    }
}

static void both_places_are_those_of_the_reference(void **state) {
    (void)state;
    for_each_geometry(2, require_places);
    for_each_geometry(7, require_places);
    for_each_geometry(65537, require_places);
}

static void require_tag_round_trip(const struct ref_shape *s, const struct geometry *g,
                                   uint64_t fingerprint) {
    for (unsigned side = 0; side < 2; side++) {
        for (uint32_t offset = 0; offset < s->O; offset++) {
            uint64_t tag = 1 + (fingerprint * 2 + side) * s->O + offset;
            struct entry entry = entry_of_tag(g, tag);
            require(tag > 0 && tag <= g->shape.tag_mask && entry.fingerprint == fingerprint &&
                        entry.side == side && entry.offset == offset,
                    "f %u, w %u, fingerprint %llu, side %u, offset %u", s->f, s->w,
                    (unsigned long long)fingerprint, side, offset);
        }
    }
}

static void require_tags(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    struct rng rng = rng_stream(s->Q);
    uint64_t every = s->Q <= 20000 ? s->Q : 10000;
    for (uint64_t i = 0; i < every; i++) {
        require_tag_round_trip(s, &g, i);
        require_tag_round_trip(s, &g, s->Q - 1 - i);
        require_tag_round_trip(s, &g, rng_below(&rng, s->Q));
    }
    /* Every value of the slot, possible or not, is taken apart as the divisions say. */
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t tag = i < g.shape.tag_mask ? g.shape.tag_mask - i : 1;
        struct entry entry = entry_of_tag(&g, tag);
        assert_int_equal(entry.fingerprint, (tag - 1) / s->O / 2);
        assert_int_equal(entry.side, (tag - 1) / s->O % 2);
        assert_int_equal(entry.offset, (tag - 1) % s->O);
    }
}

static void tags_are_never_empty_and_say_what_they_were_made_of(void **state) {
    (void)state;
    for_each_geometry(2, require_tags);
}

static void require_elements_read_back(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    struct rng rng = rng_stream(s->M * 7 + s->w);
    for (int i = 0; i < 300; i++) {
        uint64_t x = rng_below(&rng, s->U);
        struct ref_slot slot[REF_MAX_SLOTS];
        unsigned n = ref_slots(s, x, slot);
        for (unsigned j = 0; j < n; j++) {
            struct entry entry = entry_of_tag(&g, slot[j].tag);
            struct element e = element_of_entry(&g, slot[j].bucket, slot[j].slot, entry);
            assert_int_equal(element_number(&g, e), x);
            assert_int_equal(ref_element_at(s, slot[j].bucket, slot[j].slot, slot[j].tag), x);
        }
    }
}

static void an_element_is_read_back_from_any_of_its_slots(void **state) {
    (void)state;
    for_each_geometry(2, require_elements_read_back);
    for_each_geometry(3, require_elements_read_back);
    for_each_geometry(4099, require_elements_read_back);
}

/* All buckets of small tables, a sample of large ones; all lanes; a sample of fingerprints. */
static void require_shifts(const struct geometry *g, struct rng *rng) {
    for (int i = 0; i < 6; i++) {
        uint64_t fingerprint = i == 0 ? 0 : rng_below(rng, g->fingerprints);
        struct shift shift = shift_of(g, fingerprint);
        require(shift.buckets >= 1 && shift.buckets < g->buckets && shift.lanes < g->shape.lanes,
                "M %llu", (unsigned long long)g->buckets);
        uint64_t lane = rng_below(rng, g->shape.lanes);
        for (uint64_t bucket = 0; bucket < g->buckets; bucket++) {
            struct place here = {bucket, (uint32_t)((lane + bucket) % g->shape.lanes)};
            struct place there = place_after(g, here, shift);
            struct place back = place_before(g, there, shift);
            require(there.bucket != here.bucket && there.bucket < g->buckets &&
                        there.lane < g->shape.lanes && back.bucket == here.bucket &&
                        back.lane == here.lane,
                    "M %llu, bucket %llu", (unsigned long long)g->buckets,
                    (unsigned long long)bucket);
        }
    }
}

static void the_two_buckets_differ_and_lead_back_at_every_size(void **state) {
    (void)state;
    struct rng rng = rng_stream(11);
    uint64_t step = test_is_slow() ? 7 : 1;
    for (uint64_t buckets = 2; buckets <= 4096; buckets += step) {
        struct geometry g;
        assert_int_equal(guira__geometry(buckets, 12, 2, &g), GUIRA_OK);
        require_shifts(&g, &rng);
        assert_int_equal(guira__geometry(buckets, 9, 7, &g), GUIRA_OK);
        require_shifts(&g, &rng);
    }
}

static void shifts_reach_every_bucket_and_lane(void **state) {
    (void)state;
    struct geometry g;
    assert_int_equal(guira__geometry(50, 12, 2, &g), GUIRA_OK);
    bool bucket[50] = {false};
    bool lane[5] = {false};
    for (uint64_t fingerprint = 0; fingerprint < g.fingerprints; fingerprint++) {
        struct shift shift = shift_of(&g, fingerprint);
        bucket[shift.buckets] = true;
        lane[shift.lanes] = true;
    }
    for (int i = 1; i < 50; i++) {
        assert_true(bucket[i]);
    }
    for (int i = 0; i < 5; i++) {
        assert_true(lane[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_is_the_hash_scaled_to_the_universe),
        cmocka_unit_test(the_ends_of_the_hashes_are_the_ends_of_the_elements),
        cmocka_unit_test(both_places_are_those_of_the_reference),
        cmocka_unit_test(tags_are_never_empty_and_say_what_they_were_made_of),
        cmocka_unit_test(an_element_is_read_back_from_any_of_its_slots),
        cmocka_unit_test(the_two_buckets_differ_and_lead_back_at_every_size),
        cmocka_unit_test(shifts_reach_every_bucket_and_lane),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
