/*
 * Verifies what becomes of a path that a filter is saved to: the file that was there is replaced in
 * one step, or is what it was; several savers; paths that cannot be.
 */
#include <errno.h>
#include <unistd.h>

#include <sys/stat.h>

#include "folder.h"
#include "test.h"
#include "threads.h"

/* ---- The file that is replaced -------------------------------------------------------------- */

static mode_t mode_of(const char *path) {
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    return about.st_mode & 07777;
}

static void a_new_file_has_the_permissions_of_the_one_it_replaces(void **state) {
    (void)state;
    struct guira *f = filled(0, 10);
    (void)unlink(folder.file);
    mode_t before = umask(027);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    assert_int_equal(mode_of(folder.file), 0640);
    static const mode_t modes[] = {0600, 0604, 0666, 0777, 0444, 0};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(folder.file, modes[i]), 0);
        assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
        assert_int_equal(mode_of(folder.file), modes[i]);
    }
    (void)umask(before);
    guira_destroy(f);
}

static void a_link_is_replaced_and_not_what_it_points_to(void **state) {
    (void)state;
    char link[MAX_PATH_BYTES];
    struct guira *f = filled(0, 10);
    struct guira *g = filled(100, 20);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    assert_int_equal(chmod(folder.file, 0640), 0);
    assert_int_equal(symlink("filter", path_in_folder("link", link)), 0);
    assert_int_equal(guira_save_file(g, NULL, link), GUIRA_OK);
    assert_int_equal(mode_of(link), 0640);
    struct guira *old = load_filter(folder.file);
    struct guira *new = load_filter(link);
    require_same(f, old);
    require_same(g, new);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("nowhere", link), 0);
    assert_int_equal(guira_save_file(g, NULL, link), GUIRA_OK);
    (void)mode_of(link);
    (void)unlink(link);
    guira_destroy(new);
    guira_destroy(old);
    guira_destroy(g);
    guira_destroy(f);
}

static void paths_of_the_folder_at_hand_work(void **state) {
    (void)state;
    char before[MAX_PATH_BYTES];
    struct guira *f = filled(0, 10);
    (void)unlink(folder.file);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder.path), 0);
    assert_int_equal(guira_save_file(f, NULL, "filter"), GUIRA_OK);
    struct guira *loaded = load_filter("./filter");
    require_same(f, loaded);
    assert_int_equal(chdir(before), 0);
    guira_destroy(loaded);
    loaded = load_filter(folder.file);
    require_same(f, loaded);
    guira_destroy(loaded);
    guira_destroy(f);
}

static void require_no_save(const struct guira *f, const char *path, int expected) {
    errno = 0;
    enum guira_status status = guira_save_file(f, NULL, path);
    require(status == GUIRA_IO_FAILED && errno == expected, "%.60s: %s, errno %d", path,
            guira_status_text(status), errno);
}

