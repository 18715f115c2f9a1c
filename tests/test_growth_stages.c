/*
 * Verifies each stage of a growth by itself: what starts it and what must not; that while two
 * tables are in use an element is one element, wherever its copies are; that entries which find no
 * room in the new table stay where they are; and what guira_reserve does at each stage.
 */
#include "elements.h"
#include "grown.h"
#include "test.h"

/* ---- What starts it -------------------------------------------------------------------------- */

static void equal_keys_do_not_double_the_table(void **state) {
    (void)state;
    struct guira *f = growing_of(64, 12, 2, GUIRA_NO_MAXIMUM);
    for (unsigned i = 0; i < 1000; i++) {
        enum guira_status status = guira_insert_u64(f, 5);
        assert_int_equal(status, i < 4 ? GUIRA_OK : GUIRA_LIMIT);
        assert_int_equal(guira_insert_unique_u64(f, 5), GUIRA_EXISTS);
    }
    assert_int_equal(guira_count_u64(f, 5), 4);
    assert_int_equal(level_of(f), 0);
    guira_destroy(f);
}

static bool same_places(const struct candidates *a, const struct candidates *b) {
    return (a->bucket[0] == b->bucket[0] && a->bucket[1] == b->bucket[1]) ||
           (a->bucket[0] == b->bucket[1] && a->bucket[1] == b->bucket[0]);
}

static void keys_that_share_two_buckets_do_not_double_the_table(void **state) {
    (void)state;
    struct guira *f = growing_of(64, 16, 4, GUIRA_NO_MAXIMUM);
    uint64_t elements = f->table.geometry.universe;
    struct candidates first = places_in_level(f, 0, 0);
    uint64_t in = 0;
    uint64_t refused = 0;
    for (uint64_t x = 0; x < elements && refused < 100; x++) {
        struct candidates places = places_in_level(f, 0, x);
        if (!same_places(&places, &first)) {
            continue;
        }
        enum guira_status status = guira_insert_uniform(f, hash_of_number(f, x));
        require(status == (in < 8 ? GUIRA_OK : GUIRA_FULL), "insert says %d after %llu", status,
                (unsigned long long)in);
        in += status == GUIRA_OK;
        refused += status == GUIRA_FULL;
    }
    assert_int_equal(refused, 100);
    assert_int_equal(guira_size(f), 8);
    assert_int_equal(level_of(f), 0);
    assert_null(table_of_level(f, 1)->words);
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_int_equal(info.full_inserts, 100);
    guira_destroy(f);
}

/* The same keys once the table is more than half as full as it should get: then more room helps. */
static void a_search_that_fails_above_half_of_the_load_doubles_the_table(void **state) {
    (void)state;
    struct guira *f = growing_of(64, 16, 4, GUIRA_NO_MAXIMUM);
    uint64_t crowded = f->growth->limits[0].crowded_from;
    assert_int_equal(fill(f, 0, crowded * 6 / 10), crowded * 6 / 10);
    assert_int_equal(level_of(f), 0);
    struct candidates first = places_in_level(f, 0, 0);
    for (uint64_t x = 0; level_of(f) == 0; x++) {
        assert_true(x < f->table.geometry.universe);
        struct candidates places = places_in_level(f, 0, x);
        if (same_places(&places, &first)) {
            assert_int_equal(guira_insert_uniform(f, hash_of_number(f, x)), GUIRA_OK);
        }
    }
    assert_true(guira_size(f) < crowded * 7 / 10);
    guira_destroy(f);
}

/* At every level: below half of the design load there is no cause, above it growth comes before
 * any insert is refused. */
