/*
 * Verifies that filters that do not belong together are told apart, and are not merged; and what
 * can be done with filters that are read only.
 */
#include <unistd.h>

#include "folder.h"
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

/* ---- Mapped filters -------------------------------------------------------------------------- */

static struct guira *filter_with_keys(uint64_t first, uint64_t n) {
    struct guira *f = filter_for(2000, 0.01);
    assert_int_equal(fill(f, first, n), n);
    return f;
}

static struct guira *map(bool is_verified) {
    struct guira *f = NULL;
    const struct guira_load_options options = {.unverified = !is_verified};
    assert_int_equal(guira_map_file(&options, folder.file, &f), GUIRA_OK);
    return f;
}

/* A file of a filter with a thousand keys. */
static void save(void) {
    struct guira *f = filter_with_keys(0, 1000);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    guira_destroy(f);
}

static void nothing_is_merged_into_a_mapped_filter(void **state) {
    (void)state;
    save();
    struct guira *mapped = map(true);
    struct guira *f = filter_with_keys(1000, 500);
    struct guira *empty = filter_with_keys(0, 0);
    const struct guira *const from[] = {f, empty, mapped};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(guira_merge(mapped, from[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_merge_unique(mapped, from[i]), GUIRA_READ_ONLY);
    }
    assert_true(has_filled(mapped, 0, 1000));
    assert_int_equal(guira_merge(f, mapped), GUIRA_OK);
    assert_true(has_filled(f, 0, 1500));
    guira_destroy(mapped);
    guira_destroy(f);
    guira_destroy(empty);
}

static void a_clone_of_a_mapped_filter_is_like_any_other(void **state) {
    (void)state;
    save();
    struct guira *mapped = map(false);
    struct guira *copy = NULL;
    assert_int_equal(guira_clone(mapped, &copy), GUIRA_OK);
    guira_destroy(mapped);
    assert_true(has_filled(copy, 0, 1000));
    struct guira *other = filter_with_keys(0, 0);
    struct guira_info info;
    assert_int_equal(guira_get_info(copy, &info), GUIRA_OK);
    assert_false(info.single_writer);
    assert_int_equal(info.sizing.stripes, other->stripes.count);
    assert_int_equal(fill(copy, 1000, 100), 100);
    assert_true(has_filled(copy, 0, 1100));
    assert_int_equal(guira_clear(copy), GUIRA_OK);
    guira_destroy(copy);
    guira_destroy(other);
}

static void a_damaged_file_is_neither_cloned_nor_merged(void **state) {
    (void)state;
    save();
    struct tape tape = read_file(folder.file);
    tape.bytes[TAPE_HEADER + 100] ^= 1;
    write_file(folder.file, &tape);
    tape_free(&tape);
    struct guira *mapped = map(false);
    struct guira *into = filter_with_keys(1000, 500);
    struct guira *copy = NULL;
    assert_int_equal(guira_merge(into, mapped), GUIRA_BAD_CHECKSUM);
    assert_int_equal(guira_merge_unique(into, mapped), GUIRA_BAD_CHECKSUM);
    assert_int_equal(guira_clone(mapped, &copy), GUIRA_BAD_CHECKSUM);
    assert_null(copy);
    assert_true(has_filled(into, 1000, 500));
    guira_destroy(mapped);
    guira_destroy(into);
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
        cmocka_unit_test(nothing_is_merged_into_a_mapped_filter),
        cmocka_unit_test(a_clone_of_a_mapped_filter_is_like_any_other),
        cmocka_unit_test(a_damaged_file_is_neither_cloned_nor_merged),
        cmocka_unit_test(null_is_answered_as_stated),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
