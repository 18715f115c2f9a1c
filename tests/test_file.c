/*
 * Verifies saving to and loading from files and descriptors: positions, pipes, other processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include "allocators.h"
#include "folder.h"
#include "test.h"

/* ---- Files and descriptors ------------------------------------------------------------------ */

static void a_file_is_the_bytes_that_a_writer_gets(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 100, 10000, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct guira *f = filled(i, sizes[i]);
        struct tape tape = tape_of(f);
        struct guira_save_options options = {.in_place = i % 2 == 1};
        assert_int_equal(guira_save_file(f, &options, folder.file), GUIRA_OK);
        assert_true(file_is(folder.file, &tape));
        struct guira *loaded = load_filter(folder.file);
        require_same(f, loaded);
        assert_true(has_filled(loaded, i, sizes[i]));
        guira_destroy(loaded);
        tape_free(&tape);
        guira_destroy(f);
    }
    assert_int_equal(files_in_folder(), 1);
}

/* Text, filter, text, filter: in a file, which has a length, and in a pipe, which has none. */
static void filters_follow_one_another(int to, int from, bool rewind) {
    struct guira *f = filled(0, 500);
    struct guira *g = filled(1000, 700);
    char text[4];
    assert_int_equal(write(to, "head", 4), 4);
    assert_int_equal(guira_save_fd(f, NULL, to), GUIRA_OK);
    assert_int_equal(write(to, "then", 4), 4);
    assert_int_equal(guira_save_fd(g, NULL, to), GUIRA_OK);
    assert_int_equal(write(to, "tail", 4), 4);
    assert_true(!rewind || lseek(from, 0, SEEK_SET) == 0);
    struct guira *one = NULL;
    struct guira *two = NULL;
    assert_int_equal(read(from, text, 4), 4);
    assert_memory_equal(text, "head", 4);
    assert_int_equal(guira_load_fd(NULL, from, &one), GUIRA_OK);
    assert_int_equal(read(from, text, 4), 4);
    assert_memory_equal(text, "then", 4);
    assert_int_equal(guira_load_fd(NULL, from, &two), GUIRA_OK);
    assert_int_equal(read(from, text, 4), 4);
    assert_memory_equal(text, "tail", 4);
    require_same(f, one);
    require_same(g, two);
    guira_destroy(two);
    guira_destroy(one);
    guira_destroy(g);
    guira_destroy(f);
}

