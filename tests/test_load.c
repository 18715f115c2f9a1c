/*
 * Verifies loading: a filter comes back whole however its bytes are cut; of a reader or an
 * allocator that fails comes the status that fits, no filter and no leak; and no more memory is
 * used than the bytes that came are worth. What becomes of bytes that are no filter is in
 * test_hostile.c.
 */
#include "allocators.h"
#include "elements.h"
#include "grid.h"
#include "tape.h"

/* ---- Whole filters -------------------------------------------------------------------------- */

static void require_loaded_in_pieces(uint64_t buckets, uint32_t tag_bits, uint32_t window) {
    struct guira *f = filter_of(buckets, tag_bits, window);
    (void)fill(f, 0, buckets);
    struct tape tape = tape_of(f);
    for (tape.most = 1; tape.most <= tape.length + 1; tape.most++) {
        struct guira *loaded = filter_of_tape(&tape);
        require_same(f, loaded);
        guira_destroy(loaded);
    }
    tape_free(&tape);
    guira_destroy(f);
}

static void readers_may_give_as_little_as_they_like(void **state) {
    (void)state;
    require_loaded_in_pieces(2, 8, 8);
    require_loaded_in_pieces(13, 12, 2);
    require_loaded_in_pieces(40, 16, 3);
    require_loaded_in_pieces(60, 32, 1);
}

static void no_byte_after_the_filter_is_read(void **state) {
    (void)state;
    struct tape one = small_tape();
    struct tape two = tape_copy(&one);
    assert_int_equal(tape_write(&two, one.bytes, one.length), 0);
    assert_int_equal(tape_write(&two, "more", 4), 0);
    for (two.most = 1; two.most < 300; two.most += 7) {
        struct guira *f = NULL;
        struct guira *g = NULL;
        assert_int_equal(tape_load(&two, NULL, &f), GUIRA_OK);
        assert_int_equal(two.at, one.length);
        assert_int_equal(guira_load(NULL, tape_read, &two, &g), GUIRA_OK);
        assert_int_equal(two.at, 2 * one.length);
        require_same(f, g);
        guira_destroy(g);
        guira_destroy(f);
    }
    tape_free(&two);
    tape_free(&one);
}

static void a_loaded_filter_goes_on_as_the_saved_one_would(void **state) {
    (void)state;
    static const uint32_t stripes[] = {0, 1, 2, 7, 40, 65536};
    for (size_t i = 0; i < sizeof stripes / sizeof stripes[0]; i++) {
        struct guira *f = filter_of(1000, 9, 3);
        (void)fill(f, 0, 3000);
        struct tape tape = tape_of(f);
        struct guira_load_options options = {.stripes = stripes[i], .single_writer = i % 2 == 1};
        struct guira *loaded = NULL;
        struct guira_info info;
        assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
        assert_int_equal(guira_get_info(loaded, &info), GUIRA_OK);
        assert_int_equal(info.single_writer, options.single_writer);
        assert_false(info.read_only);
        assert_true(stripes[i] == 0 || info.sizing.stripes <= stripes[i]);
        assert_true(stripes[i] < 2 || info.sizing.stripes > 1);
        for (uint64_t key = 0; key < 3000; key++) {
            assert_true(guira_contains_u64(loaded, scrambled(key)));
        }
        for (uint64_t key = 0; key < 1000; key++) {
            assert_int_equal(guira_remove_u64(loaded, scrambled(key)), GUIRA_OK);
        }
        require_sound(loaded);
        uint64_t more = fill(loaded, 5000, UINT64_MAX);
        assert_true(more > 1000);
        assert_int_equal(guira_size(loaded), 2000 + more);
        require_sound(loaded);
        tape_free(&tape);
        guira_destroy(loaded);
        guira_destroy(f);
    }
}

