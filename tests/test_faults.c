/*
 * Verifies what happens when the system's calls on files fail, each of each kind, the first, the
 * second and so on: the status and errno say so, no memory, descriptor, page or temporary file is
 * left behind, and the old file is what it was. Calls that are cut short or interrupted are no
 * failures.
 */
#include "faults.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocators.h"
#include "folder.h"
#include "test.h"

enum {
    OLD_KEYS = 50,
    NEW_KEYS = 9000, /* the new file takes more than one write */
    BYTES_A_WRITE = 4096
};

static const enum call all_kinds[] = {
    CALL_OPEN,     CALL_OPENAT, CALL_READ,    CALL_WRITE,  CALL_FSYNC, CALL_CLOSE, CALL_RENAMEAT,
    CALL_UNLINKAT, CALL_FSTAT,  CALL_FSTATAT, CALL_FCHMOD, CALL_LSEEK, CALL_MMAP,  CALL_GETENTROPY};

/* ---- Saving --------------------------------------------------------------------------------- */

static bool is_ignored(enum call kind, unsigned n) {
    return kind == CALL_CLOSE && n == 2; /* of the folder, when all is done */
}

static bool is_too_late(enum call kind, unsigned n) {
    return kind == CALL_FSYNC && n == 2; /* of the folder, when the new file is in place */
}

/* One save, in which one call fails; false if there were not so many. */
static bool save_with_fault(const struct guira *f, enum call kind, unsigned n,
                            const struct tape *old, const struct tape *new) {
    write_file(folder.file, old);
    unsigned open_before = open_files();
    errno = 0;
    faults_begin((struct faults){.kind = kind, .fail_at = n, .error = EIO});
    enum guira_status status = guira_save_file(f, NULL, folder.file);
    int error = errno;
    faults_end();
    bool failed = faults.calls[kind] >= n;
    enum guira_status expected = kind == CALL_GETENTROPY ? GUIRA_NO_ENTROPY : GUIRA_IO_FAILED;
    expected = !failed || is_ignored(kind, n) ? GUIRA_OK : expected;
    require(status == expected, "%s %u: %s", name_of_call(kind), n, guira_status_text(status));
    require(status == GUIRA_OK || error == EIO, "%s %u: errno %d", name_of_call(kind), n, error);
    bool is_new = status == GUIRA_OK || is_too_late(kind, n);
    require(file_is(folder.file, is_new ? new : old), "%s %u", name_of_call(kind), n);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(open_files(), open_before);
    return failed;
}

static void whichever_call_fails_the_old_file_stays_and_nothing_else(void **state) {
    (void)state;
    struct guira *f = filled(0, OLD_KEYS);
    struct tape old = tape_of(f);
    guira_destroy(f);
    struct counting counting = {0};
    f = filter_with((struct guira_options){.capacity = NEW_KEYS,
                                           .false_positive_rate = 0.001,
                                           .allocator = counting_allocator(&counting)});
    (void)fill(f, 0, NEW_KEYS);
    struct tape new = tape_of(f);
    unsigned live = counting.live;
    unsigned kinds = 0;
    for (size_t i = 0; i < sizeof all_kinds / sizeof all_kinds[0]; i++) {
        unsigned n = 1;
        while (save_with_fault(f, all_kinds[i], n, &old, &new)) {
            assert_int_equal(counting.live, live);
            n++;
        }
        kinds += n > 1;
    }
    assert_int_equal(kinds, 9); /* all but unlinkat and what belongs to loading */
    tape_free(&old);
    tape_free(&new);
    guira_destroy(f);
    assert_false(counting.mismatch);
}

/* ---- Savers that are killed ----------------------------------------------------------------- */

/* A save by a process that is killed at one call; false if it made fewer of them. */
static bool save_and_be_killed(const struct guira *f, enum call kind, unsigned n) {
    pid_t saver = fork();
    assert_true(saver >= 0);
    if (saver == 0) {
        faults_begin(
            (struct faults){.kind = kind, .fail_at = n, .kills = true, .most = BYTES_A_WRITE});
        _exit(guira_save_file(f, NULL, folder.file) == GUIRA_OK ? 0 : 1);
    }
    int end;
    assert_int_equal(waitpid(saver, &end, 0), saver);
    assert_true(WIFSIGNALED(end) || WEXITSTATUS(end) == 0);
    return WIFSIGNALED(end);
}