static void a_table_doubles_between_half_and_the_whole_of_its_load(void **state) {
    (void)state;
    struct guira *f = growing_of(16, 16, 3, GUIRA_NO_MAXIMUM);
    uint32_t level = 0;
    for (uint64_t i = 0; level + 1 < f->growth->levels; i++) {
        assert_int_equal(guira_insert_u64(f, scrambled(i)), GUIRA_OK);
        if (level_of(f) != level) {
            uint64_t crowded = f->growth->limits[level].crowded_from;
            require(i >= crowded / 2 && i <= crowded + crowded / 8, "level %u: at %llu, not %llu",
                    level, (unsigned long long)i, (unsigned long long)crowded);
            level = level_of(f);
        }
    }
    guira_destroy(f);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static void an_element_moves_to_one_of_two_buckets_in_the_same_stripe(void **state) {
    (void)state;
    struct guira *f = growing_of(1000, 12, 3, GUIRA_NO_MAXIMUM);
    struct rng rng = rng_stream(1);
    for (unsigned i = 0; i < 10000; i++) {
        uint64_t hash = rng_next(&rng);
        uint64_t x = guira_element(f, hash);
        uint64_t home = 0;
        for (uint32_t level = 0; level < f->growth->levels; level++) {
            const struct table *t = table_of_level(f, level);
            struct element e = element_of_hash(&t->geometry, hash);
            assert_int_equal(element_number(&t->geometry, e), x);
            assert_int_equal(element_number(&t->geometry, element_in(&t->geometry, x)), x);
            assert_true(level == 0 || e.home.bucket / 2 == home);
            home = e.home.bucket;
            assert_int_equal(stripe_of(t, home) << t->stripe_shift >> level,
                             home >> t->stripe_shift << f->table.stripe_shift);
        }
    }
    guira_destroy(f);
}

/* ---- In the middle --------------------------------------------------------------------------- */

static void copies_in_both_tables_are_limited_together(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{8, 2}, {8, 3}, {8, 8}, {12, 4}, {16, 4}, {21, 3}, {32, 2}};
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++) {
        uint32_t w = shape[s][1];
        struct guira *f = filter_with((struct guira_options){.buckets = 256,
                                                             .tag_bits = shape[s][0],
                                                             .window = w,
                                                             .max_capacity = GUIRA_NO_MAXIMUM,
                                                             .stripes = 8});
        /* At the end of a stripe, which takes its time to get there. */
        uint64_t hash = hash_of_number(f, f->table.geometry.universe / 8 - 1);
        bool in_both = false;
        for (unsigned i = 0; i < w; i++) {
            assert_int_equal(guira_insert_uniform(f, hash), GUIRA_OK);
        }
        begin_growth(f);
        for (unsigned i = w; i < 2 * w; i++) {
            assert_int_equal(guira_insert_uniform(f, hash), GUIRA_OK);
            assert_int_equal(guira_insert_unique_uniform(f, hash), GUIRA_EXISTS);
            assert_int_equal(guira_count_uniform(f, hash), i + 1);
            uint64_t old = entries_in(table_of_level(f, 0));
            in_both |= old > 0 && old < i + 1;
        }
        assert_true(is_migrating(f) && in_both);
        assert_int_equal(guira_insert_uniform(f, hash), GUIRA_LIMIT);
        for (unsigned i = 2 * w; i > 0; i--) {
            assert_int_equal(guira_remove_uniform(f, hash), GUIRA_OK);
            assert_int_equal(guira_count_uniform(f, hash), i - 1);
            assert_int_equal(guira_contains_uniform(f, hash), i > 1);
        }
        assert_int_equal(guira_remove_uniform(f, hash), GUIRA_NOT_FOUND);
        require_entries_add_up(f);
        guira_destroy(f);
    }
}

static void a_full_element_may_be_in_the_old_table_alone(void **state) {
    (void)state;
    struct guira *f = growing_of(1024, 12, 3, GUIRA_NO_MAXIMUM);
    uint64_t hash = hash_of_number(f, f->table.geometry.universe - 1);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(guira_insert_uniform(f, hash), GUIRA_OK);
    }
    begin_growth(f);
    assert_int_equal(guira_insert_uniform(f, hash), GUIRA_LIMIT);
    assert_int_equal(guira_count_uniform(f, hash), 6);
    assert_true(finish_growth(f));
    assert_int_equal(guira_insert_uniform(f, hash), GUIRA_LIMIT);
    assert_int_equal(guira_count_uniform(f, hash), 6);
    assert_int_equal(guira_size(f), 6);
    guira_destroy(f);
}