static void capacity_and_search_budget_come_from_the_file_or_the_options(void **state) {
    (void)state;
    struct guira *f = filter_with(
        (struct guira_options){.capacity = 1000, .false_positive_rate = 0.01, .search_budget = 77});
    struct tape tape = tape_of(f);
    struct guira_load_options options = {.search_budget = 99};
    struct guira *loaded = NULL;
    struct guira_info info;
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
    assert_int_equal(guira_get_info(loaded, &info), GUIRA_OK);
    assert_int_equal(info.search_budget, 99);
    assert_int_equal(info.sizing.capacity, 1000);
    guira_destroy(loaded);
    loaded = filter_of_tape(&tape);
    require_same(f, loaded);
    guira_destroy(loaded);
    tape_free(&tape);
    guira_destroy(f);
}

static uint64_t first_byte(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    (void)seed;
    return length == 0 ? 0 : *(const uint8_t *)key;
}

static void byte_strings_need_the_hash_that_made_them(void **state) {
    (void)state;
    const struct guira_hash_function ours = {first_byte, NULL, 2000};
    struct guira *f = filter_with(
        (struct guira_options){.buckets = 100, .tag_bits = 16, .window = 2, .hash = ours});
    assert_int_equal(guira_insert(f, "abc", 3), GUIRA_OK);
    struct tape tape = tape_of(f);
    struct guira_load_options options = {.hash = ours};
    struct guira *loaded = NULL;
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
    require_same(f, loaded);
    assert_true(guira_contains(loaded, "axy", 3));
    guira_destroy(loaded);
    loaded = NULL;
    options.hash.identity = 2001;
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OTHER_HASH);
    assert_int_equal(refusal_of(&tape), GUIRA_OTHER_HASH);
    tape_put_32(&tape, TAPE_HASH, 2); /* a hash that a later version may bring */
    tape_sign(&tape);
    assert_int_equal(refusal_of(&tape), GUIRA_OTHER_HASH);
    tape_free(&tape);
    tape = small_tape();
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OTHER_HASH);
    assert_null(loaded);
    tape_free(&tape);
    guira_destroy(f);
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* Tag bits and window of which a table of almost 2^60 buckets is possible somewhere. */
static void promise_buckets(struct tape *tape, uint64_t buckets) {
    tape_put_64(tape, TAPE_BUCKETS, buckets);
    tape_put_32(tape, TAPE_TAG_BITS, 4);
    tape_put_32(tape, TAPE_WINDOW, 16);
    tape_put_64(tape, TAPE_FINGERPRINTS, 7);
    tape_sign(tape);
}

static void a_header_that_promises_much_costs_little(void **state) {
    (void)state;
    static const struct {
        uint64_t buckets;
        enum guira_status status;
    } promises[] = {
        {UINT64_C(1) << 29, GUIRA_TRUNCATED}, /* 2^32 bytes */
        {UINT64_C(1) << 37, GUIRA_TRUNCATED}, {UINT64_C(1) << 55, GUIRA_TRUNCATED},
        {UINT64_C(1) << 60, GUIRA_TOO_LARGE}, /* 2^63 bytes */
        {UINT64_C(1) << 61, GUIRA_TOO_LARGE}, {UINT64_C(1) << 62, GUIRA_IMPOSSIBLE_HEADER}};
    struct tape tape = small_tape();
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
        struct counting counting = {0};
        struct guira_load_options options = {.allocator = counting_allocator(&counting)};
        struct guira *f = NULL;
        promise_buckets(&tape, promises[i].buckets);
        bool fits = promises[i].buckets * 8 <= SIZE_MAX / 4;
        enum guira_status expected = fits || promises[i].status == GUIRA_IMPOSSIBLE_HEADER
                                         ? promises[i].status
                                         : GUIRA_TOO_LARGE;
        assert_int_equal(tape_load(&tape, &options, &f), expected);
        assert_null(f);
        assert_in_range(counting.peak, 0, 1u << 20);
        assert_int_equal(counting.live, 0);
        assert_false(counting.mismatch);
    }
    tape_free(&tape);
}

