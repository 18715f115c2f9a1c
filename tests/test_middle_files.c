/*
 * Verifies files of filters that grow: saved, loaded and mapped in mid-growth they are what they
 * were, and what is loaded goes on to grow; whatever is wrong with one has its status.
 */
#include <unistd.h>

#include "allocators.h"
#include "folder.h"
#include "middle.h"
#include "test.h"

static void a_filter_in_mid_growth_is_saved_and_loaded(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    assert_int_equal(tape.length, guira_saved_size(m.filter));
    assert_int_equal(tape.length, TAPE_HEADER + 8 * (128 + 64) + TAPE_END);
    struct guira *loaded = filter_of_tape(&tape);
    require_same(m.filter, loaded);
    assert_true(is_growing(loaded));
    struct tape again = tape_of(loaded);
    assert_int_equal(again.length, tape.length);
    assert_memory_equal(again.bytes, tape.bytes, tape.length);
    require_goes_on(loaded, &m);
    assert_true(holds_middle(m.filter, &m));
    tape_free(&again);
    tape_free(&tape);
    guira_destroy(loaded);
    middle_end(&m);
}

static void saved_in_place_it_has_the_same_bytes(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    struct tape in_place = {0};
    const struct guira_save_options options = {.in_place = true};
    assert_int_equal(guira_save(m.filter, &options, tape_write, &in_place), GUIRA_OK);
    assert_int_equal(in_place.length, tape.length);
    assert_memory_equal(in_place.bytes, tape.bytes, tape.length);
    assert_false(is_locked(m.filter));
    tape_free(&in_place);
    tape_free(&tape);
    middle_end(&m);
}

static void a_file_of_any_level_is_a_filter_that_grows(void **state) {
    (void)state;
    struct guira *f = filter_with(middle_options());
    uint64_t in = 0;
    uint32_t stills = 0;
    uint32_t levels = 0;
    for (bool was_growing = false; guira_insert_u64(f, scrambled(in)) == GUIRA_OK; in++) {
        if (is_growing(f) == was_growing) {
            continue;
        }
        was_growing = !was_growing;
        struct tape tape = tape_of(f);
        struct guira *loaded = filter_of_tape(&tape);
        require_same(f, loaded);
        assert_int_equal(tape_get_32(&tape, TAPE_FLAGS), 1);
        levels = tape_get_32(&tape, TAPE_LEVELS);
        stills += !was_growing;
        assert_int_equal(tape_get_32(&tape, TAPE_FROM), stills);
        assert_int_equal(tape_get_32(&tape, TAPE_LEVEL), stills + was_growing);
        for (uint64_t i = in; guira_insert_u64(loaded, scrambled(i)) == GUIRA_OK; i++) {
            continue;
        }
        assert_true(guira_size(loaded) >= guira_capacity(loaded));
        require_sound(loaded);
        for (uint64_t i = 0; i < in; i++) {
            assert_true(guira_contains_u64(loaded, scrambled(i)));
        }
        guira_destroy(loaded);
        tape_free(&tape);
    }
    assert_int_equal(stills + 1, levels);
    guira_destroy(f);
}

static void the_number_of_stripes_is_the_loaders(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    for (uint32_t stripes = 1; stripes <= 64; stripes += 9) {
        const struct guira_load_options options = {.stripes = stripes,
                                                   .single_writer = stripes % 2 == 0};
        struct guira *loaded = NULL;
        assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
        assert_true(holds_middle(loaded, &m));
        require_goes_on(loaded, &m);
        guira_destroy(loaded);
    }
    tape_free(&tape);
    middle_end(&m);
}

static void the_limit_of_bytes_is_for_both_tables(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    write_file(folder.file, &tape);
    struct guira_load_options options = {.max_table_bytes = tape.length - TAPE_HEADER - TAPE_END};
    struct guira *loaded = NULL;
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
    guira_destroy(loaded);
    assert_int_equal(guira_map_file(&options, folder.file, &loaded), GUIRA_OK);
    guira_destroy(loaded);
    options.max_table_bytes--;
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_TOO_LARGE);
    assert_int_equal(guira_load_file(&options, folder.file, &loaded), GUIRA_TOO_LARGE);
    assert_int_equal(guira_map_file(&options, folder.file, &loaded), GUIRA_TOO_LARGE);
    tape_free(&tape);
    middle_end(&m);
}

static void what_an_allocator_refuses_leaves_nothing_behind(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    struct counting counting = {0};
    const struct guira_load_options options = {.allocator = counting_allocator(&counting)};
    struct guira *loaded = NULL;
    for (unsigned n = 1; n <= 3; n++) { /* two tables and a block */
        counting.fail_at = counting.calls + n;
        assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_NO_MEMORY);
        assert_null(loaded);
        assert_int_equal(counting.live, 0);
    }
    counting.fail_at = 0;
    assert_int_equal(tape_load(&tape, &options, &loaded), GUIRA_OK);
    assert_int_equal(counting.live, 3);
    guira_destroy(loaded);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
    tape_free(&tape);
    middle_end(&m);
}