/* With single calls and with batches, on keys that are partly in one table and partly in the
 * other. */
static void removes_find_their_key_in_either_table(void **state) {
    (void)state;
    enum { ALL = 2000, LATER = 200 };
    for (int batches = 0; batches < 2; batches++) {
        struct guira *f = growing_of(8192, 16, 2, GUIRA_NO_MAXIMUM);
        uint64_t *hashes = distinct_hashes(f, ALL, 1);
        enum guira_status result[ALL];
        for (size_t i = 0; i < ALL; i++) {
            if (i == ALL - LATER) {
                begin_growth(f);
            }
            assert_int_equal(guira_insert_uniform(f, hashes[i]), GUIRA_OK);
        }
        assert_true(is_migrating(f) && entries_in(table_of_level(f, 0)) > 100);
        for (size_t i = 0; i < LATER; i++) {
            size_t key = i % 2 == 0 ? i : ALL - i;
            assert_int_equal(guira_remove_uniform(f, hashes[key]), GUIRA_OK);
            assert_int_equal(guira_remove_uniform(f, hashes[key]), GUIRA_NOT_FOUND);
            assert_int_equal(guira_insert_unique_uniform(f, hashes[key]), GUIRA_OK);
        }
        assert_true(is_migrating(f));
        if (batches > 0) {
            struct guira_keys keys = guira_keys_uniform(hashes, ALL);
            assert_int_equal(guira_remove_batch(f, keys, result), GUIRA_OK);
        }
        for (size_t i = 0; batches == 0 && i < ALL; i++) {
            assert_int_equal(guira_remove_uniform(f, hashes[i]), GUIRA_OK);
        }
        assert_int_equal(guira_size(f), 0);
        require_entries_add_up(f);
        free(hashes);
        guira_destroy(f);
    }
}

/* ---- Entries without room -------------------------------------------------------------------- */

enum { STUCK = 3, OTHERS = 60 };

/* Elements that share both buckets at the second level, and at the first only one; false if x is
 * not the first of such. */
static bool find_elements_that_collide(const struct guira *f, uint64_t x, uint64_t out[STUCK]) {
    struct candidates later = places_in_level(f, 1, x);
    uint64_t away[STUCK];
    unsigned found = 0;
    for (uint64_t y = x; y < x + table_of_level(f, 1)->geometry.fingerprints && found < STUCK;
         y++) {
        struct candidates there = places_in_level(f, 1, y);
        struct candidates here = places_in_level(f, 0, y);
        bool fits = same_places(&there, &later);
        for (unsigned i = 0; i < found; i++) {
            fits = fits && here.bucket[1] != away[i];
        }
        if (fits) {
            away[found] = here.bucket[1];
            out[found++] = y;
        }
    }
    return found == STUCK;
}

/* A filter that grows and cannot end it: w copies of each of the elements, and, if there is one
 * stripe, others behind them. */
static struct guira *filter_that_is_stuck(uint64_t buckets, uint32_t stripes, uint64_t x[STUCK]) {
    struct guira *f = filter_with((struct guira_options){.buckets = buckets,
                                                         .tag_bits = 16,
                                                         .window = 4,
                                                         .stripes = stripes,
                                                         .max_capacity = GUIRA_NO_MAXIMUM});
    uint64_t fingerprints = table_of_level(f, 1)->geometry.fingerprints;
    uint64_t bucket = 0;
    while (bucket < 2 * buckets && !find_elements_that_collide(f, bucket * fingerprints, x)) {
        bucket++;
    }
    require(bucket < 2 * buckets, "no such elements");
    for (unsigned i = 0; i < 4 * STUCK; i++) {
        assert_int_equal(guira_insert_uniform(f, hash_of_number(f, x[i % STUCK])), GUIRA_OK);
    }
    assert_int_equal(fill(f, 0, OTHERS), OTHERS);
    begin_growth(f);
    assert_false(finish_growth(f));
    assert_int_equal(entries_in(table_of_level(f, 0)), 4);
    assert_int_equal(entries_in(table_of_level(f, 1)), 8 + OTHERS);
    return f;
}

