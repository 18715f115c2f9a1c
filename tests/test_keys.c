/*
 * Verifies keys as users have them: empty, unaligned, long, equal in length, sequential, strided;
 * and a hash that is constant, which must end in LIMIT at once and not in loops or growth.
 */
#include "filters.h"
#include "test.h"

static void every_length_at_every_alignment_is_a_key(void **state) {
    (void)state;
    static char area[5000];
    static char copy[5000];
    struct guira *f = filter_for(10000, 0.0001);
    memset(area, 'x', sizeof area);
    for (size_t length = 0; length <= 300; length++) {
        assert_int_equal(guira_insert(f, area, length), GUIRA_OK);
    }
    for (size_t length = 0; length <= 300; length++) {
        for (size_t alignment = 0; alignment < 16; alignment++) {
            memset(copy, 'y', sizeof copy);
            memcpy(copy + alignment, area, length);
            assert_true(guira_contains(f, copy + alignment, length));
            assert_int_equal(guira_hash(f, copy + alignment, length), guira_hash(f, area, length));
        }
    }
    assert_int_equal(guira_size(f), 301);
    guira_destroy(f);
}

static void the_empty_key_needs_no_address(void **state) {
    (void)state;
    struct guira *f = filter_for(100, 0.0001);
    assert_false(guira_contains(f, NULL, 0));
    assert_int_equal(guira_insert(f, NULL, 0), GUIRA_OK);
    assert_true(guira_contains(f, "abc", 0));
    assert_int_equal(guira_count(f, NULL, 0), 1);
    assert_int_equal(guira_insert_unique(f, "", 0), GUIRA_EXISTS);
    assert_int_equal(guira_hash(f, NULL, 0), guira_hash(f, "", 0));
    assert_int_equal(guira_remove(f, "", 0), GUIRA_OK);
    assert_int_equal(guira_remove(f, NULL, 0), GUIRA_NOT_FOUND);
    guira_destroy(f);
}

/* The key ends where its memory ends: a sanitizer sees any byte read beyond. */
static void no_byte_beyond_a_key_is_read(void **state) {
    (void)state;
    struct guira *f = filter_for(2000, 0.0001);
    for (size_t length = 1; length < 1100; length += 1 + length / 20) {
        char *key = malloc(length);
        assert_non_null(key);
        memset(key, 'k', length);
        assert_int_equal(guira_insert(f, key, length), GUIRA_OK);
        assert_true(guira_contains(f, key, length));
        free(key);
    }
    guira_destroy(f);
}

static void an_integer_is_the_same_key_in_every_call(void **state) {
    (void)state;
    struct guira *f = filter_for(1000, 1e-12);
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t key = scrambled(i);
        uint64_t hash = guira_hash_u64(f, key);
        assert_int_equal(guira_insert_unique_u64(f, key), GUIRA_OK);
        assert_int_equal(guira_insert_unique_u64(f, key), GUIRA_EXISTS);
        assert_int_equal(guira_insert_unique_uniform(f, hash), GUIRA_EXISTS);
        assert_int_equal(guira_insert_u64(f, key), GUIRA_OK);
        assert_int_equal(guira_count_u64(f, key), 2);
        assert_int_equal(guira_count_uniform(f, hash), 2);
        assert_int_equal(guira_remove_u64(f, key), GUIRA_OK);
        assert_true(guira_contains_uniform(f, hash));
        assert_int_equal(guira_remove_uniform(f, hash), GUIRA_OK);
        assert_false(guira_contains_u64(f, key));
        assert_int_equal(guira_remove_u64(f, key), GUIRA_NOT_FOUND);
    }
    guira_destroy(f);
}

static void keys_of_a_megabyte_differ_in_their_last_byte(void **state) {
    (void)state;
    size_t length = 1 << 20;
    char *key = calloc(1, length);
    assert_non_null(key);
    struct guira *f = filter_for(100, 0.0001);
    assert_int_equal(guira_insert(f, key, length), GUIRA_OK);
    key[length - 1] = 1;
    assert_false(guira_contains(f, key, length));
    key[length - 1] = 0;
    assert_true(guira_contains(f, key, length));
    assert_false(guira_contains(f, key, length - 1));
    free(key);
    guira_destroy(f);
}

