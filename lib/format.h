/*
 * The header of a saved filter, as bytes and as a struct. Pure: no input, no output, no memory.
 * docs/format.md describes every byte.
 *
 *     0                          128              128 + 8N      136 + 8N
 *     +--------------------------+-----------------+------------+
 *     | header      its checksum | N words of buckets | checksum |
 *     +--------------------------+-----------------+------------+
 *
 * N is M, the number of buckets; of a filter that grows, of the level that is filled and then of
 * the one that is emptied into it, if there is one.
 */
#ifndef GUIRA_LIB_FORMAT_H
#define GUIRA_LIB_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "guira/status.h"

#include "geometry.h"

enum {
    MAGIC_BYTES = 8, /* that tell a filter from other data */
    HEADER_BYTES = 128,
    CHECKSUM_BYTES = 8 /* after the words */
};

/* What a header says. */
struct header {
    uint64_t buckets;      /* M; of the lowest level, if the filter grows, and so Q */
    uint32_t tag_bits;     /* f */
    uint32_t window;       /* w */
    uint64_t fingerprints; /* Q */
    uint64_t seed;
    uint32_t hash_identity;
    uint32_t search_budget;
    uint64_t items;
    uint64_t capacity;
    uint32_t levels;   /* 0: the filter does not grow, and the next two are 0 */
    uint32_t level;    /* the one that is filled */
    uint32_t from;     /* the one that is emptied into it; the same if there is none */
    uint64_t checksum; /* of the bytes before it; also the seed of the words' checksum */
};

/* The words that follow; right if this machine's addresses have room for the table of that level.
 * */
static inline uint64_t words_after(const struct header *h) {
    uint64_t emptied = h->from != h->level ? h->buckets << h->from : 0;
    return (h->buckets << h->level) + emptied;
}

/* Bytes of a whole saved filter with so many words. */
static inline uint64_t saved_bytes(uint64_t words) {
    return HEADER_BYTES + words * sizeof(uint64_t) + CHECKSUM_BYTES;
}

/* Makes the bytes, and with them the checksum, which it also stores in the header. */
void guira__header_encode(struct header *header, uint8_t bytes[HEADER_BYTES]);

/*
 * Reads a header of which `length` bytes are there, HEADER_BYTES or fewer if the data ended. Checks
 * all that does not depend on this machine: GUIRA_NOT_A_FILTER, GUIRA_TRUNCATED,
 * GUIRA_BAD_HEADER, GUIRA_NEWER_FORMAT, GUIRA_IMPOSSIBLE_HEADER. Writes *out only on success.
 */
enum guira_status guira__header_decode(const uint8_t bytes[HEADER_BYTES], size_t length,
                                       struct header *out);

#endif
