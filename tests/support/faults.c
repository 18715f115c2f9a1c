/*
 * Wrapped system calls; see the header.
 */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct faults faults;

void faults_begin(struct faults plan) {
    faults = plan;
    faults.on = true;
}

void faults_end(void) {
    faults.on = false;
}

const char *name_of_call(enum call kind) {
    static const char *const name[CALL_KINDS] = {
        "open",     "openat", "read",    "write",  "fsync", "close", "renameat",
        "unlinkat", "fstat",  "fstatat", "fchmod", "lseek", "mmap",  "getentropy"};
    return name[kind];
}

/* Counts a call; true if it is to fail, with errno. */
static bool fails(enum call kind) {
    if (!faults.on) {
        return false;
    }
    unsigned n = ++faults.calls[kind];
    if (kind == faults.kind && faults.fail_at != 0 &&
        (n == faults.fail_at || (faults.and_after && n > faults.fail_at))) {
        if (faults.kills) {
            (void)raise(SIGKILL);
        }
        errno = faults.error;
        return true;
    }
    bool can_be_interrupted = kind <= CALL_FSYNC;
    if (faults.interrupted && can_be_interrupted && n % 2 == 1) {
        errno = EINTR;
        return true;
    }
    return false;
}

static int spoil_errno(int result) {
    errno = faults.on && result == 0 ? ECHILD : errno;
    return result;
}

static size_t cut(size_t length) {
    return faults.on && faults.most != 0 && length > faults.most ? faults.most : length;
}

int __real_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
ssize_t __real_read(int fd, void *bytes, size_t length);
ssize_t __real_write(int fd, const void *bytes, size_t length);
int __real_fsync(int fd);
int __real_close(int fd);
int __real_renameat(int from, const char *old, int to, const char *path);
int __real_unlinkat(int folder, const char *path, int flags);
int __real_fstat(int fd, struct stat *about);
int __real_fstatat(int folder, const char *path, struct stat *about, int flags);
int __real_fchmod(int fd, mode_t mode);
off_t __real_lseek(int fd, off_t offset, int whence);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __real_getentropy(void *bytes, size_t length);

int __wrap_open(const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
ssize_t __wrap_read(int fd, void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
int __wrap_fsync(int fd);
int __wrap_close(int fd);
int __wrap_renameat(int from, const char *old, int to, const char *path);
int __wrap_unlinkat(int folder, const char *path, int flags);
int __wrap_fstat(int fd, struct stat *about);
int __wrap_fstatat(int folder, const char *path, struct stat *about, int flags);
int __wrap_fchmod(int fd, mode_t mode);
off_t __wrap_lseek(int fd, off_t offset, int whence);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_getentropy(void *bytes, size_t length);

static mode_t mode_after(int flags, va_list arguments) {
    return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_after(flags, arguments);
    va_end(arguments);
    return fails(CALL_OPEN) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_after(flags, arguments);
    va_end(arguments);
    return fails(CALL_OPENAT) ? -1 : __real_openat(folder, path, flags, mode);
}

ssize_t __wrap_read(int fd, void *bytes, size_t length) {
    return fails(CALL_READ) ? -1 : __real_read(fd, bytes, cut(length));
}

ssize_t __wrap_write(int fd, const void *bytes, size_t length) {
    if (fails(CALL_WRITE)) {
        return -1;
    }
    return faults.on && faults.counts_nothing ? 0 : __real_write(fd, bytes, cut(length));
}

int __wrap_fsync(int fd) {
    return fails(CALL_FSYNC) ? -1 : __real_fsync(fd);
}

/* The descriptor is closed all the same, as Linux does it. */
int __wrap_close(int fd) {
    bool failed = fails(CALL_CLOSE);
    int error = errno;
    int result = __real_close(fd);
    errno = failed ? error : errno;
    return failed ? -1 : spoil_errno(result);
}

int __wrap_renameat(int from, const char *old, int to, const char *path) {
    faults.flushes_before_rename = faults.calls[CALL_FSYNC];
    return fails(CALL_RENAMEAT) ? -1 : __real_renameat(from, old, to, path);
}

int __wrap_unlinkat(int folder, const char *path, int flags) {
    return fails(CALL_UNLINKAT) ? -1 : spoil_errno(__real_unlinkat(folder, path, flags));
}

int __wrap_fstat(int fd, struct stat *about) {
    return fails(CALL_FSTAT) ? -1 : __real_fstat(fd, about);
}

int __wrap_fstatat(int folder, const char *path, struct stat *about, int flags) {
    return fails(CALL_FSTATAT) ? -1 : __real_fstatat(folder, path, about, flags);
}

int __wrap_fchmod(int fd, mode_t mode) {
    return fails(CALL_FCHMOD) ? -1 : __real_fchmod(fd, mode);
}

off_t __wrap_lseek(int fd, off_t offset, int whence) {
    return fails(CALL_LSEEK) ? -1 : __real_lseek(fd, offset, whence);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return fails(CALL_MMAP) ? MAP_FAILED : __real_mmap(at, size, protection, flags, file, offset);
}

int __wrap_getentropy(void *bytes, size_t length) {
    if (fails(CALL_GETENTROPY)) {
        return -1;
    }
    if (faults.on && faults.same_entropy) {
        memset(bytes, 0x11, length);
        return 0;
    }
    return __real_getentropy(bytes, length);
}
