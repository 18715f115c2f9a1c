/*
 * Reading and writing all of it: short counts and interruptions are no failures.
 */
#include "posix.h"

#include "stream.h"

#include <errno.h>
#include <fcntl.h>

#include <sys/stat.h>
#include <unistd.h>

/* Some systems refuse to transfer more than 2^31 bytes at once. */
#define MOST_AT_ONCE ((size_t)1 << 30)

static size_t at_most(size_t length, size_t most) {
    return length < most ? length : most;
}

enum guira_status guira__sink_write(const struct sink *sink, const void *bytes, size_t length) {
    return sink->writer(sink->context, bytes, length) == 0 ? GUIRA_OK : sink->failure;
}

enum guira_status guira__source_read(const struct source *source, void *bytes, size_t length,
                                     size_t *got) {
    *got = 0;
    while (*got < length) {
        ptrdiff_t more = source->reader(source->context, (char *)bytes + *got, length - *got);
        if (more < 0 || (size_t)more > length - *got) {
            return source->failure;
        }
        if (more == 0) {
            break;
        }
        *got += (size_t)more;
    }
    return GUIRA_OK;
}

enum guira_status guira__source_read_all(const struct source *source, void *bytes, size_t length) {
    size_t got;
    enum guira_status status = guira__source_read(source, bytes, length, &got);
    return status == GUIRA_OK && got < length ? GUIRA_TRUNCATED : status;
}

/* ---- File descriptors ----------------------------------------------------------------------- */

static int write_to_fd(void *context, const void *bytes, size_t length) {
    const int *fd = context;
    const char *at = bytes;
    while (length > 0) {
        ssize_t done = write(*fd, at, at_most(length, MOST_AT_ONCE));
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            errno = done == 0 ? EIO : errno; /* no file should take nothing and be content */
            return -1;
        }
        at += done;
        length -= (size_t)done;
    }
    return 0;
}

static ptrdiff_t read_from_fd(void *context, void *bytes, size_t length) {
    const int *fd = context;
    ssize_t got;
    do {
        got = read(*fd, bytes, at_most(length, MOST_AT_ONCE));
    } while (got < 0 && errno == EINTR);
    return got;
}

struct sink guira__sink_of_fd(int *fd) {
    return (struct sink){.writer = write_to_fd, .context = fd, .failure = GUIRA_IO_FAILED};
}

enum guira_status guira__source_of_fd(int *fd, struct source *out) {
    struct source source = {.reader = read_from_fd, .context = fd, .failure = GUIRA_IO_FAILED};
    struct stat about;
    if (fstat(*fd, &about) != 0) {
        return GUIRA_IO_FAILED;
    }
    if (S_ISREG(about.st_mode)) {
        off_t at = lseek(*fd, 0, SEEK_CUR);
        if (at < 0) {
            return GUIRA_IO_FAILED;
        }
        source.is_counted = true;
        source.available = at < about.st_size ? (uint64_t)(about.st_size - at) : 0;
    }
    *out = source;
    return GUIRA_OK;
}

void guira__close(int fd) {
    int kept = errno;
    (void)close(fd);
    errno = kept;
}

int guira__open(const char *path, bool waits) {
    int fd;
    do {
        fd = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
    } while (fd < 0 && errno == EINTR);
    return fd;
}