/* Whether the path has the new file; if not it must have the old one. Beside it there may be one
 * unfinished file, which is removed. */
static bool is_replaced(const struct tape *old, const struct tape *new) {
    bool is_new = file_is(folder.file, new);
    assert_true(is_new || file_is(folder.file, old));
    assert_true(remove_other_files() <= 1);
    return is_new;
}

static void wherever_a_saver_is_killed_the_old_or_the_new_file_is_there_whole(void **state) {
    (void)state;
    struct guira *f = filled(0, OLD_KEYS);
    struct tape old = tape_of(f);
    guira_destroy(f);
    f = filled(0, NEW_KEYS);
    struct tape new = tape_of(f);
    unsigned kills = 0;
    unsigned replaced = 0;
    for (size_t i = 0; i < sizeof all_kinds / sizeof all_kinds[0]; i++) {
        for (unsigned n = 1;; n++) {
            write_file(folder.file, &old);
            bool killed = save_and_be_killed(f, all_kinds[i], n);
            bool is_new = is_replaced(&old, &new);
            if (!killed) {
                assert_true(is_new);
                break;
            }
            kills++;
            replaced += is_new;
        }
    }
    print_message("%u kills, %u of them after the file was replaced\n", kills, replaced);
    assert_true(kills > 10);
    assert_int_equal(replaced, 2); /* at the flush of the folder, and at its close */
    tape_free(&old);
    tape_free(&new);
    guira_destroy(f);
}

/* A system that crashes may forget all that was not flushed, so it is flushed first. */
static void the_file_is_flushed_before_it_is_renamed_and_the_folder_after(void **state) {
    (void)state;
    struct guira *f = filled(0, OLD_KEYS);
    faults_begin((struct faults){0});
    enum guira_status status = guira_save_file(f, NULL, folder.file);
    faults_end();
    assert_int_equal(status, GUIRA_OK);
    assert_int_equal(faults.calls[CALL_RENAMEAT], 1);
    assert_int_equal(faults.flushes_before_rename, 1);
    assert_int_equal(faults.calls[CALL_FSYNC], 2);
    guira_destroy(f);
}

/* ---- First saves ---------------------------------------------------------------------------- */

/* With no file there before, none is there after. */
static void a_failed_first_save_leaves_no_file(void **state) {
    (void)state;
    struct guira *f = filled(0, 10);
    static const enum call kinds[] = {CALL_OPEN,  CALL_OPENAT, CALL_WRITE,
                                      CALL_FSYNC, CALL_CLOSE,  CALL_RENAMEAT};
    (void)unlink(folder.file);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        faults_begin((struct faults){.kind = kinds[i], .fail_at = 1, .error = ENOSPC});
        enum guira_status status = guira_save_file(f, NULL, folder.file);
        int error = errno;
        faults_end();
        assert_int_equal(status, GUIRA_IO_FAILED);
        assert_int_equal(error, ENOSPC);
        assert_int_equal(files_in_folder(), 0);
    }
    guira_destroy(f);
}

static void without_memory_for_the_copy_there_is_no_file(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira *f = filter_with((struct guira_options){
        .buckets = 100, .tag_bits = 12, .window = 2, .allocator = counting_allocator(&counting)});
    unsigned open_before = open_files();
    (void)unlink(folder.file);
    counting.fail_at = counting.calls + 1;
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_NO_MEMORY);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(open_files(), open_before);
    guira_destroy(f);
}

static enum guira_status save_with(struct faults plan) {
    struct guira *f = filled(0, NEW_KEYS);
    faults_begin(plan);
    enum guira_status status = guira_save_file(f, NULL, folder.file);
    int error = errno;
    faults_end();
    struct tape tape = tape_of(f);
    assert_true(status != GUIRA_OK || file_is(folder.file, &tape));
    tape_free(&tape);
    guira_destroy(f);
    errno = error;
    return status;
}

