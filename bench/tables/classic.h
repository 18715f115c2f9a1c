/*
 * The cuckoo filter of the articles: buckets of b tags of f bits, a power of two of buckets, the
 * partner bucket by XOR with a hash of the tag, tags that are not 0, and random kicks to make room.
 * It is here to see its loads, rates and kicks, for any b and f; how fast such a filter is shows
 * targets/textbook.h, with four tags of 12 bits.
 */
#ifndef GUIRA_BENCH_CLASSIC_H
#define GUIRA_BENCH_CLASSIC_H

#include <stdbool.h>
#include <stdint.h>

struct classic_shape {
    uint64_t buckets; /* a power of two */
    unsigned slots;   /* b */
    unsigned tag_bits;
    unsigned kicks; /* at most, up to CLASSIC_MOST_KICKS */
};

enum { CLASSIC_MOST_KICKS = 500 };

struct classic;

struct classic *classic_create(struct classic_shape shape, uint64_t seed);
void classic_destroy(struct classic *c);
void classic_clear(struct classic *c);

/* False if the kicks came to no end; then they are undone. */
bool classic_insert(struct classic *c, uint64_t key);
bool classic_contains(const struct classic *c, uint64_t key);
bool classic_remove(struct classic *c, uint64_t key);

/* Kicks of all inserts since it was made. */
uint64_t classic_kicks(const struct classic *c);

#endif
