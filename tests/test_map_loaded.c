/*
 * Verifies guira_map_file on machines that cannot map (compiled with GUIRA_CANNOT_MAP): the filter
 * is loaded, into memory of its own, and is read-only all the same.
 */
#include <unistd.h>

#include "allocators.h"
#include "folder.h"
#include "test.h"

static void what_cannot_be_mapped_is_loaded_and_read_only(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira_load_options options = {
        .unverified = true, .stripes = 8, .allocator = counting_allocator(&counting)};
    struct guira *f = filled(0, 3000);
    struct guira *mapped = NULL;
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    assert_int_equal(guira_map_file(&options, folder.file, &mapped), GUIRA_OK);
    assert_int_equal(unlink(folder.file), 0);
    struct guira_info info;
    assert_int_equal(guira_get_info(mapped, &info), GUIRA_OK);
    assert_true(info.read_only && info.single_writer);
    assert_int_equal(info.sizing.stripes, 1);
    assert_int_equal(info.sizing.allocated_bytes, counting.bytes);
    assert_true(info.sizing.allocated_bytes > info.sizing.table_bytes);
    assert_int_equal(guira_insert_u64(mapped, 1), GUIRA_READ_ONLY);
    assert_int_equal(guira_insert_unique_u64(mapped, 1), GUIRA_READ_ONLY);
    assert_int_equal(guira_remove_u64(mapped, scrambled(0)), GUIRA_READ_ONLY);
    assert_int_equal(guira_clear(mapped), GUIRA_READ_ONLY);
    assert_int_equal(guira_verify(mapped), GUIRA_OK);
    assert_true(has_filled(mapped, 0, 3000));
    require_same(f, mapped);
    guira_destroy(mapped);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
    guira_destroy(f);
}

static void bad_files_are_refused_at_once(void **state) {
    (void)state;
    struct tape tape = small_tape();
    const struct guira_load_options options = {.unverified = true};
    struct guira *mapped = NULL;
    tape.bytes[TAPE_HEADER] ^= 1;
    write_file(folder.file, &tape);
    assert_int_equal(guira_map_file(&options, folder.file, &mapped), GUIRA_BAD_CHECKSUM);
    tape.bytes[TAPE_HEADER] ^= 1;
    assert_int_equal(tape_write(&tape, "x", 1), 0);
    write_file(folder.file, &tape);
    assert_int_equal(guira_map_file(&options, folder.file, &mapped), GUIRA_TRAILING_BYTES);
    assert_null(mapped);
    tape_free(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_mapped_is_loaded_and_read_only),
        cmocka_unit_test(bad_files_are_refused_at_once),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
