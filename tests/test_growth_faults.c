/*
 * Verifies growth when memory cannot be had: at each level, for a moment or for good, the filter
 * stays as it was, whoever has no room is told why, and later calls try again. And what a growing
 * filter asks of an allocator: no lock of the filter held, everything given back in the end.
 */
#include "allocators.h"
#include "elements.h"
#include "grown.h"
#include "test.h"

enum { CREATION = 2, LEVELS = 6, KEYS = 3000 };

static struct guira *filter_on(struct guira_allocator allocator) {
    return filter_with((struct guira_options){
        .buckets = 16, .tag_bits = 16, .window = 3, .max_capacity = 1500, .allocator = allocator});
}

static void require_keys(const struct guira *f, uint64_t keys) {
    assert_int_equal(guira_size(f), keys);
    for (uint64_t i = 0; i < keys; i++) {
        assert_true(guira_contains_u64(f, scrambled(i)));
    }
    require_entries_add_up(f);
}

/* The allocator fails, for good, when the filter is to leave a level; `reason` is what inserts say
 * that find no room. Then it has memory again. */
static void grow_past_failures(uint32_t level, bool misaligned, enum guira_status reason) {
    struct counting c = {.for_ever = true};
    struct guira *f = filter_on(counting_allocator(&c));
    unsigned call = CREATION + 1 + level;
    c.fail_at = misaligned ? 0 : call;
    c.misalign_at = misaligned ? call : 0;

    uint64_t in = fill(f, 0, KEYS);
    const struct table *t = table_of_level(f, level);
    uint64_t slots = t->geometry.buckets * t->geometry.shape.slots;
    require(in > slots / 2 && in <= slots, "level %u: %llu of %llu slots", level,
            (unsigned long long)in, (unsigned long long)slots);
    unsigned live = c.live;
    uint64_t view = guira__view(f).word;
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(guira_insert_u64(f, scrambled(in)), reason);
        assert_int_equal(guira_insert_unique_u64(f, scrambled(in)), reason);
    }
    require(c.calls >= call + 20, "only %u tries", c.calls);
    assert_int_equal(c.live, live);
    assert_true(guira__view(f).word == view && level_of(f) == level && !is_migrating(f));
    require_keys(f, in);

    assert_int_equal(guira_reserve(f, 1500), reason);
    assert_true(guira__view(f).word == view);
    assert_int_equal(guira_remove_u64(f, scrambled(in - 1)), GUIRA_OK);
    assert_int_equal(guira_insert_u64(f, scrambled(in - 1)), GUIRA_OK);

    c.fail_at = c.misalign_at = 0;
    assert_int_equal(guira_insert_u64(f, scrambled(in)), GUIRA_OK);
    assert_true(is_migrating(f));
    in += 1 + fill(f, in + 1, 1500 - in - 1);
    assert_int_equal(in, 1500);
    require_keys(f, in);
    guira_destroy(f);
    assert_false(c.mismatch);
    assert_int_equal(c.live, 0);
}

static void without_memory_a_filter_stays_as_it_is(void **state) {
    (void)state;
    for (uint32_t level = 0; level + 1 < LEVELS; level++) {
        grow_past_failures(level, false, GUIRA_NO_MEMORY);
        grow_past_failures(level, true, GUIRA_BAD_ALLOCATOR);
    }
}

/* There is room as yet when a table is found crowded, so nobody hears of a failure that passes. */
static void a_failure_that_passes_is_not_noticed(void **state) {
    (void)state;
    for (unsigned call = CREATION + 1; call < CREATION + LEVELS; call++) {
        for (int misaligned = 0; misaligned < 2; misaligned++) {
            struct counting c = {0};
            struct guira *f = filter_on(counting_allocator(&c));
            c.fail_at = misaligned ? 0 : call;
            c.misalign_at = misaligned ? call : 0;
            assert_int_equal(fill(f, 0, 1500), 1500);
            require_keys(f, 1500);
            assert_int_equal(c.calls, CREATION + LEVELS);
            guira_destroy(f);
            assert_false(c.mismatch);
            assert_int_equal(c.live, 0);
        }
    }
}