static void names_that_are_taken_are_not_taken_again(void **state) {
    (void)state;
    struct faults taken = {.kind = CALL_OPENAT, .fail_at = 1, .error = EEXIST};
    assert_int_equal(save_with(taken), GUIRA_OK);
    assert_int_equal(faults.calls[CALL_OPENAT], 2);
    taken.and_after = true;
    assert_int_equal(save_with(taken), GUIRA_IO_FAILED);
    assert_int_equal(errno, EEXIST);
    assert_in_range(faults.calls[CALL_OPENAT], 2, 100);
}

static void a_file_with_the_temporary_s_name_is_not_touched(void **state) {
    (void)state;
    char path[MAX_PATH_BYTES];
    struct tape tape = small_tape();
    write_file(path_in_folder(".guira-1111111111111111", path), &tape);
    struct faults taken = {.same_entropy = true};
    assert_int_equal(save_with(taken), GUIRA_IO_FAILED);
    assert_int_equal(errno, EEXIST);
    assert_true(file_is(path, &tape));
    (void)unlink(path);
    assert_int_equal(save_with(taken), GUIRA_OK);
    tape_free(&tape);
}

static void file_systems_that_cannot_flush_a_folder_will_do(void **state) {
    (void)state;
    struct faults none = {.kind = CALL_FSYNC, .fail_at = 2, .error = EINVAL};
    assert_int_equal(save_with(none), GUIRA_OK);
    assert_int_equal(faults.calls[CALL_FSYNC], 2);
    struct faults closed = {.kind = CALL_CLOSE, .fail_at = 1, .error = EINTR};
    assert_int_equal(save_with(closed), GUIRA_OK);
}

static void a_write_that_takes_nothing_is_a_failure(void **state) {
    (void)state;
    assert_int_equal(save_with((struct faults){.counts_nothing = true}), GUIRA_IO_FAILED);
    assert_int_equal(errno, EIO);
}

/* ---- Short and interrupted calls ------------------------------------------------------------ */

static void short_and_interrupted_calls_are_gone_on_with(void **state) {
    (void)state;
    static const size_t most[] = {0, 1, 7, 1000};
    struct guira *f = filled(0, 700);
    struct tape tape = tape_of(f);
    for (unsigned i = 0; i < 8; i++) {
        struct faults plan = {.most = most[i % 4], .interrupted = i >= 4};
        faults_begin(plan);
        enum guira_status status = guira_save_file(f, NULL, folder.file);
        faults_end();
        assert_int_equal(status, GUIRA_OK);
        assert_true(plan.most == 0 || faults.calls[CALL_WRITE] >= tape.length / plan.most);
        assert_true(file_is(folder.file, &tape));
        struct guira *loaded = NULL;
        faults_begin(plan);
        status = guira_load_file(NULL, folder.file, &loaded);
        faults_end();
        assert_int_equal(status, GUIRA_OK);
        assert_true(plan.most == 0 || faults.calls[CALL_READ] >= tape.length / plan.most);
        require_same(f, loaded);
        guira_destroy(loaded);
        faults_begin(plan);
        status = guira_map_file(NULL, folder.file, &loaded);
        faults_end();
        assert_int_equal(status, GUIRA_OK);
        require_same(f, loaded);
        guira_destroy(loaded);
    }
    tape_free(&tape);
    guira_destroy(f);
}

/* ---- Loading and mapping -------------------------------------------------------------------- */

typedef enum guira_status (*loader)(const struct guira_load_options *options, const char *path,
                                    struct guira **out);

/* How many mappings the process has. */
static unsigned mappings(void) {
    unsigned lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    char line[1024];
    while (fgets(line, sizeof line, maps) != NULL) {
        lines += strstr(line, folder.path) != NULL;
    }
    (void)fclose(maps);
    return lines;
}

/* One load, in which one call fails; false if there were not so many. */
static bool load_with_fault(loader by, enum call kind, unsigned n) {
    struct guira *const untouched = no_filter();
    struct guira *out = untouched;
    struct counting counting = {0};
    struct guira_load_options options = {.allocator = counting_allocator(&counting)};
    unsigned open_before = open_files();
    errno = 0;
    faults_begin((struct faults){.kind = kind, .fail_at = n, .error = EIO});
    enum guira_status status = by(&options, folder.file, &out);
    int error = errno;
    faults_end();
    bool failed = faults.calls[kind] >= n;
    bool matters = failed && kind != CALL_CLOSE;
    require(status == (matters ? GUIRA_IO_FAILED : GUIRA_OK), "%s %u: %s", name_of_call(kind), n,
            guira_status_text(status));
    assert_true(!matters || (error == EIO && out == untouched && counting.live == 0));
    assert_int_equal(open_files(), open_before);
    if (!matters) {
        assert_true(has_filled(out, 0, OLD_KEYS));
        guira_destroy(out);
    }
    assert_int_equal(mappings(), 0);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
    return failed;
}