static void paths_that_cannot_be_are_refused_with_their_reason(void **state) {
    (void)state;
    char path[MAX_PATH_BYTES];
    char long_path[8192];
    struct guira *f = filled(0, 10);
    unsigned files = files_in_folder();
    memset(long_path, 'x', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    require_no_save(f, "", ENOENT);
    require_no_save(f, long_path, ENAMETOOLONG);
    long_path[5000] = '/';
    require_no_save(f, long_path, ENAMETOOLONG);
    require_no_save(f, "/", EISDIR);
    require_no_save(f, folder.path, EISDIR);
    require_no_save(f, path_in_folder("", path), EISDIR);
    require_no_save(f, path_in_folder(".", path), EISDIR);
    require_no_save(f, path_in_folder("no/filter", path), ENOENT);
    require_no_save(f, path_in_folder("filter/filter", path), ENOTDIR);
    require_no_save(f, "/dev/null", EINVAL);
    assert_int_equal(mkfifo(path_in_folder("pipe", path), 0600), 0);
    require_no_save(f, path, EINVAL);
    (void)unlink(path);
    assert_int_equal(files_in_folder(), files);
    struct guira *out = NULL;
    assert_int_equal(guira_load_file(NULL, path_in_folder("no", path), &out), GUIRA_IO_FAILED);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(guira_load_file(NULL, folder.path, &out), GUIRA_IO_FAILED);
    assert_int_equal(errno, EISDIR);
    assert_null(out);
    guira_destroy(f);
}

/* As a user to whom permissions mean something. */
static int save_without_permission(const void *context) {
    if (geteuid() == 0 && setuid(65534) != 0) {
        return 2;
    }
    return guira_save_file(context, NULL, folder.file) == GUIRA_IO_FAILED && errno == EACCES ? 0
                                                                                             : 1;
}

static void a_folder_that_cannot_be_written_keeps_its_file(void **state) {
    (void)state;
    struct guira *f = filled(0, 10);
    struct guira *g = filled(100, 20);
    assert_int_equal(guira_save_file(f, NULL, folder.file), GUIRA_OK);
    assert_int_equal(chmod(folder.path, 0555), 0);
    assert_int_equal(in_another_process(save_without_permission, g), 0);
    assert_int_equal(chmod(folder.path, 0), 0);
    assert_int_equal(in_another_process(save_without_permission, g), 0);
    assert_int_equal(chmod(folder.path, 0700), 0);
    assert_int_equal(files_in_folder(), 1);
    struct guira *loaded = load_filter(folder.file);
    require_same(f, loaded);
    guira_destroy(loaded);
    guira_destroy(g);
    guira_destroy(f);
}

/* ---- Several at once ------------------------------------------------------------------------ */

/* The first key of the i-th. */
#define FIRST_OF(i) (UINT64_C(100000) * (i))

struct saver {
    struct guira *filter;
    const atomic_bool *stop;
    unsigned wrong;
};

static void *save_often(void *context) {
    struct saver *s = context;
    while (!atomic_load(s->stop)) {
        s->wrong += guira_save_file(s->filter, NULL, folder.file) != GUIRA_OK;
    }
    return NULL;
}

/* Whose file the path names, of so many savers; their number if it is nobody's. */
static unsigned owner_of_path(unsigned savers) {
    struct guira *f;
    if (guira_load_file(NULL, folder.file, &f) != GUIRA_OK) {
        return savers;
    }
    uint64_t i = guira_size(f) - 1000;
    bool is_whole = i < savers && has_filled(f, FIRST_OF(i), 1000 + i);
    guira_destroy(f);
    return is_whole ? (unsigned)i : savers;
}

static void savers_of_one_path_replace_each_other_whole(void **state) {
    (void)state;
    enum { SAVERS = 3 };
    struct saver savers[SAVERS];
    struct crew crew;
    atomic_bool stop = false;
    crew_begin(&crew, SAVERS);
    for (unsigned i = 0; i < SAVERS; i++) {
        savers[i] = (struct saver){filled(FIRST_OF(i), 1000 + i), &stop, 0};
        assert_int_equal(guira_save_file(savers[i].filter, NULL, folder.file), GUIRA_OK);
        crew_hire(&crew, save_often, &savers[i]);
    }
    /* Each load must find somebody's file, and the path must have changed hands meanwhile. */
    unsigned owner = owner_of_path(SAVERS);
    unsigned changes = 0;
    for (uint64_t i = 0; owner < SAVERS && (i < scaled(200) || changes < 10); i++) {
        unsigned next = owner_of_path(SAVERS);
        changes += next != owner;
        owner = next;
    }
    atomic_store(&stop, true);
    crew_end(&crew);
    assert_int_not_equal(owner, SAVERS);
    for (unsigned i = 0; i < SAVERS; i++) {
        assert_int_equal(savers[i].wrong, 0);
        guira_destroy(savers[i].filter);
    }
    assert_int_equal(files_in_folder(), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_has_the_permissions_of_the_one_it_replaces),
        cmocka_unit_test(a_link_is_replaced_and_not_what_it_points_to),
        cmocka_unit_test(paths_of_the_folder_at_hand_work),
        cmocka_unit_test(paths_that_cannot_be_are_refused_with_their_reason),
        cmocka_unit_test(a_folder_that_cannot_be_written_keeps_its_file),
        cmocka_unit_test(savers_of_one_path_replace_each_other_whole),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