static void entries_without_room_stay_and_are_found(void **state) {
    (void)state;
    uint64_t x[STUCK];
    struct guira *f = filter_that_is_stuck(64, 1, x);
    for (unsigned i = 0; i < STUCK; i++) {
        uint64_t hash = hash_of_number(f, x[i]);
        assert_int_equal(guira_count_uniform(f, hash), 4);
        assert_int_equal(guira_insert_uniform(f, hash), GUIRA_FULL);
        assert_int_equal(guira_insert_unique_uniform(f, hash), GUIRA_EXISTS);
    }

    /* Others go on, until the new table has what it should have, which they are told. */
    uint64_t in = OTHERS + fill(f, OTHERS, 100000);
    assert_int_equal(guira_size(f), f->growth->limits[1].crowded_from);
    assert_true(is_migrating(f));
    assert_int_equal(guira_insert_u64(f, scrambled(in)), GUIRA_FULL);
    assert_int_equal(guira_insert_unique_u64(f, scrambled(in)), GUIRA_FULL);
    assert_int_equal(guira_insert_unique_u64(f, scrambled(0)), GUIRA_EXISTS);
    for (uint64_t i = 0; i < in; i++) {
        assert_true(guira_contains_u64(f, scrambled(i)));
    }
    require_entries_add_up(f);
    guira_destroy(f);
}

static void growth_goes_on_when_what_had_no_room_is_removed(void **state) {
    (void)state;
    uint64_t x[STUCK];
    struct guira *f = filter_that_is_stuck(64, 1, x);
    assert_int_equal(guira_reserve(f, guira_capacity(f)), GUIRA_OK); /* a wish that waits */
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(guira_remove_uniform(f, hash_of_number(f, x[0])), GUIRA_OK);
    }
    assert_true(finish_growth(f));
    assert_int_equal(level_of(f), f->growth->levels - 1);
    assert_int_equal(guira_count_uniform(f, hash_of_number(f, x[0])), 0);
    assert_int_equal(guira_count_uniform(f, hash_of_number(f, x[1])), 4);
    assert_int_equal(guira_count_uniform(f, hash_of_number(f, x[2])), 4);
    assert_int_equal(guira_size(f), 8 + OTHERS);
    require_entries_add_up(f);
    guira_destroy(f);
}

/* Until all is in the new table, others insert as much as they can, into few stripes and many. */
static void check_room_of_entries_that_wait(uint64_t buckets, uint32_t stripes) {
    uint64_t x[STUCK];
    struct guira *f = filter_that_is_stuck(buckets, stripes, x);
    uint64_t in = OTHERS + fill(f, OTHERS, 100000);
    in += fill(f, in + 1, 1000);
    assert_int_equal(guira_size(f), f->growth->limits[1].crowded_from);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(guira_remove_uniform(f, hash_of_number(f, x[0])), GUIRA_OK);
        in += fill(f, in, 100);
    }
    assert_false(is_migrating(f) && level_of(f) == 1);
    in += fill(f, in, 1000);
    assert_true(level_of(f) > 1);
    assert_int_equal(guira_size(f), 8 + in);
    require_entries_add_up(f);
    guira_destroy(f);
}

static void nobody_takes_the_room_of_entries_that_wait(void **state) {
    (void)state;
    check_room_of_entries_that_wait(64, 1);
    check_room_of_entries_that_wait(256, 256);
}

