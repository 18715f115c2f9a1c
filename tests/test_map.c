/*
 * Verifies mapped filters: they answer as the saved one, refuse to change, share the file's pages
 * with other processes, and keep the file when it is replaced. Of a file that was not verified any
 * bytes are safe, and what needs a sound table verifies it first.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include "allocators.h"
#include "elements.h"
#include "folder.h"
#include "grid.h"
#include "threads.h"

static const struct guira_load_options unverified = {.unverified = true};

static struct guira *map_with(const struct guira_load_options *options) {
    struct guira *f = NULL;
    enum guira_status status = guira_map_file(options, folder.file, &f);
    require(status == GUIRA_OK, "guira_map_file says: %s", guira_status_text(status));
    return f;
}

static struct guira *saved_and_mapped(const struct guira *f) {
    (void)unlink(folder.file);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    return map_with(NULL);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static void require_mapped(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    size_t count = (size_t)(s->U < 60 ? s->U / 4 : 15);
    unsigned copies[15];
    uint64_t *hashes = insert_some_copies(f, copies, count, s->f);
    struct guira *mapped = saved_and_mapped(f);
    require_same(f, mapped);
    require(holds_exactly(mapped, hashes, copies, count), "f %u, w %u", s->f, s->w);
    struct tape tape = tape_of(mapped);
    assert_true(file_is(folder.file, &tape));
    tape_free(&tape);
    free(hashes);
    guira_destroy(mapped);
    guira_destroy(f);
}

static void every_geometry_answers_from_its_file(void **state) {
    (void)state;
    for_each_geometry(2, require_mapped);
    for_each_geometry(13, require_mapped);
}

/* Large enough for look-ups in eights, and batches of all forms read only. */
static void batches_answer_from_the_file(void **state) {
    (void)state;
    enum { KEYS = 5000, LOOKED_UP = 2 * KEYS };
    static uint64_t keys[LOOKED_UP];
    static bool found[LOOKED_UP];
    static unsigned copies[LOOKED_UP];
    struct guira *f = filled(0, KEYS);
    struct guira *mapped = saved_and_mapped(f);
    for (uint64_t i = 0; i < LOOKED_UP; i++) {
        keys[i] = scrambled(i);
    }
    struct guira_keys all = guira_keys_u64(keys, LOOKED_UP);
    assert_int_equal(guira_contains_batch(mapped, all, found), GUIRA_OK);
    assert_int_equal(guira_count_batch(mapped, all, copies), GUIRA_OK);
    for (uint64_t i = 0; i < LOOKED_UP; i++) {
        assert_true(found[i] == guira_contains_u64(f, keys[i]));
        assert_int_equal(copies[i], guira_count_u64(f, keys[i]));
        assert_true(i >= KEYS || found[i]);
    }
    guira_destroy(mapped);
    guira_destroy(f);
}

static void it_is_told_to_be_read_only_and_to_take_no_table(void **state) {
    (void)state;
    struct guira *f = filled(0, 100000);
    guira_destroy(saved_and_mapped(f));
    struct counting counting = {0};
    struct guira_load_options options = {
        .stripes = 100, .search_budget = 17, .allocator = counting_allocator(&counting)};
    struct guira *mapped = map_with(&options);
    struct guira_info info;
    assert_int_equal(guira_get_info(mapped, &info), GUIRA_OK);
    assert_true(info.read_only && info.single_writer);
    assert_int_equal(info.search_budget, 17);
    assert_int_equal(info.sizing.stripes, 1);
    assert_int_equal(info.sizing.table_bytes, info.sizing.buckets * 8);
    assert_int_equal(info.sizing.allocated_bytes, counting.peak);
    assert_in_range(counting.peak, 1, 4096);
    assert_int_equal(guira_saved_size(mapped), guira_saved_size(f));
    assert_int_equal((uintptr_t)mapped->table.words % 64, 0);
    guira_fork_prepare(mapped);
    guira_fork_release(mapped);
    guira_destroy(mapped);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
    guira_destroy(f);
}

