/*
 * The checksum of files: XXH3, 64 bits, with a seed, of bytes that come piece by piece. Here xxHash
 * is declared only, for its state; checksum.c is the second file that it is compiled into, beside
 * hash.c.
 */
#ifndef GUIRA_LIB_CHECKSUM_H
#define GUIRA_LIB_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifndef XXH_STATIC_LINKING_ONLY
#define XXH_STATIC_LINKING_ONLY
#endif
#include <xxhash.h>

#if XXH_VERSION_NUMBER < 800
#error "xxHash 0.8.0 or newer is needed: XXH3 gave other numbers before"
#endif

struct checksum {
    XXH3_state_t state;
};

void guira__checksum_begin(struct checksum *sum, uint64_t seed);
void guira__checksum_add(struct checksum *sum, const void *bytes, size_t length);
uint64_t guira__checksum_end(const struct checksum *sum);

/* Of bytes that are all there; the same number. */
uint64_t guira__checksum(const void *bytes, size_t length, uint64_t seed);

#endif
