/*
 * Verifies the choice of a geometry: it keeps rate and limits, one bucket less would not do, looser
 * wishes never cost more, and what an explicit geometry promises is what the rule would grant it.
 */
#include "sizing.h"

#include <math.h>

#include "geometry.h"
#include "test.h"

static struct geometry chosen(uint64_t capacity, double rate, double chance) {
    struct promise promise = {capacity, rate, chance, false};
    struct geometry g;
    assert_int_equal(guira__choose_geometry(&promise, &g), GUIRA_OK);
    return g;
}

static void the_chosen_geometry_keeps_rate_and_limits(void **state) {
    (void)state;
    for (uint64_t n = 1; n < UINT64_C(1) << 40; n = n * 5 / 2 + 1) {
        for (int e = 1; e <= 16; e++) {
            double rate = pow(2, -e) * 0.99;
            struct geometry g = chosen(n, rate, 1e-5);
            require((double)n <= rate * (double)g.universe, "n %llu, rate %g",
                    (unsigned long long)n, rate);
            assert_true(g.buckets >= 2 && g.shape.slots * g.buckets >= n);
            assert_true(g.fingerprints >= 16); /* fewer cost load */
        }
    }
}

static void its_own_capacity_is_what_an_equal_explicit_geometry_promises(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 100000000; n = n * 3 + 1) {
        struct geometry g = chosen(n, 0.003, 1e-5);
        require(guira__safe_capacity(&g, 1e-5) >= n, "n %llu", (unsigned long long)n);
    }
}

static void a_stricter_wish_never_costs_less(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 10000000; n = n * 2 + 1) {
        uint64_t before = 0;
        for (double rate = 0.3; rate > 1e-7; rate /= 3) {
            uint64_t buckets = chosen(n, rate, 1e-5).buckets;
            require(buckets >= before, "n %llu, rate %g", (unsigned long long)n, rate);
            before = buckets;
        }
        before = 0;
        for (double chance = 0.1; chance > 1e-12; chance /= 10) {
            uint64_t buckets = chosen(n, 0.01, chance).buckets;
            require(buckets >= before, "n %llu, chance %g", (unsigned long long)n, chance);
            before = buckets;
        }
    }
}

/* With windows of 2 slots 5 keys of one element do not fit, and among many keys such five are not
 * rare: large tables at 1% need wider windows (design.md, sizing), small ones may do without. */
static void many_keys_at_one_percent_get_windows_of_three(void **state) {
    (void)state;
    for (uint64_t n = 10000000; n < UINT64_C(1) << 36; n *= 4) {
        assert_true(chosen(n, 0.01, 1e-5).shape.window_slots >= 3);
    }
}

static void a_promise_never_exceeds_the_slots(void **state) {
    (void)state;
    for (uint32_t f = 4; f <= 32; f++) {
        for (uint32_t w = 1; w <= 64 / f; w++) {
            for (uint64_t buckets = 2; buckets < 2000000; buckets = buckets * 7 + 1) {
                struct geometry g;
                if (guira__geometry(buckets, f, w, &g) == GUIRA_OK) {
                    assert_true(guira__safe_capacity(&g, 1e-5) <= g.shape.slots * buckets);
                }
            }
        }
    }
}

static void the_largest_tables_are_promised_without_overflow(void **state) {
    (void)state;
    struct geometry g;
    uint64_t most = guira__most_buckets(4, 16, 0);
    assert_true(most > UINT64_C(1) << 59);
    assert_int_equal(guira__geometry(most, 4, 16, &g), GUIRA_OK);
    assert_int_equal(guira__geometry(most + 1, 4, 16, &g), GUIRA_TOO_LARGE);
    assert_int_equal(guira__geometry(most, 4, 16, &g), GUIRA_OK);
    uint64_t slots = g.shape.slots * g.buckets;
    assert_true(slots / g.shape.slots == g.buckets);
    assert_true(guira__safe_capacity(&g, 1e-5) <= slots);
    struct promise promise = {UINT64_MAX, 0.999999, 0.5, true};
    assert_int_equal(guira__choose_geometry(&promise, &g), GUIRA_TOO_LARGE);
}

/* The fewest buckets lie between a power of two and the most that 64-bit elements leave. */
static void the_last_tables_before_the_largest_are_found(void **state) {
    (void)state;
    struct geometry g = chosen(UINT64_C(28063886664809), 1.62221e-6, 1e-5);
    assert_true(g.buckets > guira__most_buckets(g.shape.tag_bits, g.shape.window_slots, 0) / 2);
    assert_true(g.buckets < UINT64_C(28063886664809));
}