/* ---- Mapped ---------------------------------------------------------------------------------- */

static void require_refuses_changes(struct guira *f, uint64_t hash) {
    struct guira_keys keys = guira_keys_uniform(&hash, 1);
    enum guira_status result = GUIRA_OK;
    assert_int_equal(guira_insert_uniform(f, hash), GUIRA_READ_ONLY);
    assert_int_equal(guira_insert_unique_uniform(f, hash), GUIRA_READ_ONLY);
    assert_int_equal(guira_remove_uniform(f, hash), GUIRA_READ_ONLY);
    assert_int_equal(guira_insert_batch(f, keys, &result), GUIRA_PARTIAL);
    assert_int_equal(result, GUIRA_READ_ONLY);
    assert_int_equal(guira_remove_batch(f, keys, &result), GUIRA_PARTIAL);
    assert_int_equal(guira_reserve(f, 1), GUIRA_READ_ONLY);
    assert_int_equal(guira_clear(f), GUIRA_READ_ONLY);
    assert_int_equal(guira_merge(f, f), GUIRA_READ_ONLY);
}

static void a_filter_in_mid_growth_is_mapped(void **state) {
    (void)state;
    struct middle m = some_middle();
    assert_int_equal(guira_save_file(m.filter, NULL, folder.file), GUIRA_OK);
    for (int unverified = 0; unverified < 2; unverified++) {
        const struct guira_load_options options = {.unverified = unverified == 1};
        struct guira *mapped = NULL;
        assert_int_equal(guira_map_file(&options, folder.file, &mapped), GUIRA_OK);
        assert_true(holds_middle(mapped, &m));
        require_same(m.filter, mapped);
        require_refuses_changes(mapped, m.hashes[0]);
        struct guira_info info;
        assert_int_equal(guira_get_info(mapped, &info), GUIRA_OK);
        assert_int_equal(info.sizing.table_bytes, 8 * (128 + 64));
        assert_true(info.sizing.allocated_bytes < 10000 && info.left_bytes == 0);
        assert_int_equal(guira_verify(mapped), GUIRA_OK);

        struct guira *copy = NULL; /* which is in memory, and goes on to grow */
        assert_int_equal(guira_clone(mapped, &copy), GUIRA_OK);
        struct tape tape = tape_of(mapped);
        assert_true(file_is(folder.file, &tape));
        tape_free(&tape);
        guira_destroy(mapped);
        require_goes_on(copy, &m);
        guira_destroy(copy);
    }
    middle_end(&m);
}

static void a_bad_word_of_either_table_is_found_when_it_is_verified(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    for (size_t at = TAPE_HEADER; at < tape.length - TAPE_END; at += 8) {
        struct tape bad = tape_copy(&tape);
        memset(bad.bytes + at, 0xff, 8);
        write_file(folder.file, &bad);
        const struct guira_load_options options = {.unverified = true};
        struct guira *mapped = NULL;
        assert_int_equal(guira_map_file(&options, folder.file, &mapped), GUIRA_OK);
        assert_int_equal(guira_verify(mapped), GUIRA_BAD_CHECKSUM);
        guira_destroy(mapped);
        assert_int_equal(refusal_of(&bad), GUIRA_BAD_CHECKSUM);
        tape_sign(&bad);
        assert_int_equal(refusal_of(&bad), GUIRA_IMPOSSIBLE_TAG);
        tape_free(&bad);
    }
    tape_free(&tape);
    middle_end(&m);
}

/* ---- Hostile --------------------------------------------------------------------------------- */

static enum guira_status with_32(const struct tape *tape, size_t at, uint32_t value) {
    struct tape bad = tape_copy(tape);
    tape_put_32(&bad, at, value);
    tape_sign(&bad);
    enum guira_status status = refusal_of(&bad);
    tape_free(&bad);
    return status;
}

static enum guira_status with_64(const struct tape *tape, size_t at, uint64_t value) {
    struct tape bad = tape_copy(tape);
    tape_put_64(&bad, at, value);
    tape_sign(&bad);
    enum guira_status status = refusal_of(&bad);
    tape_free(&bad);
    return status;
}

