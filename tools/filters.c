#include "filters.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "numbers.h"

static bool is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

struct guira *load_filter(const char *path) {
    struct guira *filter = NULL;
    if (is_standard(path)) {
        fail_unless_ok(guira_load_fd(NULL, STDIN_FILENO, &filter), "load", name_of(path));
    } else {
        fail_unless_ok(guira_load_file(NULL, path, &filter), "load", path);
    }
    return filter;
}

/* Fails with GUIRA_TRAILING_BYTES if it is not the end, as of a file. */
static enum guira_status check_end(int fd) {
    char byte;
    ssize_t got;
    do {
        got = read(fd, &byte, 1);
    } while (got < 0 && errno == EINTR);
    return got == 0 ? GUIRA_OK : got < 0 ? GUIRA_IO_FAILED : GUIRA_TRAILING_BYTES;
}

enum guira_status load_whole(const char *path, struct guira **filter) {
    if (!is_standard(path)) {
        return guira_load_file(NULL, path, filter);
    }
    enum guira_status status = guira_load_fd(NULL, STDIN_FILENO, filter);
    if (status != GUIRA_OK) {
        return status;
    }
    status = check_end(STDIN_FILENO);
    if (status != GUIRA_OK) {
        guira_destroy(*filter);
        *filter = NULL;
    }
    return status;
}

/* A pipe, say; it has no pages, and who opens it a second time misses what came by then. */
static bool is_stream(const char *path) {
    struct stat about;
    return is_standard(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}

struct guira *open_filter(const char *path, bool is_mapped) {
    if (!is_mapped || is_stream(path)) {
        return load_filter(path);
    }
    struct guira *filter = NULL;
    enum guira_status status = guira_map_file(NULL, path, &filter);
    if (status == GUIRA_IO_FAILED && errno == ENODEV) { /* some file systems have none */
        return load_filter(path);
    }
    fail_unless_ok(status, "map", path);
    return filter;
}

/* The file is replaced when it is changed. So who waited for the lock of the old one looks whether
 * that is still what the path names. */
static bool is_current(int fd, const char *path) {
    struct stat locked;
    struct stat named;
    return fstat(fd, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

void lock_filter(const char *path) {
    if (is_standard(path)) {
        return;
    }
    for (;;) {
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0) {
            fail_with_file("open", path);
        }
        int failed;
        do {
            failed = flock(fd, LOCK_EX);
        } while (failed != 0 && errno == EINTR);
        if (failed != 0 || is_current(fd, path)) {
            return; /* some file systems have no locks */
        }
        (void)close(fd);
    }
}

void check_input(const char *filter, char **paths) {
    for (; is_standard(filter) && *paths != NULL; paths++) {
        if (is_standard(*paths)) {
            fail("standard input cannot be both the filter and the keys: name a file for one");
        }
    }
}

/* The part of the path up to its last slash, in new memory; "." if there is none. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *folder = get_memory(NULL, length + 2);
    memcpy(folder, slash == NULL ? "." : path, slash == NULL ? 1 : length);
    folder[slash == NULL ? 1 : length] = '\0';
    return folder;
}

/* What the symbolic link says, in new memory and from where the path is; NULL if that is none. */
static char *follow(const char *path) {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        return NULL;
    }
    target[length] = '\0';
    char *folder = target[0] == '/' || strchr(path, '/') == NULL ? NULL : folder_of(path);
    size_t begin = folder == NULL ? 0 : strlen(folder);
    char *followed = get_memory(folder, begin + (size_t)length + 1);
    memcpy(followed + begin, target, (size_t)length + 1);
    return followed;
}

/* Where a file is to be replaced so that links to it stay: what they name at last, in new memory.
 * Nothing need be there, so realpath would not do. */
static char *resolve(const char *path) {
    enum { MOST_LINKS = 40 }; /* that Linux follows, too */
    char *at = strdup(path);
    for (int links = 0; at != NULL && links <= MOST_LINKS; links++) {
        char *next = follow(at);
        if (next == NULL) {
            return at;
        }
        free(at);
        at = next;
    }
    errno = at == NULL ? ENOMEM : ELOOP;
    fail_with_file("save", path);
}

/* Gives guira_load the first bytes of a file, which are enough to know a filter by. */
struct beginning {
    int fd;
    size_t left;
};

static ptrdiff_t read_beginning(void *context, void *bytes, size_t length) {
    struct beginning *beginning = context;
    ssize_t got = read(beginning->fd, bytes, length < beginning->left ? length : beginning->left);
    beginning->left -= got > 0 ? (size_t)got : 0;
    return got;
}

static bool begins_as_filter(const char *path) {
    struct beginning beginning = {open(path, O_RDONLY | O_CLOEXEC), 8};
    struct guira *filter = NULL;
    if (beginning.fd < 0) {
        fail_with_file("look into what is to be replaced,", path);
    }
    enum guira_status status = guira_load(NULL, read_beginning, &beginning, &filter);
    (void)close(beginning.fd);
    guira_destroy(filter);
    return status != GUIRA_NOT_A_FILTER && status != GUIRA_CALLBACK_FAILED;
}

static void check_keys(const char *path, const struct stat *output, char **keys) {
    for (; *keys != NULL; keys++) {
        struct stat input;
        int failed = is_standard(*keys) ? fstat(STDIN_FILENO, &input) : stat(*keys, &input);
        if (failed == 0 && input.st_dev == output->st_dev && input.st_ino == output->st_ino) {
            fail("%s is the filter and a file of keys at once: name another file for one", path);
        }
    }
}

/* Whether what is there may go. */
static void check_replaced(const struct settings *s, const char *path, char **keys) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return;
    }
    if (S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        fail_with_file("save", path);
    }
    if (!S_ISREG(about.st_mode)) {
        fail("cannot save %s: it is not a regular file", path);
    }
    check_keys(path, &about, keys);
    if (about.st_size != 0 && !s->force && !begins_as_filter(path)) {
        fail("%s is there and is no filter: say --force to replace it", path);
    }
}

