/*
 * The distinct lines of a file: the keys of the demo.
 */
#ifndef SHARED_FILTER_WORDS_H
#define SHARED_FILTER_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* One line without its newline. Every other byte belongs to it: NUL bytes, carriage returns. */
struct word {
    const unsigned char *bytes;
    size_t length;
};

struct words {
    unsigned char *text; /* the whole file */
    size_t size;
    struct word *all; /* each distinct line once, in the order of first appearance */
    size_t count;
    uint64_t lines; /* in the file, repeated ones too */
};

/*
 * Read a file or a pipe. Returns NULL, or the reason why there are no words; then nothing is kept.
 */
const char *words_read(const char *path, struct words *out);

void words_free(struct words *words);

#endif
