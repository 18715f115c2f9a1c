/*
 * Replacing a file; see the header. All is done relative to the folder's descriptor, so it is one
 * folder throughout, even if it is renamed meanwhile, and it is at hand to be flushed.
 */
#include "posix.h"

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "stream.h"
#include "system.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum {
    TRIES = 8, /* at a name of 64 random bits that no file has */
    PERMISSIONS = 0777,
    PERMISSIONS_OF_NEW = 0666
};

/* The folder of a path, opened; *name is the rest of the path. -1 and errno if there is none. */
static int open_folder(const char *path, const char **name) {
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    *name = slash == NULL ? path : slash + 1;
    if (slash != NULL) {
        size_t length = slash == path ? 1 : (size_t)(slash - path); /* of "/" or what precedes it */
        if (length >= sizeof folder) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    if (**name == '\0') {
        errno = slash == NULL ? ENOENT : EISDIR;
        return -1;
    }
    int fd;
    do {
        fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

/* The permissions of the file to be replaced, -1 if there is none; false if it is one that must not
 * be replaced, or cannot be asked. */
static bool ask_permissions(const struct replacement *r, int *permissions) {
    struct stat about;
    if (fstatat(r->folder, r->name, &about, 0) != 0) {
        *permissions = -1;
        return errno == ENOENT;
    }
    if (!S_ISREG(about.st_mode)) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    *permissions = (int)(about.st_mode & PERMISSIONS);
    return true;
}

/* Creates a file that was not there before, under a random name. */
static enum guira_status create_temporary(struct replacement *r, mode_t permissions) {
    for (int left = TRIES; left > 0;) {
        uint64_t number;
        if (!guira__random_seed(&number)) {
            return GUIRA_NO_ENTROPY;
        }
        (void)snprintf(r->temporary, sizeof r->temporary, ".guira-%016llx",
                       (unsigned long long)number);
        r->file =
            openat(r->folder, r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
        if (r->file >= 0) {
            return GUIRA_OK;
        }
        if (errno != EINTR && errno != EEXIST) {
            break;
        }
        left -= errno == EEXIST;
    }
    return GUIRA_IO_FAILED;
}

static void remove_temporary(const struct replacement *r) {
    int kept = errno;
    (void)unlinkat(r->folder, r->temporary, 0);
    errno = kept;
    guira__close(r->folder);
}

enum guira_status guira__replace_begin(const char *path, struct replacement *out) {
    struct replacement r;
    r.folder = open_folder(path, &r.name);
    if (r.folder < 0) {
        return GUIRA_IO_FAILED;
    }
    int permissions;
    enum guira_status status = GUIRA_IO_FAILED;
    if (ask_permissions(&r, &permissions)) {
        status = create_temporary(&r, permissions >= 0 ? (mode_t)permissions : PERMISSIONS_OF_NEW);
    }
    if (status != GUIRA_OK) {
        guira__close(r.folder);
        return status;
    }
    *out = r;
    /* The umask may have taken some of them away. */
    if (permissions >= 0 && fchmod(r.file, (mode_t)permissions) != 0) {
        guira__replace_abandon(out);
        return GUIRA_IO_FAILED;
    }
    return GUIRA_OK;
}

void guira__replace_abandon(struct replacement *r) {
    guira__close(r->file);
    remove_temporary(r);
}

static int flush(int fd) {
    int failed;
    do {
        failed = fsync(fd);
    } while (failed != 0 && errno == EINTR);
    return failed;
}

enum guira_status guira__replace_finish(struct replacement *r) {
    if (flush(r->file) != 0) {
        guira__replace_abandon(r);
        return GUIRA_IO_FAILED;
    }
    /* After EINTR the descriptor is gone, and the data have been flushed. */
    if ((close(r->file) != 0 && errno != EINTR) ||
        renameat(r->folder, r->temporary, r->folder, r->name) != 0) {
        remove_temporary(r);
        return GUIRA_IO_FAILED;
    }
    /* Some file systems have nothing to flush for a folder and say so by EINVAL. */
    bool failed = flush(r->folder) != 0 && errno != EINVAL;
    guira__close(r->folder);
    return failed ? GUIRA_IO_FAILED : GUIRA_OK;
}
