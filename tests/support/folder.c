/*
 * A folder for files; see the header.
 */
#define _FILE_OFFSET_BITS 64 /* files' numbers can be that long on any machine */

#include "folder.h"

#include <dirent.h>
#include <unistd.h>

#include <sys/wait.h>

#include "test.h"

struct folder folder;

int folder_begin(void **state) {
    const char *where = getenv("TMPDIR");
    (void)snprintf(folder.path, sizeof folder.path, "%s/guira-test-XXXXXX",
                   where != NULL ? where : "/tmp");
    assert_non_null(mkdtemp(folder.path));
    (void)path_in_folder("filter", folder.file);
    return announce_seed(state);
}

static unsigned entries(const char *path) {
    DIR *dir = opendir(path);
    assert_non_null(dir);
    unsigned n = 0;
    while (readdir(dir) != NULL) {
        n++;
    }
    (void)closedir(dir);
    return n - 2; /* but . and .. */
}

unsigned files_in_folder(void) {
    return entries(folder.path);
}

unsigned remove_other_files(void) {
    char path[MAX_PATH_BYTES];
    unsigned removed = 0;
    DIR *dir = opendir(folder.path);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        /* The two folders that each folder lists are not unlinked. */
        removed +=
            strcmp(path_in_folder(entry->d_name, path), folder.file) != 0 && unlink(path) == 0;
    }
    (void)closedir(dir);
    return removed;
}

unsigned open_files(void) {
    return entries("/proc/self/fd") - 1; /* but the folder's own, while it is read */
}

int folder_end(void **state) {
    (void)state;
    (void)unlink(folder.file);
    return rmdir(folder.path);
}

const char *path_in_folder(const char *name, char *path) {
    (void)snprintf(path, MAX_PATH_BYTES, "%s/%s", folder.path, name);
    return path;
}

void write_file(const char *path, const struct tape *tape) {
    (void)unlink(path); /* some file systems flush what is written over */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(tape->bytes, 1, tape->length, file), tape->length);
    assert_int_equal(fclose(file), 0);
}

struct tape read_file(const char *path) {
    struct tape tape = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t some[4096];
    size_t got;
    while ((got = fread(some, 1, sizeof some, file)) > 0) {
        assert_int_equal(tape_write(&tape, some, got), 0);
    }
    assert_int_equal(fclose(file), 0);
    tape.calls = 0;
    return tape;
}

bool file_is(const char *path, const struct tape *tape) {
    struct tape found = read_file(path);
    bool same = found.length == tape->length &&
                (found.length == 0 || memcmp(found.bytes, tape->bytes, found.length) == 0);
    tape_free(&found);
    return same;
}

struct guira *filled(uint64_t first, uint64_t n) {
    struct guira *f = filter_for(n, 0.01);
    assert_int_equal(fill(f, first, n), n);
    return f;
}

bool has_filled(const struct guira *f, uint64_t first, uint64_t n) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < n; i++) {
        found += guira_contains_u64(f, scrambled(first + i));
    }
    return found == n && guira_size(f) == n && guira_check(f, NULL) == GUIRA_OK;
}

struct guira *load_filter(const char *path) {
    struct guira *f = NULL;
    enum guira_status status = guira_load_file(NULL, path, &f);
    require(status == GUIRA_OK, "guira_load_file says: %s", guira_status_text(status));
    return f;
}

int in_another_process(int (*work)(const void *context), const void *context) {
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(work(context));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