static void levels_that_there_cannot_be_are_refused(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    uint32_t levels = tape_get_32(&tape, TAPE_LEVELS);
    uint64_t fingerprints = tape_get_64(&tape, TAPE_FINGERPRINTS);
    static const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {{TAPE_FLAGS, 0},          {TAPE_LEVELS, 0},
                 {TAPE_LEVELS, 1}, /* fewer than the level that is filled */
                 {TAPE_LEVELS, 32},        {TAPE_LEVELS, 33},
                 {TAPE_LEVELS, 64},        {TAPE_LEVELS, UINT32_MAX},
                 {TAPE_LEVEL, UINT32_MAX}, {TAPE_FROM, UINT32_MAX},
                 {TAPE_ZEROS_IF_GROWS, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        enum guira_status status = with_32(&tape, wrong[i].at, wrong[i].value);
        require(status == GUIRA_IMPOSSIBLE_HEADER, "%u at %zu: %s", wrong[i].value, wrong[i].at,
                guira_status_text(status));
    }
    for (size_t at = TAPE_ZEROS_IF_GROWS; at < TAPE_SIGNATURE; at += 4) {
        assert_int_equal(with_32(&tape, at, 0x80000000), GUIRA_IMPOSSIBLE_HEADER);
    }
    assert_int_equal(with_32(&tape, TAPE_LEVEL, levels), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_32(&tape, TAPE_FROM, levels), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_32(&tape, TAPE_LEVEL, levels - 1), GUIRA_TRUNCATED);
    assert_int_equal(with_32(&tape, TAPE_FLAGS, 3), GUIRA_NEWER_FORMAT);
    assert_int_equal(with_64(&tape, TAPE_FINGERPRINTS, 0), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_64(&tape, TAPE_FINGERPRINTS, fingerprints - 1), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_64(&tape, TAPE_FINGERPRINTS, UINT64_C(1) << 63), GUIRA_IMPOSSIBLE_HEADER);
    tape_free(&tape);
    middle_end(&m);
}

static void counts_are_bounded_by_both_tables_and_the_largest(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    uint64_t slots = UINT64_C(4) * (64 + 128);
    uint64_t highest = UINT64_C(4) * 64 << (tape_get_32(&tape, TAPE_LEVELS) - 1);
    assert_int_equal(with_64(&tape, TAPE_ITEMS, slots), GUIRA_WRONG_COUNT);
    assert_int_equal(with_64(&tape, TAPE_ITEMS, slots + 1), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_64(&tape, TAPE_ITEMS, UINT64_MAX), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_64(&tape, TAPE_ITEMS, guira_size(m.filter) + 1), GUIRA_WRONG_COUNT);
    assert_int_equal(with_64(&tape, TAPE_CAPACITY, highest + 1), GUIRA_IMPOSSIBLE_HEADER);
    tape_put_64(&tape, TAPE_CAPACITY, highest);
    tape_sign(&tape);
    guira_destroy(filter_of_tape(&tape));
    tape_free(&tape);
    middle_end(&m);
}

/* The highest level decides whether this machine can have such a filter. */
static void levels_beyond_all_addresses_are_too_large(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    tape_put_64(&tape, TAPE_BUCKETS, UINT64_C(1) << 31);
    tape_put_32(&tape, TAPE_TAG_BITS, 32);
    tape_put_32(&tape, TAPE_WINDOW, 2);
    tape_put_64(&tape, TAPE_FINGERPRINTS, UINT64_C(1) << 30);
    tape_put_32(&tape, TAPE_LEVELS, 31);
    tape_put_32(&tape, TAPE_LEVEL, 0);
    tape_put_32(&tape, TAPE_FROM, 0);
    tape_put_64(&tape, TAPE_ITEMS, 0);
    tape_put_64(&tape, TAPE_CAPACITY, 0);
    tape_sign(&tape);
    assert_int_equal(refusal_of(&tape), GUIRA_TOO_LARGE); /* 2^61 buckets at the highest */
    assert_int_equal(with_64(&tape, TAPE_BUCKETS, UINT64_MAX), GUIRA_IMPOSSIBLE_HEADER);
    if (sizeof(void *) == 8) {
        assert_int_equal(with_32(&tape, TAPE_LEVELS, 29), GUIRA_TRUNCATED);
    }
    tape_free(&tape);
    middle_end(&m);
}

static void wherever_the_bytes_end_or_change_no_filter_comes_of_them(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct tape tape = tape_of(m.filter);
    size_t length = tape.length;
    for (tape.length = 0; tape.length < length; tape.length++) {
        assert_int_equal(refusal_of(&tape), GUIRA_TRUNCATED);
    }
    for (size_t at = 0; at < length; at++) {
        tape.bytes[at] ^= 0x10;
        assert_int_equal(refusal_of(&tape), at < 8             ? GUIRA_NOT_A_FILTER
                                            : at < TAPE_HEADER ? GUIRA_BAD_HEADER
                                                               : GUIRA_BAD_CHECKSUM);
        tape.bytes[at] ^= 0x10;
    }
    tape_free(&tape);
    middle_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_in_mid_growth_is_saved_and_loaded),
        cmocka_unit_test(saved_in_place_it_has_the_same_bytes),
        cmocka_unit_test(a_file_of_any_level_is_a_filter_that_grows),
        cmocka_unit_test(the_number_of_stripes_is_the_loaders),
        cmocka_unit_test(the_limit_of_bytes_is_for_both_tables),
        cmocka_unit_test(what_an_allocator_refuses_leaves_nothing_behind),
        cmocka_unit_test(a_filter_in_mid_growth_is_mapped),
        cmocka_unit_test(a_bad_word_of_either_table_is_found_when_it_is_verified),
        cmocka_unit_test(levels_that_there_cannot_be_are_refused),
        cmocka_unit_test(counts_are_bounded_by_both_tables_and_the_largest),
        cmocka_unit_test(levels_beyond_all_addresses_are_too_large),
        cmocka_unit_test(wherever_the_bytes_end_or_change_no_filter_comes_of_them),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