static uint64_t constant_hash(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    (void)key;
    (void)length;
    (void)seed;
    return 12345;
}

static void a_constant_hash_ends_at_the_limit(void **state) {
    (void)state;
    struct guira *f = filter_with((struct guira_options){
        .capacity = 100000,
        .false_positive_rate = 0.01,
        .hash = {.function = constant_hash, .identity = GUIRA_HASH_FIRST_USER}});
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    unsigned limit = 2 * info.sizing.window;
    uint64_t bytes = info.sizing.allocated_bytes;
    for (uint64_t key = 0; key < 10000; key++) {
        assert_int_equal(guira_insert(f, &key, sizeof key), key < limit ? GUIRA_OK : GUIRA_LIMIT);
    }
    assert_int_equal(guira_size(f), limit);
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_int_equal(info.sizing.allocated_bytes, bytes);
    assert_int_equal(info.full_inserts, 0);
    uint64_t integer = 1; /* integers do not pass through the user's hash */
    assert_int_equal(guira_insert_u64(f, integer), GUIRA_OK);
    require_sound(f);
    guira_destroy(f);
}

/* As uniform hashes, small integers are all element 0: said in the header, and harmless. */
static void small_integers_as_uniform_hashes_end_at_the_limit(void **state) {
    (void)state;
    struct guira *f = filter_of(1000, 12, 2);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(guira_insert_uniform(f, i), i < 4 ? GUIRA_OK : GUIRA_LIMIT);
    }
    guira_destroy(f);
}

static void require_integers_fit(uint64_t n, double rate, uint64_t first, uint64_t stride) {
    struct guira *f = filter_for(n, rate);
    for (uint64_t i = 0; i < n; i++) {
        enum guira_status status = guira_insert_u64(f, first + i * stride);
        require(status == GUIRA_OK, "stride %llu, key %llu of %llu: %s", (unsigned long long)stride,
                (unsigned long long)i, (unsigned long long)n, guira_status_text(status));
    }
    for (uint64_t i = 0; i < n; i++) {
        assert_true(guira_contains_u64(f, first + i * stride));
    }
    guira_destroy(f);
}

static void sequential_and_strided_integers_fill_to_capacity(void **state) {
    (void)state;
    static const uint64_t first[] = {0, 1, UINT64_MAX - 5000, UINT64_C(1) << 63};
    for (unsigned log = 0; log < 64; log += 3) {
        for (size_t i = 0; i < 4; i++) {
            uint64_t n = log < 48 ? 5000 : (UINT64_C(1) << (64 - log)) / 2; /* all distinct */
            n = n > 5000 ? 5000 : n;
            require_integers_fit(n, 0.01, first[i], UINT64_C(1) << log);
            require_integers_fit(n, 0.001, first[i], (UINT64_C(1) << log) + (log > 0));
        }
    }
    require_integers_fit(scaled(1000000), 0.01, 0, 1);
}

static void texts_of_equal_length_fill_to_capacity(void **state) {
    (void)state;
    struct guira *f = filter_for(100000, 0.001);
    char text[32];
    for (unsigned i = 0; i < 100000; i++) {
        int length = snprintf(text, sizeof text, "key-%08u", i);
        assert_int_equal(guira_insert(f, text, (size_t)length), GUIRA_OK);
    }
    for (unsigned i = 0; i < 100000; i++) {
        int length = snprintf(text, sizeof text, "key-%08u", i);
        assert_true(guira_contains(f, text, (size_t)length));
    }
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_at_every_alignment_is_a_key),
        cmocka_unit_test(the_empty_key_needs_no_address),
        cmocka_unit_test(no_byte_beyond_a_key_is_read),
        cmocka_unit_test(an_integer_is_the_same_key_in_every_call),
        cmocka_unit_test(keys_of_a_megabyte_differ_in_their_last_byte),
        cmocka_unit_test(a_constant_hash_ends_at_the_limit),
        cmocka_unit_test(small_integers_as_uniform_hashes_end_at_the_limit),
        cmocka_unit_test(sequential_and_strided_integers_fill_to_capacity),
        cmocka_unit_test(texts_of_equal_length_fill_to_capacity),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