static void memory_stays_below_three_times_what_came(void **state) {
    (void)state;
    struct guira *f = filter_of(1300001, 12, 2); /* some 10 MiB */
    (void)fill(f, 0, 1000);
    struct tape tape = tape_of(f);
    size_t whole = tape.length;
    for (size_t length = TAPE_HEADER; length < whole; length += 997000) {
        struct counting counting = {0};
        struct guira_load_options options = {.allocator = counting_allocator(&counting)};
        struct guira *loaded = NULL;
        tape.length = length;
        assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_TRUNCATED);
        require(counting.peak <= 3 * length + (1u << 20), "%zu of %zu: %zu", length, whole,
                counting.peak);
        assert_int_equal(counting.live, 0);
        assert_false(counting.mismatch);
    }
    tape.length = whole;
    struct guira *loaded = filter_of_tape(&tape);
    require_same(f, loaded);
    guira_destroy(loaded);
    tape_free(&tape);
    guira_destroy(f);
}

/* Sizes around those at which the room grows. */
static void a_whole_load_takes_at_most_one_and_a_half_tables(void **state) {
    (void)state;
    static const uint64_t buckets[] = {1000,   131072, 131080, 200000, 262144,
                                       262152, 524280, 524300, 700000, 1300001};
    for (size_t i = 0; i < sizeof buckets / sizeof buckets[0]; i++) {
        struct guira *f = filter_of(buckets[i], 12, 2);
        struct tape tape = tape_of(f);
        struct counting counting = {0};
        struct guira_load_options options = {.allocator = counting_allocator(&counting)};
        struct guira *loaded = NULL;
        struct guira_info info;
        assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
        assert_int_equal(guira_get_info(loaded, &info), GUIRA_OK);
        uint64_t table = info.sizing.table_bytes;
        uint64_t half = table / 2 + 64;
        uint64_t block = info.sizing.allocated_bytes - table;
        require(counting.peak <= table + (half > block ? half : block), "%llu buckets: %zu",
                (unsigned long long)buckets[i], counting.peak);
        guira_destroy(loaded);
        tape_free(&tape);
        guira_destroy(f);
    }
}

static void require_allocation_failures(struct tape *tape, bool misaligned) {
    enum guira_status expected = misaligned ? GUIRA_BAD_ALLOCATOR : GUIRA_NO_MEMORY;
    enum guira_status status = expected;
    unsigned n = 0;
    while (status != GUIRA_OK) {
        n++;
        struct counting counting = {.fail_at = misaligned ? 0 : n,
                                    .misalign_at = misaligned ? n : 0};
        struct guira_load_options options = {.allocator = counting_allocator(&counting)};
        struct guira *f = NULL;
        status = tape_load(tape, &options, &f);
        assert_true(status == GUIRA_OK || status == expected);
        assert_int_equal(f != NULL, status == GUIRA_OK);
        assert_int_equal(counting.live, status == GUIRA_OK ? 2 : 0);
        guira_destroy(f);
        assert_int_equal(counting.live, 0);
        assert_false(counting.mismatch);
    }
    assert_true(n > 2);
}

static void whichever_allocation_fails_nothing_is_leaked(void **state) {
    (void)state;
    struct guira *f = filter_of(400000, 12, 2); /* more than what is believed at once */
    struct tape large = tape_of(f);
    struct tape small = small_tape();
    for (int misaligned = 0; misaligned < 2; misaligned++) {
        require_allocation_failures(&large, misaligned);
        require_allocation_failures(&small, misaligned);
    }
    tape_free(&small);
    tape_free(&large);
    guira_destroy(f);
}

/* ---- Readers that fail, and arguments ------------------------------------------------------- */

/* A peer that sends something short and waits for an answer is not waited for. */
static void other_data_are_known_by_their_first_eight_bytes(void **state) {
    (void)state;
    uint8_t bytes[] = "no filter here";
    struct tape tape = {.bytes = bytes, .length = sizeof bytes, .most = 1};
    assert_int_equal(refusal_of(&tape), GUIRA_NOT_A_FILTER);
    assert_int_equal(tape.at, 8);
}

