#include "errors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

enum { LONGEST_MESSAGE = 8192 }; /* more than two paths */

static const char *program = "guira";

void name_program(const char *name) {
    program = name;
}

const char *name_of(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* One write, so that lines of several threads or programs do not mix. */
__attribute__((format(printf, 1, 0))) static void say(const char *format, va_list arguments) {
    char line[LONGEST_MESSAGE];
    int begin = snprintf(line, sizeof line, "%s: ", program);
    size_t used = begin < 0 ? 0 : (size_t)begin;
    int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    used += length < 0 ? 0 : (size_t)length;
    used = used < sizeof line - 2 ? used : sizeof line - 2;
    line[used] = '\n';
    line[used + 1] = '\0';
    (void)fputs(line, stderr);
    (void)fflush(stderr);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

/* _exit, as other threads may be inside calls, and exit would take from them what they use. If two
 * fail at once, one speaks. */
void fail(const char *format, ...) {
    static atomic_flag has_failed = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&has_failed)) {
        (void)pause();
    }
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(ENDED_IN_TROUBLE);
}

void fail_with_file(const char *done, const char *path) {
    /* Unlike strerror it needs no lock, and what it says depends on no locale: none is set. */
    int reason = errno;
    fail("cannot %s %s: %s", done, path, strerror(reason)); // NOLINT(concurrency-mt-unsafe)
}

void fail_unless_ok(enum guira_status status, const char *done, const char *path) {
    if (status == GUIRA_OK) {
        return;
    }
    fail("cannot %s %s: %s%s", done, path, reason_of(status, path), advice(status));
}

const char *reason_of(enum guira_status status, const char *path) {
    struct stat about;
    if (status == GUIRA_IO_FAILED) {
        return strerror(errno); // NOLINT(concurrency-mt-unsafe): as in fail_with_file
    }
    if (status == GUIRA_TRUNCATED && stat(path, &about) == 0 && about.st_size == 0 &&
        S_ISREG(about.st_mode)) {
        return "the file is empty";
    }
    return guira_status_text(status);
}

const char *advice(enum guira_status status) {
    switch (status) {
    case GUIRA_NOT_A_FILTER:
        return "; 'guira build' makes filters, is this the file of keys?";
    case GUIRA_NEWER_FORMAT:
        return "; use the guira that wrote it, or a newer one";
    case GUIRA_BAD_HEADER:
    case GUIRA_IMPOSSIBLE_HEADER:
    case GUIRA_TRUNCATED:
    case GUIRA_TRAILING_BYTES:
    case GUIRA_BAD_CHECKSUM:
    case GUIRA_IMPOSSIBLE_TAG:
    case GUIRA_WRONG_COUNT:
        return "; copy it again, or build it anew";
    case GUIRA_OTHER_HASH:
        return "; it was made by a program with a hash of its own, which this command does not "
               "have";
    case GUIRA_OTHER_SEED:
    case GUIRA_OTHER_UNIVERSE:
        return "; only filters of one family can be merged: build each with --like of one of them";
    case GUIRA_FULL:
        return "; build a larger one, with a higher --capacity, or one that grows, with "
               "--max-capacity";
    case GUIRA_LIMIT:
        return "; that is all the copies of one key that there is room for: without --copies they "
               "count once";
    case GUIRA_TOO_LARGE:
        return "; ask 'guira size' what a filter costs";
    case GUIRA_READ_ONLY:
        return "; leave out --map";
    default:
        return "";
    }
}

void finish_output(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fail_with_file("write to", "standard output");
    }
}

void *get_memory(void *old, size_t bytes) {
    void *memory = realloc(old, bytes);
    if (memory == NULL) {
        fail("out of memory");
    }
    return memory;
}