static unsigned kinds_that_can_fail(loader by) {
    unsigned kinds = 0;
    for (size_t i = 0; i < sizeof all_kinds / sizeof all_kinds[0]; i++) {
        unsigned n = 1;
        while (load_with_fault(by, all_kinds[i], n)) {
            n++;
        }
        kinds += n > 1;
    }
    return kinds;
}

static void whichever_call_fails_there_is_no_filter_and_no_leak(void **state) {
    (void)state;
    struct guira *f = filled(0, OLD_KEYS);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    guira_destroy(f);
    assert_int_equal(kinds_that_can_fail(guira_load_file), 5); /* open read close fstat lseek */
    assert_int_equal(kinds_that_can_fail(guira_map_file), 6);  /* and mmap */
}

static void whichever_allocation_fails_no_page_stays_mapped(void **state) {
    (void)state;
    struct guira *f = filled(0, OLD_KEYS);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    guira_destroy(f);
    unsigned open_before = open_files();
    static const loader loaders[] = {guira_load_file, guira_map_file};
    for (unsigned i = 0; i < 4; i++) {
        bool misaligned = i >= 2;
        enum guira_status expected = misaligned ? GUIRA_BAD_ALLOCATOR : GUIRA_NO_MEMORY;
        enum guira_status status = expected;
        for (unsigned n = 1; status != GUIRA_OK; n++) {
            struct counting counting = {.fail_at = misaligned ? 0 : n,
                                        .misalign_at = misaligned ? n : 0};
            struct guira_load_options options = {.allocator = counting_allocator(&counting)};
            f = NULL;
            status = loaders[i % 2](&options, folder.file, &f);
            assert_true(status == GUIRA_OK || (status == expected && f == NULL));
            assert_int_equal(counting.live > 0, status == GUIRA_OK);
            assert_true(n > 1 || status == expected);
            guira_destroy(f);
            assert_int_equal(mappings(), 0);
            assert_int_equal(counting.live, 0);
            assert_false(counting.mismatch);
        }
        assert_int_equal(open_files(), open_before);
    }
}

static void a_file_that_finds_no_addresses_is_out_of_memory(void **state) {
    (void)state;
    struct guira *const untouched = no_filter();
    struct guira *out = untouched;
    struct guira *f = filled(0, OLD_KEYS);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    guira_destroy(f);
    faults_begin((struct faults){.kind = CALL_MMAP, .fail_at = 1, .error = ENOMEM});
    enum guira_status status = guira_map_file(NULL, folder.file, &out);
    faults_end();
    assert_int_equal(status, GUIRA_NO_MEMORY);
    assert_ptr_equal(out, untouched);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whichever_call_fails_the_old_file_stays_and_nothing_else),
        cmocka_unit_test(wherever_a_saver_is_killed_the_old_or_the_new_file_is_there_whole),
        cmocka_unit_test(the_file_is_flushed_before_it_is_renamed_and_the_folder_after),
        cmocka_unit_test(a_failed_first_save_leaves_no_file),
        cmocka_unit_test(without_memory_for_the_copy_there_is_no_file),
        cmocka_unit_test(names_that_are_taken_are_not_taken_again),
        cmocka_unit_test(a_file_with_the_temporary_s_name_is_not_touched),
        cmocka_unit_test(file_systems_that_cannot_flush_a_folder_will_do),
        cmocka_unit_test(a_write_that_takes_nothing_is_a_failure),
        cmocka_unit_test(short_and_interrupted_calls_are_gone_on_with),
        cmocka_unit_test(whichever_call_fails_there_is_no_filter_and_no_leak),
        cmocka_unit_test(whichever_allocation_fails_no_page_stays_mapped),
        cmocka_unit_test(a_file_that_finds_no_addresses_is_out_of_memory),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