/* ---- Reserve --------------------------------------------------------------------------------- */

static void reserve_answers_for_each_filter(void **state) {
    (void)state;
    assert_int_equal(guira_reserve(NULL, 1), GUIRA_NULL_ARGUMENT);
    struct guira *fixed = filter_for(1000, 0.01);
    assert_int_equal(guira_reserve(fixed, 0), GUIRA_OK);
    assert_int_equal(guira_reserve(fixed, 1000), GUIRA_OK);
    assert_int_equal(guira_reserve(fixed, 1001), GUIRA_TOO_LARGE);
    guira_destroy(fixed);
    struct guira *f = growing_for(10, 50000, 0.01);
    assert_int_equal(guira_reserve(f, 50001), GUIRA_TOO_LARGE);
    assert_int_equal(guira_reserve(f, UINT64_MAX), GUIRA_TOO_LARGE);
    assert_int_equal(guira_reserve(f, 0), GUIRA_OK);
    assert_int_equal(guira_reserve(f, 10), GUIRA_OK);
    assert_int_equal(level_of(f), 0);
    guira_destroy(f);
}

static void reserve_goes_to_the_last_level_at_once(void **state) {
    (void)state;
    struct guira *f = growing_for(10, 50000, 0.01);
    assert_int_equal(fill(f, 0, 100), 100);
    assert_int_equal(guira_reserve(f, 50000), GUIRA_OK);
    uint32_t last = f->growth->levels - 1;
    assert_int_equal(level_of(f), last);
    for (uint32_t level = 1; level < last; level++) {
        assert_null(table_of_level(f, level)->words);
    }
    assert_int_equal(guira_reserve(f, 50000), GUIRA_OK);
    assert_int_equal(fill(f, 100, 49900), 49900);
    assert_int_equal(level_of(f), last);
    assert_false(is_migrating(f));
    for (uint64_t i = 0; i < 50000; i++) {
        assert_true(guira_contains_u64(f, scrambled(i)));
    }
    require_entries_add_up(f);
    guira_destroy(f);
}

static void what_is_reserved_in_the_middle_comes_next(void **state) {
    (void)state;
    struct guira *f = growing_of(512, 16, 3, GUIRA_NO_MAXIMUM);
    assert_int_equal(fill(f, 0, 1000), 1000);
    begin_growth(f);
    uint32_t last = f->growth->levels - 1;
    assert_int_equal(guira_reserve(f, guira_capacity(f)), GUIRA_OK);
    assert_int_equal(guira_reserve(f, 1), GUIRA_OK); /* takes nothing back */
    assert_int_equal(level_of(f), 1);
    assert_true(finish_growth(f));
    assert_int_equal(level_of(f), last);
    assert_null(table_of_level(f, 2)->words);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(guira_count_u64(f, scrambled(i)), 1);
    }
    require_entries_add_up(f);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_do_not_double_the_table),
        cmocka_unit_test(keys_that_share_two_buckets_do_not_double_the_table),
        cmocka_unit_test(a_search_that_fails_above_half_of_the_load_doubles_the_table),
        cmocka_unit_test(a_table_doubles_between_half_and_the_whole_of_its_load),
        cmocka_unit_test(an_element_moves_to_one_of_two_buckets_in_the_same_stripe),
        cmocka_unit_test(copies_in_both_tables_are_limited_together),
        cmocka_unit_test(a_full_element_may_be_in_the_old_table_alone),
        cmocka_unit_test(removes_find_their_key_in_either_table),
        cmocka_unit_test(entries_without_room_stay_and_are_found),
        cmocka_unit_test(growth_goes_on_when_what_had_no_room_is_removed),
        cmocka_unit_test(nobody_takes_the_room_of_entries_that_wait),
        cmocka_unit_test(reserve_answers_for_each_filter),
        cmocka_unit_test(reserve_goes_to_the_last_level_at_once),
        cmocka_unit_test(what_is_reserved_in_the_middle_comes_next),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