static void creation_without_memory_leaves_nothing(void **state) {
    (void)state;
    for (unsigned call = 1; call <= CREATION; call++) {
        for (int misaligned = 0; misaligned < 2; misaligned++) {
            struct counting c = {.fail_at = misaligned ? 0 : call,
                                 .misalign_at = misaligned ? call : 0};
            struct guira_options options = {.capacity = 10,
                                            .max_capacity = 100000,
                                            .false_positive_rate = 0.01,
                                            .seed = 1,
                                            .allocator = counting_allocator(&c)};
            struct guira *f = NULL;
            assert_int_equal(guira_create(&options, &f),
                             misaligned ? GUIRA_BAD_ALLOCATOR : GUIRA_NO_MEMORY);
            assert_null(f);
            assert_int_equal(c.live, 0);
            assert_false(c.mismatch);
        }
    }
}

static void a_batch_says_which_keys_found_no_memory(void **state) {
    (void)state;
    struct counting c = {.fail_at = CREATION + 1, .for_ever = true};
    struct guira *f = filter_on(counting_allocator(&c));
    enum { MANY = 120 };
    uint64_t *hashes = distinct_hashes(f, MANY, 1);
    enum guira_status result[MANY];
    assert_int_equal(guira_insert_batch(f, guira_keys_uniform(hashes, MANY), result),
                     GUIRA_PARTIAL);
    uint64_t in = 0;
    for (size_t i = 0; i < MANY; i++) {
        assert_true(result[i] == GUIRA_OK || result[i] == GUIRA_NO_MEMORY);
        assert_int_equal(guira_count_uniform(f, hashes[i]), result[i] == GUIRA_OK);
        in += result[i] == GUIRA_OK;
    }
    assert_int_equal(guira_size(f), in);
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_int_equal(info.full_inserts, 0);
    free(hashes);
    guira_destroy(f);
    assert_int_equal(c.live, 0);
}

/* Its own pages go back to the system early; a user's memory is kept until the filter ends. */
static void a_users_memory_is_kept_to_the_end(void **state) {
    (void)state;
    struct counting c = {0};
    struct guira *f = filter_on(counting_allocator(&c));
    assert_int_equal(fill(f, 0, 1500), 1500);
    assert_int_equal(level_of(f), LEVELS - 1);
    assert_int_equal(c.calls, CREATION + LEVELS - 1);
    assert_int_equal(c.releases, 0);
    guira_destroy(f);
    assert_int_equal(c.releases, CREATION + LEVELS - 1);
    assert_int_equal(c.live, 0);
    assert_false(c.mismatch);
}

static void memory_is_asked_for_without_the_locks_of_stripes(void **state) {
    (void)state;
    struct watching w = {0};
    struct guira *f = filter_on(watching_allocator(&w));
    w.filter[0] = f;
    assert_int_equal(fill(f, 0, 1500), 1500);
    assert_int_equal(w.calls, CREATION + LEVELS - 1);
    assert_false(w.locked);
    w.filter[0] = NULL;
    guira_destroy(f);
}

/* No access beside a table, at any level; memory is not zeroed by the allocator. */
static void tables_are_used_within_their_bounds(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{8, 8}, {12, 3}, {21, 3}, {32, 2}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        struct guira *f = filter_with((struct guira_options){.buckets = 37,
                                                             .tag_bits = shape[i][0],
                                                             .window = shape[i][1],
                                                             .max_capacity = GUIRA_NO_MAXIMUM,
                                                             .allocator = guarded_allocator()});
        uint64_t in = fill(f, 0, 20000);
        assert_true(in > 200);
        require_entries_add_up(f);
        for (uint64_t key = 0; key < in; key++) {
            assert_int_equal(guira_remove_u64(f, scrambled(key)), GUIRA_OK);
        }
        guira_destroy(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_a_filter_stays_as_it_is),
        cmocka_unit_test(a_failure_that_passes_is_not_noticed),
        cmocka_unit_test(creation_without_memory_leaves_nothing),
        cmocka_unit_test(a_batch_says_which_keys_found_no_memory),
        cmocka_unit_test(a_users_memory_is_kept_to_the_end),
        cmocka_unit_test(memory_is_asked_for_without_the_locks_of_stripes),
        cmocka_unit_test(tables_are_used_within_their_bounds),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