void check_output(const struct settings *settings, const char *path, char **keys) {
    if (is_standard(path)) {
        if (isatty(STDOUT_FILENO) == 1) {
            fail("a filter is nothing for a terminal: redirect the output");
        }
        return;
    }
    check_replaced(settings, path, keys);
    char *target = resolve(path);
    char *folder = folder_of(target);
    free(target);
    if (access(folder, R_OK | W_OK | X_OK) != 0) {
        int reason = errno;
        complain("filters are saved by a new file in the folder %s", folder);
        errno = reason;
        fail_with_file("save", path);
    }
    free(folder);
}

const char *output_of(const struct settings *settings) {
    return settings->output != NULL ? settings->output : settings->operands[0];
}

/* Blocked signals wait: so no unfinished file stays beside the path, as it would if the program
 * ended in the middle. No other thread runs by now. */
static void block_interrupts(sigset_t *before) {
    static const int interrupts[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM,
                                     SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
    sigset_t all;
    (void)sigemptyset(&all);
    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++) {
        (void)sigaddset(&all, interrupts[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &all, before);
}

void save_filter(const struct guira *filter, const char *path) {
    /* Nobody changes the filter meanwhile, so no copy of its table is needed. */
    static const struct guira_save_options options = {.in_place = true};
    if (is_standard(path)) {
        fail_unless_ok(guira_save_fd(filter, &options, STDOUT_FILENO), "save to",
                       "standard output");
        return;
    }
    char *target = resolve(path);
    sigset_t before;
    block_interrupts(&before);
    fail_unless_ok(guira_save_file(filter, &options, target), "save", path);
    free(target);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

void warn_of_excess(const struct settings *settings, const struct guira *filter) {
    struct guira_info info;
    uint64_t capacity = guira_capacity(filter);
    if (settings->quiet || capacity == 0 || guira_get_info(filter, &info) != GUIRA_OK ||
        info.items <= capacity) {
        return; /* of a filter that a program made by its geometry nothing was promised: 0 */
    }
    char items[NUMBER_ROOM];
    char room[NUMBER_ROOM];
    char rate[NUMBER_ROOM];
    complain("%s keys in a filter for %s: its rate is %s now", grouped(info.items, items),
             grouped(capacity, room), percent(info.rate, rate));
}