static void descriptors_are_used_from_their_position_on(void **state) {
    (void)state;
    int fd = open(folder.file, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    filters_follow_one_another(fd, fd, true);
    (void)close(fd);
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    filters_follow_one_another(pipes[1], pipes[0], false);
    (void)close(pipes[0]);
    (void)close(pipes[1]);
}

static int save_ten_thousand(const void *context) {
    struct guira_options options = {.capacity = 10000, .false_positive_rate = 0.001};
    struct guira *f = NULL;
    bool ok = guira_create(&options, &f) == GUIRA_OK; /* with a seed of its own */
    for (uint64_t i = 0; ok && i < 10000; i++) {
        ok = guira_insert_u64(f, i) == GUIRA_OK && guira_insert(f, &i, 3) == GUIRA_OK;
        ok = ok && guira_remove(f, &i, 3) == GUIRA_OK;
    }
    ok = ok && guira_insert(f, "key", 3) == GUIRA_OK;
    ok = ok && guira_save_file(f, NULL, context) == GUIRA_OK;
    guira_destroy(f);
    return ok ? 0 : 1;
}

static void keys_of_one_process_are_found_in_another(void **state) {
    (void)state;
    assert_int_equal(in_another_process(save_ten_thousand, folder.file), 0);
    struct guira *f = load_filter(folder.file);
    for (uint64_t i = 0; i < 10000; i++) {
        assert_true(guira_contains_u64(f, i));
    }
    assert_true(guira_contains(f, "key", 3));
    assert_int_equal(guira_size(f), 10001);
    uint64_t false_positives = 0;
    for (uint64_t i = 10000; i < 30000; i++) {
        false_positives += guira_contains_u64(f, i);
    }
    assert_in_range(false_positives, 0, 60); /* 20 are expected */
    guira_destroy(f);
}

/* A named pipe has no length, so what follows the filter must be read to be seen. */
static void what_follows_in_a_named_pipe_is_noticed(void **state) {
    (void)state;
    char path[MAX_PATH_BYTES];
    assert_int_equal(mkfifo(path_in_folder("pipe", path), 0600), 0);
    struct tape tape = small_tape();
    for (size_t more = 0; more < 3; more++) {
        pid_t child = fork();
        if (child == 0) {
            int fd = open(path, O_WRONLY);
            bool ok = write(fd, tape.bytes, tape.length) == (ssize_t)tape.length;
            _exit(ok && write(fd, "xx", more) == (ssize_t)more ? 0 : 1);
        }
        struct guira *f = NULL;
        enum guira_status status = guira_load_file(NULL, path, &f);
        assert_int_equal(status, more == 0 ? GUIRA_OK : GUIRA_TRAILING_BYTES);
        int child_status = -1;
        assert_int_equal(waitpid(child, &child_status, 0), child);
        assert_int_equal(child_status, 0);
        guira_destroy(f);
    }
    tape_free(&tape);
    (void)unlink(path);
}

/* Too few bytes after the position, though not in the file; and none, past its end. */
static void load_after_text(const struct guira_load_options *options, const struct tape *part) {
    enum { BEFORE = 200 };
    struct guira *out = NULL;
    struct tape all = {0};
    uint8_t text[BEFORE] = {0};
    char path[MAX_PATH_BYTES];
    (void)tape_write(&all, text, BEFORE);
    (void)tape_write(&all, part->bytes, part->length);
    write_file(path_in_folder("longer", path), &all);
    int fd = open(path, O_RDONLY);
    assert_int_equal(lseek(fd, BEFORE, SEEK_SET), BEFORE);
    assert_int_equal(guira_load_fd(options, fd, &out), GUIRA_TRUNCATED);
    assert_true(lseek(fd, 1000, SEEK_END) > 1000);
    assert_int_equal(guira_load_fd(options, fd, &out), GUIRA_TRUNCATED);
    (void)close(fd);
    (void)unlink(path);
    tape_free(&all);
}

static void a_file_that_is_too_short_costs_no_memory(void **state) {
    (void)state;
    struct guira *f = filled(0, 10000);
    struct tape tape = tape_of(f);
    for (size_t length = 0; length < tape.length; length += 100) {
        struct counting counting = {0};
        struct guira_load_options options = {.allocator = counting_allocator(&counting)};
        struct guira *out = NULL;
        struct tape part = tape;
        part.length = length;
        write_file(folder.file, &part);
        assert_int_equal(guira_load_file(&options, folder.file, &out), GUIRA_TRUNCATED);
        int fd = open(folder.file, O_RDONLY);
        assert_int_equal(guira_load_fd(&options, fd, &out), GUIRA_TRUNCATED);
        (void)close(fd);
        load_after_text(&options, &part);
        assert_int_equal(guira_map_file(&options, folder.file, &out), GUIRA_TRUNCATED);
        assert_int_equal(counting.calls, 0);
    }
    tape_free(&tape);
    guira_destroy(f);
}

/* All ways to load the folder's file give this status, and take no memory unless it is GUIRA_OK. */
static void require_by_all_ways(uint64_t max_table_bytes, enum guira_status expected) {
    struct counting counting = {0};
    struct guira_load_options options = {.max_table_bytes = max_table_bytes,
                                         .allocator = counting_allocator(&counting)};
    struct guira *out[3] = {NULL, NULL, NULL};
    int fd = open(folder.file, O_RDONLY);
    assert_int_equal(guira_load_fd(&options, fd, &out[0]), expected);
    (void)close(fd);
    assert_int_equal(guira_load_file(&options, folder.file, &out[1]), expected);
    assert_int_equal(guira_map_file(&options, folder.file, &out[2]), expected);
    assert_true(expected == GUIRA_OK || counting.calls == 0);
    for (int i = 0; i < 3; i++) {
        assert_true((out[i] != NULL) == (expected == GUIRA_OK));
        guira_destroy(out[i]);
    }
}

static void a_table_above_the_limit_is_too_large(void **state) {
    (void)state;
    enum { BYTES = 13 * 8 }; /* of the table */
    struct tape tape = small_tape();
    write_file(folder.file, &tape);
    require_by_all_ways(1, GUIRA_TOO_LARGE);
    require_by_all_ways(BYTES - 1, GUIRA_TOO_LARGE);
    require_by_all_ways(BYTES, GUIRA_OK);
    require_by_all_ways(UINT64_MAX, GUIRA_OK);
    struct guira_load_options options = {.max_table_bytes = BYTES - 1};
    struct guira *out = NULL;
    assert_int_equal(tape_load(&tape, &options, &out), GUIRA_TOO_LARGE);
    assert_null(out);
    options.max_table_bytes = BYTES;
    assert_int_equal(tape_load(&tape, &options, &out), GUIRA_OK);
    guira_destroy(out);
    tape_free(&tape);
}

/* A file with a hole has the length that its header promises, and takes no room on the disk. */
static void a_limit_keeps_sparse_files_from_taking_memory(void **state) {
    (void)state;
    const uint64_t buckets = UINT64_C(1) << 27; /* 1 GiB */
    struct tape tape = small_tape();
    tape_put_64(&tape, TAPE_BUCKETS, buckets);
    tape_sign(&tape);
    tape.length = TAPE_HEADER;
    write_file(folder.file, &tape);
    assert_int_equal(truncate(folder.file, (off_t)(TAPE_HEADER + 8 * buckets + TAPE_END)), 0);
    require_by_all_ways(8 * buckets - 1, GUIRA_TOO_LARGE);
    (void)unlink(folder.file);
    tape_free(&tape);
}

static void full_disks_and_closed_pipes_are_reported(void **state) {
    (void)state;
    struct guira *f = filled(0, 100000);
    struct guira *out = NULL;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    (void)close(pipes[0]);
    assert_int_equal(guira_save_fd(f, NULL, pipes[1]), GUIRA_IO_FAILED);
    assert_int_equal(errno, EPIPE);
    (void)close(pipes[1]);
    (void)signal(SIGPIPE, before);
    int full = open("/dev/full", O_WRONLY);
    assert_int_equal(guira_save_fd(f, NULL, full), GUIRA_IO_FAILED);
    assert_int_equal(errno, ENOSPC);
    (void)close(full);
    assert_int_equal(guira_save_fd(f, NULL, -1), GUIRA_IO_FAILED);
    assert_int_equal(errno, EBADF);
    assert_int_equal(guira_load_fd(NULL, -1, &out), GUIRA_IO_FAILED);
    assert_int_equal(errno, EBADF);
    assert_null(out);
    guira_destroy(f);
}

static void null_is_refused(void **state) {
    (void)state;
    struct guira *f = filled(0, 10);
    struct guira *out = NULL;
    assert_int_equal(guira_save_fd(NULL, NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_save_file(NULL, NULL, folder.file), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_save_file(f, NULL, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_load_fd(NULL, 0, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_load_file(NULL, NULL, &out), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_load_file(NULL, folder.file, NULL), GUIRA_NULL_ARGUMENT);
    const struct guira_save_options options = {.reserved = {1}};
    unsigned files = files_in_folder();
    assert_int_equal(guira_save_file(f, &options, folder.file), GUIRA_BAD_RESERVED);
    assert_int_equal(guira_save_file(f, &options, "/no/such/folder"), GUIRA_BAD_RESERVED);
    assert_int_equal(files_in_folder(), files);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_the_bytes_that_a_writer_gets),
        cmocka_unit_test(descriptors_are_used_from_their_position_on),
        cmocka_unit_test(keys_of_one_process_are_found_in_another),
        cmocka_unit_test(what_follows_in_a_named_pipe_is_noticed),
        cmocka_unit_test(a_file_that_is_too_short_costs_no_memory),
        cmocka_unit_test(a_table_above_the_limit_is_too_large),
        cmocka_unit_test(a_limit_keeps_sparse_files_from_taking_memory),
        cmocka_unit_test(full_disks_and_closed_pipes_are_reported),
        cmocka_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
