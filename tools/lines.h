/*
 * Input as pieces of whole lines, for threads to take one after the other.
 *
 *     file       ...one\ntwo\nthr|ee\nfour\n...        | what one read gave
 *     piece      one\ntwo\n                            up to the last delimiter
 *     carried    thr                                   the beginning of the next piece
 *
 * Each line of a piece ends in its delimiter, also the last line of a file that lacks it. A line
 * may be as long as memory lasts. A piece is what one read gives, if that ends a line, so that
 * lines that come slowly through a pipe are answered when they come.
 */
#ifndef GUIRA_TOOLS_LINES_H
#define GUIRA_TOOLS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct piece {
    char *bytes;
    size_t length;
    size_t room;
    uint64_t number;   /* 0, 1, 2 ... in the order of the input */
    uint64_t consumed; /* bytes that had been read of all files when it was made */
};

struct lines {
    char **next_path; /* up to NULL; "-" is standard input */
    char delimiter;
    int fd; /* -1: none is open */
    const char *name;
    bool is_quiet; /* no warnings */
    bool is_new;   /* nothing was read of the file yet */
    char *carried;
    size_t carried_length;
    size_t carried_room;
    uint64_t number;
    uint64_t consumed;
    uint64_t total; /* bytes of all files; 0 if one of them is not a regular one */
};

/* The first keys of a batch; the library's batches are quick from some 32 keys on. */
enum { BATCH = 1024 };

struct batch {
    const void *keys[BATCH];
    size_t lengths[BATCH];
    size_t count;
};

void lines_begin(struct lines *lines, char **paths, char delimiter, bool is_quiet);

/* The next piece, in the memory of the last one; false at the end. One thread at a time. */
bool lines_next(struct lines *lines, struct piece *piece);

/* How many lines there will be; false if that cannot be told without taking them away, as with
 * pipes. */
bool lines_count(char **paths, char delimiter, uint64_t *count);

/* The lines of a piece from an offset on, as many as a batch holds; false if there are none. */
bool lines_batch(const struct piece *piece, char delimiter, size_t *offset, struct batch *out);

#endif