static void whichever_call_of_the_reader_fails_or_lies_nothing_is_leaked(void **state) {
    (void)state;
    static const ptrdiff_t lies[] = {-1, PTRDIFF_MIN, 1, 1000000};
    struct tape tape = small_tape();
    tape.most = 10;
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        enum guira_status status = GUIRA_CALLBACK_FAILED;
        tape.lie = lies[i];
        for (tape.fail_at = 1; status != GUIRA_OK; tape.fail_at++) {
            struct counting counting = {0};
            struct guira_load_options options = {.allocator = counting_allocator(&counting)};
            struct guira *f = NULL;
            status = tape_load(&tape, &options, &f);
            assert_true(status == GUIRA_OK || status == GUIRA_CALLBACK_FAILED);
            assert_int_equal(tape.calls, status == GUIRA_OK ? tape.fail_at - 1 : tape.fail_at);
            assert_int_equal(f != NULL, status == GUIRA_OK);
            guira_destroy(f);
            assert_int_equal(counting.live, 0);
        }
        assert_true(tape.fail_at > 20);
    }
    tape_free(&tape);
}

/* In the order in which guira_load names them. */
static void wrong_arguments_are_refused_before_anything_is_read(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira_allocator half = counting_allocator(&counting);
    half.release = NULL;
    const struct {
        struct guira_load_options options;
        enum guira_status status;
    } wrong[] = {
        {{.stripes = GUIRA_MAX_STRIPES + 1}, GUIRA_BAD_STRIPES},
        {{.search_budget = GUIRA_MAX_SEARCH_BUDGET + 1}, GUIRA_BAD_SEARCH_BUDGET},
        {{.hash = {first_byte, NULL, 0}}, GUIRA_BAD_HASH},
        {{.hash = {NULL, NULL, 2000}}, GUIRA_BAD_HASH},
        {{.allocator = half}, GUIRA_BAD_ALLOCATOR},
        {{.reserved = {0, 0, 0, 1}}, GUIRA_BAD_RESERVED},
    };
    struct tape tape = small_tape();
    struct guira *f = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(tape_load(&tape, &wrong[i].options, &f), wrong[i].status);
        assert_int_equal(guira_load_fd(&wrong[i].options, -1, &f), wrong[i].status);
        assert_int_equal(guira_load_file(&wrong[i].options, "/", &f), wrong[i].status);
        assert_int_equal(guira_map_file(&wrong[i].options, "/", &f), wrong[i].status);
    }
    /* From the last on, one wrong option after the other comes to those behind it. */
    struct guira_load_options all = wrong[5].options;
    all.allocator = half;
    assert_int_equal(tape_load(&tape, &all, &f), GUIRA_BAD_ALLOCATOR);
    all.hash = wrong[3].options.hash;
    assert_int_equal(tape_load(&tape, &all, &f), GUIRA_BAD_HASH);
    all.search_budget = GUIRA_MAX_SEARCH_BUDGET + 1;
    assert_int_equal(tape_load(&tape, &all, &f), GUIRA_BAD_SEARCH_BUDGET);
    all.stripes = GUIRA_MAX_STRIPES + 1;
    assert_int_equal(tape_load(&tape, &all, &f), GUIRA_BAD_STRIPES);
    assert_int_equal(tape_load(&tape, &all, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(tape_load(&tape, NULL, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_load(NULL, NULL, &tape, &f), GUIRA_NULL_ARGUMENT);
    assert_int_equal(tape.calls, 0);
    assert_null(f);
    tape_free(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_may_give_as_little_as_they_like),
        cmocka_unit_test(no_byte_after_the_filter_is_read),
        cmocka_unit_test(a_loaded_filter_goes_on_as_the_saved_one_would),
        cmocka_unit_test(capacity_and_search_budget_come_from_the_file_or_the_options),
        cmocka_unit_test(byte_strings_need_the_hash_that_made_them),
        cmocka_unit_test(a_header_that_promises_much_costs_little),
        cmocka_unit_test(memory_stays_below_three_times_what_came),
        cmocka_unit_test(a_whole_load_takes_at_most_one_and_a_half_tables),
        cmocka_unit_test(whichever_allocation_fails_nothing_is_leaked),
        cmocka_unit_test(other_data_are_known_by_their_first_eight_bytes),
        cmocka_unit_test(whichever_call_of_the_reader_fails_or_lies_nothing_is_leaked),
        cmocka_unit_test(wrong_arguments_are_refused_before_anything_is_read),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