static void nothing_changes_a_mapped_filter(void **state) {
    (void)state;
    enum { KEYS = 50 };
    uint64_t keys[KEYS];
    enum guira_status results[KEYS];
    struct guira *f = filled(0, 1000);
    struct guira *mapped = saved_and_mapped(f);
    for (uint64_t i = 0; i < KEYS; i++) {
        keys[i] = scrambled(990 + i); /* some are there */
        assert_int_equal(guira_insert_u64(mapped, keys[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_insert_unique_u64(mapped, keys[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_remove_u64(mapped, keys[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_insert_uniform(mapped, keys[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_insert_unique_uniform(mapped, keys[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_remove_uniform(mapped, keys[i]), GUIRA_READ_ONLY);
        assert_int_equal(guira_insert(mapped, &keys[i], 8), GUIRA_READ_ONLY);
        assert_int_equal(guira_insert_unique(mapped, &keys[i], 8), GUIRA_READ_ONLY);
        assert_int_equal(guira_remove(mapped, &keys[i], 8), GUIRA_READ_ONLY);
    }
    typedef enum guira_status (*change)(struct guira *, struct guira_keys, enum guira_status *);
    static const change changes[] = {guira_insert_batch, guira_insert_unique_batch,
                                     guira_remove_batch};
    for (size_t n = 1; n <= KEYS; n += 7) { /* few, and many */
        for (size_t i = 0; i < 3; i++) {
            memset(results, 0, sizeof results);
            assert_int_equal(changes[i](mapped, guira_keys_u64(keys, n), results), GUIRA_PARTIAL);
            for (size_t j = 0; j < n; j++) {
                assert_int_equal(results[j], GUIRA_READ_ONLY);
            }
        }
    }
    assert_int_equal(guira_clear(mapped), GUIRA_READ_ONLY);
    require_same(f, mapped);
    guira_destroy(mapped);
    guira_destroy(f);
}

/* ---- Sharing -------------------------------------------------------------------------------- */

/* The child's exit status: 0 if all keys were found in a mapping of its own. */
static int look_up_mapped(const void *context) {
    (void)context;
    struct guira *mapped = NULL;
    bool ok = guira_map_file(NULL, folder.file, &mapped) == GUIRA_OK && has_filled(mapped, 0, 3000);
    guira_destroy(mapped);
    return ok ? 0 : 1;
}

static void processes_map_one_file_at_once(void **state) {
    (void)state;
    enum { CHILDREN = 3 };
    struct guira *f = filled(0, 3000);
    struct guira *mapped = saved_and_mapped(f);
    pid_t child[CHILDREN];
    (void)fflush(NULL);
    for (int i = 0; i < CHILDREN; i++) {
        child[i] = fork();
        if (child[i] == 0) {
            /* What the parent mapped is there as well. */
            _exit(has_filled(mapped, 0, 3000) ? look_up_mapped(NULL) : 2);
        }
    }
    assert_true(has_filled(mapped, 0, 3000));
    for (int i = 0; i < CHILDREN; i++) {
        int status = -1;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    guira_destroy(mapped);
    guira_destroy(f);
}

static void a_replaced_file_stays_with_those_who_mapped_it(void **state) {
    (void)state;
    struct guira *f = filled(0, 3000);
    struct guira *g = filled(9000, 500);
    struct guira *mapped = saved_and_mapped(f);
    assert_int_equal(guira_save_file(g, NULL, folder.file), GUIRA_OK);
    struct guira *other = map_with(NULL);
    require_same(f, mapped);
    require_same(g, other);
    assert_int_equal(guira_save_file(mapped, NULL, folder.file), GUIRA_OK); /* and back */
    (void)unlink(folder.file);
    require_same(f, mapped);
    guira_destroy(other);
    guira_destroy(mapped);
    guira_destroy(g);
    guira_destroy(f);
}

static void *look_up_often(void *context) {
    const struct guira *mapped = context;
    bool ok = true;
    for (uint64_t i = 0; i < scaled(40); i++) {
        ok = ok && has_filled(mapped, 0, 1000) && guira_count_u64(mapped, scrambled(i)) > 0;
        ok = ok && guira_verify(mapped) == GUIRA_OK;
    }
    return ok ? context : NULL;
}

static void threads_read_and_verify_it_at_once(void **state) {
    (void)state;
    struct guira *f = filled(0, 1000);
    guira_destroy(saved_and_mapped(f));
    struct guira *mapped = map_with(&unverified);
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, look_up_often, mapped), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(thread[i], &result), 0);
        assert_ptr_equal(result, mapped);
    }
    guira_destroy(mapped);
    guira_destroy(f);
}

/* ---- Files that are not what they should be ------------------------------------------------- */

static bool go_on(void *context, uint64_t element, unsigned multiplicity) {
    (void)element;
    (void)multiplicity;
    return (*(unsigned *)context)++ < 1000000;
}

/* The file holds these bytes: everything that walks over the table says `expected`. */
static void require_refused_when_walked(const struct tape *tape, enum guira_status expected) {
    struct guira *f = NULL;
    struct tape saved = {0};
    unsigned visited = 0;
    unsigned invariant = 77;
    char other[MAX_PATH_BYTES];
    write_file(folder.file, tape);
    assert_int_equal(guira_map_file(NULL, folder.file, &f), expected);
    assert_null(f);
    struct guira *mapped = map_with(&unverified);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(guira_visit(mapped, go_on, &visited), expected);
        assert_int_equal(guira_check(mapped, &invariant), expected);
        assert_int_equal(guira_save(mapped, NULL, tape_write, &saved), expected);
        assert_int_equal(guira_save_file(mapped, NULL, path_in_folder("x", other)), expected);
        assert_int_equal(guira_save_file(mapped, NULL, "/no/such/folder"), expected);
        assert_int_equal(guira_verify(mapped), expected);
    }
    assert_int_equal(visited, 0);
    assert_int_equal(invariant, 77);
    assert_int_equal(saved.calls, 0);
    assert_int_equal(files_in_folder(), 1);
    guira_destroy(mapped);
}

static void bad_words_are_refused_by_whatever_walks_over_them(void **state) {
    (void)state;
    struct tape tape = small_tape();
    uint64_t word = tape_get_64(&tape, TAPE_HEADER);
    tape_put_64(&tape, TAPE_HEADER, word ^ 1);
    require_refused_when_walked(&tape, GUIRA_BAD_CHECKSUM);
    tape_put_64(&tape, TAPE_HEADER, word | UINT64_C(1) << 63);
    tape_sign(&tape);
    require_refused_when_walked(&tape, GUIRA_IMPOSSIBLE_TAG);
    tape_put_64(&tape, TAPE_HEADER, word | 0xfff);
    tape_sign(&tape);
    require_refused_when_walked(&tape, GUIRA_IMPOSSIBLE_TAG);
    tape_put_64(&tape, TAPE_HEADER, word);
    tape_put_64(&tape, TAPE_ITEMS, tape_get_64(&tape, TAPE_ITEMS) - 1);
    tape_sign(&tape);
    require_refused_when_walked(&tape, GUIRA_WRONG_COUNT);
    tape_free(&tape);
}

static void a_file_that_was_put_right_is_verified_again(void **state) {
    (void)state;
    struct tape tape = small_tape();
    tape.bytes[TAPE_HEADER] ^= 1;
    write_file(folder.file, &tape);
    struct guira *mapped = map_with(&unverified);
    assert_int_equal(guira_verify(mapped), GUIRA_BAD_CHECKSUM);
    tape.bytes[TAPE_HEADER] ^= 1;
    int fd = open(folder.file, O_WRONLY);
    assert_int_equal(pwrite(fd, tape.bytes, tape.length, 0), tape.length);
    assert_int_equal(guira_verify(mapped), GUIRA_OK);
    require_sound(mapped);
    tape.bytes[TAPE_HEADER] ^= 1;
    assert_int_equal(pwrite(fd, tape.bytes, tape.length, 0), tape.length);
    assert_int_equal(guira_verify(mapped), GUIRA_BAD_CHECKSUM);
    assert_int_equal(guira_check(mapped, NULL), GUIRA_BAD_CHECKSUM);
    (void)close(fd);
    guira_destroy(mapped);
    tape_free(&tape);
    struct guira *f = filled(0, 10);
    assert_int_equal(guira_verify(f), GUIRA_OK);
    assert_int_equal(guira_verify(NULL), GUIRA_NULL_ARGUMENT);
    guira_destroy(f);
}

/* Any words at all, and any counts: answers are anything, but nothing else is touched. */
static void require_safe(const struct ref_shape *s) {
    enum { KEYS = 100 };
    uint64_t keys[KEYS];
    bool found[KEYS];
    unsigned copies[KEYS];
    struct rng rng = rng_stream(s->f * 100 + s->w);
    struct guira *f = filter_of(s->M, s->f, s->w);
    struct tape tape = tape_of(f);
    for (size_t at = TAPE_HEADER; at < tape.length; at++) {
        tape.bytes[at] = (uint8_t)rng_next(&rng);
    }
    write_file(folder.file, &tape);
    struct guira *mapped = map_with(&unverified);
    for (size_t i = 0; i < KEYS; i++) {
        keys[i] = rng_next(&rng);
        (void)guira_contains_u64(mapped, keys[i]);
        assert_in_range(guira_count_u64(mapped, keys[i]), 0, 2 * s->w);
    }
    struct guira_keys all = guira_keys_u64(keys, KEYS);
    assert_int_equal(guira_contains_batch(mapped, all, found), GUIRA_OK);
    assert_int_equal(guira_count_batch(mapped, all, copies), GUIRA_OK);
    for (size_t i = 0; i < KEYS; i++) {
        assert_true(found[i] == guira_contains_u64(mapped, keys[i]));
        assert_int_equal(copies[i], guira_count_u64(mapped, keys[i]));
    }
    unsigned visited = 0;
    assert_int_equal(guira_visit(mapped, go_on, &visited), GUIRA_BAD_CHECKSUM);
    assert_int_equal(guira_check(mapped, NULL), GUIRA_BAD_CHECKSUM);
    assert_int_equal(guira_size(mapped), 0);
    guira_destroy(mapped);
    tape_free(&tape);
    guira_destroy(f);
}

static void any_words_at_all_are_safe_to_look_up(void **state) {
    (void)state;
    for_each_geometry(2, require_safe);
    for_each_geometry(11, require_safe);
}

static void only_regular_files_are_mapped(void **state) {
    (void)state;
    struct guira *f = NULL;
    char path[MAX_PATH_BYTES];
    assert_int_equal(guira_map_file(NULL, folder.path, &f), GUIRA_IO_FAILED);
    assert_int_equal(errno, ENODEV);
    assert_int_equal(guira_map_file(NULL, "/dev/zero", &f), GUIRA_IO_FAILED);
    assert_int_equal(errno, ENODEV);
    assert_int_equal(guira_map_file(NULL, path_in_folder("no", path), &f), GUIRA_IO_FAILED);
    assert_int_equal(errno, ENOENT);
    /* Nobody writes to the pipe, and nobody is waited for. */
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(guira_map_file(NULL, path, &f), GUIRA_IO_FAILED);
    assert_int_equal(errno, ENODEV);
    (void)unlink(path);
    assert_int_equal(guira_map_file(NULL, NULL, &f), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_map_file(NULL, path, NULL), GUIRA_NULL_ARGUMENT);
    assert_null(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_geometry_answers_from_its_file),
        cmocka_unit_test(batches_answer_from_the_file),
        cmocka_unit_test(it_is_told_to_be_read_only_and_to_take_no_table),
        cmocka_unit_test(nothing_changes_a_mapped_filter),
        cmocka_unit_test(processes_map_one_file_at_once),
        cmocka_unit_test(a_replaced_file_stays_with_those_who_mapped_it),
        cmocka_unit_test(threads_read_and_verify_it_at_once),
        cmocka_unit_test(bad_words_are_refused_by_whatever_walks_over_them),
        cmocka_unit_test(a_file_that_was_put_right_is_verified_again),
        cmocka_unit_test(any_words_at_all_are_safe_to_look_up),
        cmocka_unit_test(only_regular_files_are_mapped),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
