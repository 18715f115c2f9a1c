/*
 * Verifies creation and destruction with an allocator of one's own: nothing is leaked wherever it
 * fails, sizes come back as they went out, misaligned memory is refused, dirty memory is no matter.
 */
#include "allocators.h"
#include "filters.h"
#include "test.h"

static struct guira_options options_for(uint64_t capacity, struct counting *counting) {
    return (struct guira_options){.capacity = capacity,
                                  .false_positive_rate = 0.01,
                                  .seed = 1,
                                  .allocator = counting_allocator(counting)};
}

static void whichever_allocation_fails_nothing_is_leaked(void **state) {
    (void)state;
    for (uint64_t capacity = 1; capacity <= 1000000; capacity *= 10) {
        enum guira_status status = GUIRA_NO_MEMORY;
        unsigned n = 0;
        while (status != GUIRA_OK) {
            struct counting counting = {.fail_at = ++n};
            struct guira_options options = options_for(capacity, &counting);
            struct guira *f = NULL;
            status = guira_create(&options, &f);
            assert_true(status == GUIRA_OK || status == GUIRA_NO_MEMORY);
            assert_int_equal(counting.live > 0, status == GUIRA_OK);
            assert_int_equal(f != NULL, status == GUIRA_OK);
            guira_destroy(f);
            assert_int_equal(counting.live, 0);
            assert_int_equal(counting.bytes, 0);
            assert_false(counting.mismatch);
            assert_true(n < 20);
        }
        assert_true(n > 1);
    }
}

static void misaligned_memory_is_refused_and_given_back(void **state) {
    (void)state;
    enum guira_status status = GUIRA_BAD_ALLOCATOR;
    unsigned n = 0;
    while (status != GUIRA_OK) {
        struct counting counting = {.misalign_at = ++n};
        struct guira_options options = options_for(100, &counting);
        struct guira *f = NULL;
        status = guira_create(&options, &f);
        assert_true(status == GUIRA_OK || status == GUIRA_BAD_ALLOCATOR);
        assert_int_equal(f != NULL, status == GUIRA_OK);
        guira_destroy(f);
        assert_int_equal(counting.live, 0);
        assert_false(counting.mismatch);
    }
    assert_true(n > 1);
}

static void hooks_are_called_in_create_and_destroy_only(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira_options options = options_for(200, &counting);
    struct guira *f = filter_with(options);
    unsigned calls = counting.calls;
    (void)fill(f, 0, 400);
    for (uint64_t i = 0; i < 400; i++) {
        (void)guira_remove_u64(f, scrambled(i));
    }
    (void)guira_clear(f);
    require_sound(f);
    assert_int_equal(counting.calls, calls);
    assert_int_equal(counting.releases, 0);
    guira_destroy(f);
    assert_int_equal(counting.releases, calls);
}

static void a_new_filter_is_empty_in_dirty_memory(void **state) {
    (void)state;
    struct counting counting = {0}; /* hands out memory full of ones */
    struct guira *f = filter_with(options_for(1000, &counting));
    assert_int_equal(guira_size(f), 0);
    for (uint64_t i = 0; i < 10000; i++) {
        assert_false(guira_contains_u64(f, i));
        assert_int_equal(guira_count_u64(f, i), 0);
    }
    require_sound(f);
    guira_destroy(f);
}

static void require_capacity_as_foretold(struct guira_options options) {
    struct guira_sizing sizing;
    assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
    struct guira *f = filter_with(options);
    assert_int_equal(guira_capacity(f), sizing.capacity);
    assert_true(options.capacity == 0 || sizing.capacity == options.capacity);
    guira_destroy(f);
}

static void the_capacity_is_the_one_asked_for_or_the_geometry_s(void **state) {
    (void)state;
    require_capacity_as_foretold(
        (struct guira_options){.capacity = 12345, .false_positive_rate = 0.01});
    require_capacity_as_foretold(
        (struct guira_options){.buckets = 100, .tag_bits = 12, .window = 2});
}

static void destroying_nothing_does_nothing(void **state) {
    (void)state;
    guira_destroy(NULL);
    guira_fork_prepare(NULL);
    guira_fork_release(NULL);
}

static void filters_share_nothing(void **state) {
    (void)state;
    struct guira *a = filter_of(64, 16, 2);
    struct guira *b = filter_of(64, 16, 2);
    assert_int_equal(fill(a, 0, 100), 100);
    assert_int_equal(guira_size(b), 0);
    uint64_t *before = words_of(a);
    assert_int_equal(fill(b, 1000, 100), 100);
    assert_int_equal(guira_clear(b), GUIRA_OK);
    guira_destroy(b);
    assert_true(words_equal(a, before));
    free(before);
    guira_destroy(a);
}

static void tables_and_stripes_begin_at_cache_lines(void **state) {
    (void)state;
    for (uint64_t capacity = 1; capacity <= 3000000; capacity = capacity * 3 + 1) {
        struct guira *f = filter_for(capacity, 0.01);
        assert_int_equal((uintptr_t)f % 64, 0);
        assert_int_equal((uintptr_t)f->table.words % 64, 0);
        assert_int_equal((uintptr_t)f->table.removals % 64, 0);
        assert_int_equal((uintptr_t)f->stripes.all % 64, 0);
        assert_int_equal((uintptr_t)f->stats.shard % 64, 0);
        uint64_t last = stripe_of(&f->table, f->table.geometry.buckets - 1);
        assert_int_equal(last + 1, f->stripes.count);
        guira_destroy(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whichever_allocation_fails_nothing_is_leaked),
        cmocka_unit_test(misaligned_memory_is_refused_and_given_back),
        cmocka_unit_test(hooks_are_called_in_create_and_destroy_only),
        cmocka_unit_test(a_new_filter_is_empty_in_dirty_memory),
        cmocka_unit_test(the_capacity_is_the_one_asked_for_or_the_geometry_s),
        cmocka_unit_test(destroying_nothing_does_nothing),
        cmocka_unit_test(filters_share_nothing),
        cmocka_unit_test(tables_and_stripes_begin_at_cache_lines),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
