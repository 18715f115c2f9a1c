/*
 * Verifies that filters that do not belong together are told apart, and are not merged.
 */
#include "multiset.h"
#include "test.h"

static uint64_t own_hash(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    return length + seed + (key == NULL);
}

static void require_refused(const struct guira_options *options, enum guira_status status) {
    struct guira *a = filter_of(100, 12, 2);
    struct guira *b = filter_with(*options);
    (void)fill(a, 0, 50);
    (void)fill(b, 100, 50);
    for (int i = 0; i < 2; i++) {
        struct guira *into = i == 0 ? a : b;
        struct guira *from = i == 0 ? b : a;
        struct multiset before = multiset_of(into);
        assert_int_equal(guira_compatible(into, from), status);
        assert_int_equal(guira_merge(into, from), status);
        assert_int_equal(guira_merge_unique(into, from), status);
        assert_true(holds_multiset(into, &before));
        multiset_end(&before);
    }
    guira_destroy(a);
    guira_destroy(b);
}

static void filters_that_do_not_belong_together_are_told_apart(void **state) {
    (void)state;
    struct guira_options same = {.buckets = 100, .tag_bits = 12, .window = 2};
    struct guira_options hash = same;
    hash.hash = (struct guira_hash_function){own_hash, NULL, 5000};
    require_refused(&hash, GUIRA_OTHER_HASH);
    struct guira_options seed = same;
    seed.seed = filter_seed() + 1;
    require_refused(&seed, GUIRA_OTHER_SEED);
    struct guira_options buckets = same;
    buckets.buckets = 101;
    require_refused(&buckets, GUIRA_OTHER_UNIVERSE);
    struct guira_options window = same;
    window.window = 3;
    require_refused(&window, GUIRA_OTHER_UNIVERSE);
    seed.hash = hash.hash;
    require_refused(&seed, GUIRA_OTHER_HASH);
    buckets.seed = seed.seed;
    require_refused(&buckets, GUIRA_OTHER_SEED);
}

static void null_is_answered_as_stated(void **state) {
    (void)state;
    struct guira *f = filter_of(10, 12, 2);
    enum guira_status (*const call[])(struct guira *, const struct guira *) = {guira_merge,
                                                                               guira_merge_unique};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(call[i](NULL, f), GUIRA_NULL_ARGUMENT);
        assert_int_equal(call[i](f, NULL), GUIRA_NULL_ARGUMENT);
        assert_int_equal(call[i](NULL, NULL), GUIRA_NULL_ARGUMENT);
    }
    assert_int_equal(guira_compatible(NULL, f), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_compatible(f, NULL), GUIRA_NULL_ARGUMENT);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_that_do_not_belong_together_are_told_apart),
        cmocka_unit_test(null_is_answered_as_stated),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
