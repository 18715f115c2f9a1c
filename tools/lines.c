#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"

enum { READ_SIZE = 256 * 1024 };

static bool is_standard_input(const char *path) {
    return strcmp(path, "-") == 0;
}

static int open_path(const char *path) {
    int fd = is_standard_input(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fail_with_file("open", path);
    }
    return fd;
}

static void close_path(int fd) {
    if (fd != STDIN_FILENO) {
        (void)close(fd);
    }
}

/* 0 at the end of the file. */
static size_t read_some(int fd, char *bytes, size_t room, const char *name) {
    ssize_t length;
    do {
        length = read(fd, bytes, room);
    } while (length < 0 && errno == EINTR);
    if (length < 0) {
        fail_with_file("read", name);
    }
    return (size_t)length;
}

/* What is left to be read of a regular file; false if it is none. Nothing is opened: a named pipe
 * would lose its writer. */
static bool rest_of_file(const char *path, uint64_t *bytes) {
    struct stat about;
    bool is_input = is_standard_input(path);
    if ((is_input ? fstat(STDIN_FILENO, &about) : stat(path, &about)) != 0) {
        fail_with_file("open", name_of(path));
    }
    off_t at = is_input && S_ISREG(about.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    *bytes = about.st_size > at ? (uint64_t)(about.st_size - at) : 0;
    return S_ISREG(about.st_mode) && at >= 0;
}

/* Of all files, or 0 if one of them is not a regular one. A file that is not there is found now,
 * and not after hours of work on those before it. */
static uint64_t total_bytes(char **paths) {
    uint64_t total = 0;
    bool is_known = true;
    for (; *paths != NULL; paths++) {
        uint64_t bytes;
        is_known = rest_of_file(*paths, &bytes) && is_known;
        total += bytes;
    }
    return is_known ? total : 0;
}

void lines_begin(struct lines *lines, char **paths, char delimiter, bool is_quiet) {
    *lines =
        (struct lines){.next_path = paths, .delimiter = delimiter, .fd = -1, .is_quiet = is_quiet};
    lines->total = total_bytes(paths);
}

static void make_room(char **bytes, size_t *room, size_t wanted) {
    if (*room < wanted) {
        *room = wanted > 2 * *room ? wanted : 2 * *room;
        *bytes = get_memory(*bytes, *room);
    }
}

/* What is after the last delimiter begins the next piece. */
static void carry(struct lines *lines, struct piece *piece, size_t from) {
    size_t length = piece->length - from;
    make_room(&lines->carried, &lines->carried_room, length);
    if (length != 0) {
        memcpy(lines->carried, piece->bytes + from, length);
    }
    lines->carried_length = length;
    piece->length = from;
}

static bool open_next(struct lines *lines) {
    if (*lines->next_path == NULL) {
        return false;
    }
    lines->name = name_of(*lines->next_path);
    lines->fd = open_path(*lines->next_path++);
    lines->is_new = true;
    return true;
}

/* Where the line after the last delimiter begins, or `from` if there is no delimiter. */
static size_t after_last(const struct piece *piece, size_t from, char delimiter) {
    size_t at = piece->length;
    while (at > from && piece->bytes[at - 1] != delimiter) {
        at--;
    }
    return at;
}

/* The end of a file ends its last line. */
static bool end_file(struct lines *lines, struct piece *piece) {
    close_path(lines->fd);
    lines->fd = -1;
    if (piece->length == 0) {
        return false;
    }
    piece->bytes[piece->length++] = lines->delimiter;
    return true;
}

/* A file that is compressed has lines, too, though none that anybody means. */
static void warn_of_packed(const char *name, const char *bytes, size_t length) {
    static const struct {
        const char *magic;
        const char *unpack;
    } kinds[] = {{"\x1f\x8b\x08", "zcat"},
                 {"\xfd\x37zXZ", "xzcat"},
                 {"\x28\xb5\x2f\xfd", "zstdcat"},
                 {"BZh91AY&SY", "bzcat"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t magic_length = strlen(kinds[i].magic);
        if (length >= magic_length && memcmp(bytes, kinds[i].magic, magic_length) == 0) {
            complain("%s is compressed, and its bytes are taken as they are: '%s FILE | guira ...' "
                     "reads the lines in it",
                     name, kinds[i].unpack);
        }
    }
}

/* Reads until there is a whole line; false if the file, or all of them, ended without one. */
static bool read_piece(struct lines *lines, struct piece *piece) {
    for (;;) {
        make_room(&piece->bytes, &piece->room, piece->length + READ_SIZE + 1);
        size_t old = piece->length;
        size_t got = read_some(lines->fd, piece->bytes + old, READ_SIZE, lines->name);
        if (got == 0) {
            return end_file(lines, piece);
        }
        if (lines->is_new && !lines->is_quiet) {
            warn_of_packed(lines->name, piece->bytes + old, got);
        }
        lines->is_new = false;
        piece->length += got;
        lines->consumed += got;
        size_t end = after_last(piece, old, lines->delimiter);
        if (end != old) {
            carry(lines, piece, end);
            return true;
        }
    }
}

bool lines_next(struct lines *lines, struct piece *piece) {
    piece->length = 0;
    while (lines->fd >= 0 || open_next(lines)) {
        make_room(&piece->bytes, &piece->room, lines->carried_length + 1);
        if (lines->carried_length != 0) {
            memcpy(piece->bytes, lines->carried, lines->carried_length);
        }
        piece->length = lines->carried_length;
        lines->carried_length = 0;
        if (read_piece(lines, piece)) {
            piece->number = lines->number++;
            piece->consumed = lines->consumed;
            return true;
        }
    }
    return false;
}

static uint64_t count_byte(const char *bytes, size_t length, char byte) {
    uint64_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += bytes[i] == byte;
    }
    return count;
}

/* A line without delimiter at the end counts, too. */
static uint64_t count_file(int fd, const char *name, char delimiter, char *bytes) {
    uint64_t count = 0;
    char last = delimiter;
    size_t length;
    while ((length = read_some(fd, bytes, READ_SIZE, name)) != 0) {
        count += count_byte(bytes, length, delimiter);
        last = bytes[length - 1];
    }
    return count + (last != delimiter);
}

bool lines_count(char **paths, char delimiter, uint64_t *count) {
    static char bytes[READ_SIZE];
    uint64_t total = 0;
    for (char **path = paths; *path != NULL; path++) {
        uint64_t rest;
        if (!rest_of_file(*path, &rest)) {
            return false;
        }
    }
    for (; *paths != NULL; paths++) {
        int fd = open_path(*paths);
        off_t begin = lseek(fd, 0, SEEK_CUR);
        total += count_file(fd, name_of(*paths), delimiter, bytes);
        bool is_back = begin >= 0 && lseek(fd, begin, SEEK_SET) == begin;
        close_path(fd);
        if (!is_back) {
            fail_with_file("read again", name_of(*paths));
        }
    }
    *count = total;
    return true;
}

bool lines_batch(const struct piece *piece, char delimiter, size_t *offset, struct batch *out) {
    const char *at = piece->bytes + *offset;
    const char *end = piece->bytes + piece->length;
    size_t count = 0;
    while (at != end && count < BATCH) {
        const char *stop = memchr(at, delimiter, (size_t)(end - at));
        out->keys[count] = at;
        out->lengths[count++] = (size_t)(stop - at);
        at = stop + 1;
    }
    out->count = count;
    *offset = (size_t)(at - piece->bytes);
    return count != 0;
}
