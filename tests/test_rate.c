/*
 * Verifies that the false-positive rate is items / U: exactly, by asking for every element of small
 * universes, and by confidence intervals over the grid of widths and windows and over forms of
 * keys. The intervals are those of 5 sigma, as there are many; one planted wrong rate must fall
 * out.
 */
#include "filters.h"
#include "grid.h"
#include "intervals.h"

static void intervals_tell_right_rates_from_wrong_ones(void **state) {
    (void)state;
    assert_true(believable(0, 100, 0.0));
    assert_false(believable(1, 100, 0.0));
    assert_true(believable(0, 1000, 0.001));
    assert_false(believable(30, 1000, 0.001));
    assert_true(believable(10000, 1000000, 0.01));
    assert_true(believable(10450, 1000000, 0.01));  /* 4.5 sigma */
    assert_false(believable(10550, 1000000, 0.01)); /* 5.5 sigma */
    assert_false(believable(9450, 1000000, 0.01));
    assert_true(believable(3, 1000000, 1e-6));
    assert_false(believable(0, 1000000, 3e-5));
}

/* Only distinct elements count, so insert_unique: then items are what n means in n / U. */
static void require_rate(struct guira *f, uint64_t probes, const char *what) {
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    uint64_t hits = 0;
    for (uint64_t i = 0; i < probes; i++) {
        hits += guira_contains_u64(f, UINT64_C(1) << 40 | i);
    }
    require(believable(hits, probes, info.rate), "%s, f %u, w %u: %llu of %llu, rate %g", what,
            info.sizing.tag_bits, info.sizing.window, (unsigned long long)hits,
            (unsigned long long)probes, info.rate);
    /* The same hits under another rate must not pass, or the interval says nothing. */
    if ((double)probes * info.rate > 1000 && info.rate < 0.3) {
        assert_false(believable(hits, probes, info.rate * 1.5));
        assert_false(believable(hits, probes, info.rate / 1.5));
    }
}

static void require_cell(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t wanted = s->M * s->k * (s->w == 1 ? 3 : 7) / 10;
    for (uint64_t key = 0, tries = 0; guira_size(f) < wanted && tries < 4 * wanted; tries++) {
        (void)guira_insert_unique_u64(f, key++);
    }
    require_rate(f, scaled(s->f <= 12 ? 200000 : 1000000), "grid");
    guira_destroy(f);
}

static void the_rate_is_items_by_universe_over_the_grid(void **state) {
    (void)state;
    for_each_geometry(1000, require_cell);
}

static void require_every_element(const struct ref_shape *s) {
    if (s->U > 200000) {
        return;
    }
    struct guira *f = filter_of(s->M, s->f, s->w);
    for (uint64_t key = 0; key < s->M * s->k / 2; key++) {
        (void)guira_insert_unique_u64(f, key);
    }
    uint64_t there = 0;
    for (uint64_t x = 0; x < s->U; x++) {
        there += guira_contains_uniform(f, ref_hash_of(s, x));
    }
    assert_int_equal(there, guira_size(f));
    guira_destroy(f);
}

static void of_all_elements_exactly_the_inserted_are_found(void **state) {
    (void)state;
    for_each_geometry(2, require_every_element);
    for_each_geometry(29, require_every_element);
}

/* The keys that users have: each must behave as random ones do. */
static uint64_t strided_key(uint64_t i) {
    return i << 20;
}

static uint64_t high_key(uint64_t i) {
    return i << 44;
}

static uint64_t sequential_key(uint64_t i) {
    return i;
}

static void structured_integers_behave_as_random_ones(void **state) {
    (void)state;
    uint64_t (*const form[])(uint64_t) = {sequential_key, strided_key, high_key};
    for (size_t i = 0; i < 3; i++) {
        struct guira *f = filter_for(100000, 0.01);
        for (uint64_t key = 0; key < 100000; key++) {
            enum guira_status status = guira_insert_unique_u64(f, form[i](key));
            require(status == GUIRA_OK || status == GUIRA_EXISTS, "form %zu: %d", i, status);
        }
        struct guira_info info;
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        uint64_t probes = scaled(900000);
        uint64_t hits = 0;
        for (uint64_t key = 100000; key < 100000 + probes; key++) {
            hits += guira_contains_u64(f, form[i](key));
        }
        require(believable(hits, probes, info.rate), "form %zu: %llu hits, rate %g", i,
                (unsigned long long)hits, info.rate);
        assert_true(info.rate <= 0.01);
        guira_destroy(f);
    }
}

static void text_keys_behave_as_random_ones(void **state) {
    (void)state;
    static const char *const format[] = {"%llu", "user-%020llu",
                                         "%llx/long/common/suffix/of/a/path"};
    for (size_t i = 0; i < 3; i++) {
        struct guira *f = filter_for(50000, 0.005);
        uint64_t hits = 0;
        uint64_t probes = scaled(1000000);
        struct guira_info info;
        for (uint64_t key = 0; key < 50000 + probes; key++) {
            char text[80];
            int length = snprintf(text, sizeof text, format[i], (unsigned long long)key);
            if (key < 50000) {
                enum guira_status status = guira_insert_unique(f, text, (size_t)length);
                assert_true(status == GUIRA_OK || status == GUIRA_EXISTS);
            } else {
                hits += guira_contains(f, text, (size_t)length);
            }
        }
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        require(believable(hits, probes, info.rate), "%s: %llu hits, rate %g", format[i],
                (unsigned long long)hits, info.rate);
        guira_destroy(f);
    }
}

static void the_rate_falls_again_as_keys_are_removed(void **state) {
    (void)state;
    struct guira *f = filter_for(20000, 0.02);
    assert_int_equal(fill(f, 0, 20000), 20000);
    for (uint64_t i = 0; i < 15000; i++) {
        assert_int_equal(guira_remove_u64(f, scrambled(i)), GUIRA_OK);
    }
    require_rate(f, scaled(500000), "a quarter left");
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_tell_right_rates_from_wrong_ones),
        cmocka_unit_test(the_rate_is_items_by_universe_over_the_grid),
        cmocka_unit_test(of_all_elements_exactly_the_inserted_are_found),
        cmocka_unit_test(structured_integers_behave_as_random_ones),
        cmocka_unit_test(text_keys_behave_as_random_ones),
        cmocka_unit_test(the_rate_falls_again_as_keys_are_removed),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
