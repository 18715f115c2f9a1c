/*
 * Verifies the constants that follow from buckets, tag width and window, against slot-by-slot
 * construction, for every width and window; and which combinations are refused.
 */
#include "geometry.h"
#include "grid.h"

static struct geometry geometry_of(const struct ref_shape *s) {
    struct geometry g;
    assert_int_equal(guira__geometry(s->M, s->f, s->w, &g), GUIRA_OK);
    return g;
}

static void require_numbers(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    assert_int_equal(g.buckets, s->M);
    assert_int_equal(g.shape.tag_bits, s->f);
    assert_int_equal(g.shape.window_slots, s->w);
    assert_int_equal(g.shape.slots, s->k);
    assert_int_equal(g.shape.lanes, s->P);
    assert_int_equal(g.shape.offsets, s->O);
    assert_int_equal(g.fingerprints, s->Q);
    assert_int_equal(g.universe, s->U);
}

static void every_geometry_has_the_numbers_of_the_design(void **state) {
    (void)state;
    for_each_geometry(2, require_numbers);
    for_each_geometry(3, require_numbers);
    for_each_geometry(1000003, require_numbers);
    for_each_geometry(SIZE_MAX > UINT32_MAX ? UINT64_C(1) << 31 : UINT64_C(1) << 27,
                      require_numbers);
}

/* Q is the largest for which every tag fits below 2^f. */
static void require_tags_use_the_width(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    uint64_t most = g.fingerprints * 2 * g.shape.offsets;
    uint64_t more = (g.fingerprints + 1) * 2 * g.shape.offsets;
    assert_true(most < UINT64_C(1) << s->f);
    assert_true(more >= UINT64_C(1) << s->f);
}

static void no_width_wastes_a_fingerprint(void **state) {
    (void)state;
    for_each_geometry(2, require_tags_use_the_width);
}

static void require_masks(const struct ref_shape *s) {
    struct geometry g = geometry_of(s);
    uint64_t below = 0;
    uint64_t top = 0;
    for (uint32_t bit = 0; bit < s->k * s->f; bit++) {
        bool is_top = bit % s->f == s->f - 1;
        top |= (uint64_t)is_top << bit;
        below |= (uint64_t)!is_top << bit;
    }
    assert_int_equal(g.shape.all_top, top);
    assert_int_equal(g.shape.below_top, below);
    assert_int_equal(g.shape.tag_mask, (UINT64_C(1) << s->f) - 1);
    for (uint32_t lane = 0; lane < s->P; lane++) {
        uint64_t step = 0;
        uint64_t first[2] = {0};
        uint64_t tops = 0;
        for (uint32_t i = 0; i < s->w; i++) {
            uint32_t slot = (lane + i) % s->k;
            step |= 2 * (uint64_t)s->O << (slot * s->f);
            for (uint64_t side = 0; side < 2; side++) {
                first[side] |= (1 + side * s->O + (s->O == 1 ? 0 : i)) << (slot * s->f);
            }
            tops |= UINT64_C(1) << (slot * s->f + s->f - 1);
        }
        assert_int_equal(g.window[lane].step, step);
        assert_int_equal(g.window[lane].first[0], first[0]);
        assert_int_equal(g.window[lane].first[1], first[1]);
        assert_int_equal(g.window[lane].top, tops);
    }
}

static void windows_go_round_the_ring(void **state) {
    (void)state;
    for_each_geometry(2, require_masks);
}

static void what_the_reference_refuses_is_refused(void **state) {
    (void)state;
    for (uint64_t buckets = 0; buckets <= 3; buckets++) {
        for (uint32_t tag_bits = 0; tag_bits <= 40; tag_bits++) {
            for (uint32_t window = 0; window <= 20; window++) {
                struct ref_shape s;
                struct geometry g;
                struct geometry untouched;
                memset(&g, 0x5a, sizeof g);
                memcpy(&untouched, &g, sizeof g);
                bool possible = ref_shape(buckets, tag_bits, window, &s);
                enum guira_status status = guira__geometry(buckets, tag_bits, window, &g);
                assert_int_equal(status, possible ? GUIRA_OK : GUIRA_BAD_GEOMETRY);
                assert_true(possible || memcmp(&g, &untouched, sizeof g) == 0);
            }
        }
    }
}

static void elements_past_64_bits_are_too_large(void **state) {
    (void)state;
    struct geometry g;
    for (uint32_t f = 4; f <= 32; f++) {
        struct ref_shape s;
        assert_true(ref_shape(2, f, 1, &s));
        uint64_t most = UINT64_MAX / (s.P * s.Q);
        uint64_t addressable = (uint64_t)PTRDIFF_MAX / 8 - (1 << 20); /* with whole pages */
        most = most < addressable ? most : addressable;
        assert_int_equal(guira__geometry(most, f, 1, &g), GUIRA_OK);
        assert_int_equal(guira__geometry(most + 1, f, 1, &g), GUIRA_TOO_LARGE);
        assert_int_equal(guira__geometry(UINT64_MAX, f, 1, &g), GUIRA_TOO_LARGE);
    }
}

static void fewer_fingerprints_than_tags_tell_apart_are_possible(void **state) {
    (void)state;
    for (uint32_t f = 4; f <= 32; f++) {
        struct ref_shape s;
        assert_true(ref_shape(7, f, 2, &s));
        struct geometry g;
        for (uint64_t q = s.Q; q > 0; q /= 2) {
            assert_int_equal(guira__geometry_with(7, f, 2, q, &g), GUIRA_OK);
            assert_true(g.fingerprints == q && g.universe == UINT64_C(7) * s.P * q);
            uint64_t most = guira__most_buckets(f, 2, q);
            assert_int_equal(guira__geometry_with(most, f, 2, q, &g), GUIRA_OK);
            assert_int_equal(guira__geometry_with(most + 1, f, 2, q, &g), GUIRA_TOO_LARGE);
        }
        assert_int_equal(guira__geometry_with(7, f, 2, s.Q + 1, &g), GUIRA_BAD_GEOMETRY);
        assert_int_equal(guira__most_fingerprints(f, 2), s.Q);
        assert_int_equal(guira__most_buckets(f, 2, 0), guira__most_buckets(f, 2, s.Q));
    }
    assert_int_equal(guira__most_fingerprints(33, 1), 0);
    assert_int_equal(guira__most_buckets(8, 9, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_geometry_has_the_numbers_of_the_design),
        cmocka_unit_test(no_width_wastes_a_fingerprint),
        cmocka_unit_test(windows_go_round_the_ring),
        cmocka_unit_test(what_the_reference_refuses_is_refused),
        cmocka_unit_test(elements_past_64_bits_are_too_large),
        cmocka_unit_test(fewer_fingerprints_than_tags_tell_apart_are_possible),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