/* ---- Growth ---------------------------------------------------------------------------------- */

static void require_span(const struct promise *p, uint64_t now, uint64_t least) {
    struct span s;
    assert_int_equal(guira__choose_span(p, now, least, &s), GUIRA_OK);
    struct geometry low;
    struct geometry high;
    assert_int_equal(guira__geometry_with(s.buckets, s.tag_bits, s.window, s.fingerprints, &low),
                     GUIRA_OK);
    assert_int_equal(guira__geometry_with(s.buckets << s.doublings, s.tag_bits, s.window,
                                          s.fingerprints >> s.doublings, &high),
                     GUIRA_OK);
    assert_true(low.universe == high.universe && high.fingerprints >= 16);
    assert_true((double)p->capacity <= p->rate * (double)high.universe);
    assert_true(guira__safe_capacity(&high, p->chance) >= p->capacity);
    require(low.buckets >= least && guira__crowded_from(&low, p->chance) + 1 >= now,
            "%llu buckets, now %llu, least %llu", (unsigned long long)low.buckets,
            (unsigned long long)now, (unsigned long long)least);
    /* One level more below it would be too small, so it begins no larger than it must. */
    struct geometry half;
    bool crowded = low.buckets / 2 < least || low.buckets < 4 ||
                   guira__geometry(low.buckets / 2, s.tag_bits, s.window, &half) != GUIRA_OK ||
                   guira__crowded_from(&half, p->chance) <= now;
    require(crowded, "%llu buckets, now %llu", (unsigned long long)low.buckets,
            (unsigned long long)now);
    /* Wider tags of which as many go into a bucket have a lower rate for nothing. */
    require(s.tag_bits == 32 || 64 / (s.tag_bits + 1) < 64 / s.tag_bits, "%u bits", s.tag_bits);
    struct geometry fixed;
    assert_int_equal(guira__choose_geometry(p, &fixed), GUIRA_OK);
    require(fixed.buckets <= high.buckets, "growing %llu, fixed %llu",
            (unsigned long long)high.buckets, (unsigned long long)fixed.buckets);
}

static void the_last_level_keeps_the_promise_and_the_first_has_room(void **state) {
    (void)state;
    for (uint64_t most = 3; most < UINT64_C(1) << 38; most = most * 11 + 1) {
        for (uint64_t down = 1; down < 100000 && down < most; down *= 17) {
            for (double rate = 0.5; rate > 1e-4; rate /= 30) {
                uint64_t now = most / down;
                const struct promise p = {most, rate, 1e-5, false};
                require_span(&p, now, 2);
                require_span(&p, now, 16);
            }
        }
    }
}

static void the_widest_tags_begin_as_small_as_they_can(void **state) {
    (void)state;
    for (uint64_t n = 1; n < UINT64_C(1) << 33; n = n * 7 + 3) {
        const struct promise p = {n, 0.01, 1e-5, false};
        struct span s;
        assert_int_equal(guira__choose_first(&p, 16, &s), GUIRA_OK);
        struct geometry g;
        assert_int_equal(guira__geometry(s.buckets, s.tag_bits, s.window, &g), GUIRA_OK);
        assert_true(s.tag_bits == 32 && guira__crowded_from(&g, 1e-5) >= n);
        assert_int_equal(guira__geometry(s.buckets - 1, s.tag_bits, s.window, &g), GUIRA_OK);
        assert_true(s.buckets == 16 || guira__crowded_from(&g, 1e-5) < n);
    }
    const struct promise p = {UINT64_MAX - 1, 0.01, 1e-5, false};
    struct span s;
    assert_int_equal(guira__choose_first(&p, 16, &s), GUIRA_TOO_LARGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_tables_before_the_largest_are_found),
        cmocka_unit_test(the_chosen_geometry_keeps_rate_and_limits),
        cmocka_unit_test(its_own_capacity_is_what_an_equal_explicit_geometry_promises),
        cmocka_unit_test(a_stricter_wish_never_costs_less),
        cmocka_unit_test(many_keys_at_one_percent_get_windows_of_three),
        cmocka_unit_test(a_promise_never_exceeds_the_slots),
        cmocka_unit_test(the_largest_tables_are_promised_without_overflow),
        cmocka_unit_test(the_last_level_keeps_the_promise_and_the_first_has_room),
        cmocka_unit_test(the_widest_tags_begin_as_small_as_they_can),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
