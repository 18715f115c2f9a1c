/*
 * The checksum of files: XXH3, 64 bits, with a seed, of bytes that come piece by piece. A second
 * file that xxHash is compiled into, beside hash.c.
 */
#ifndef GUIRA_LIB_CHECKSUM_H
#define GUIRA_LIB_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct checksum {
    XXH3_state_t state;
};

void guira__checksum_begin(struct checksum *sum, uint64_t seed);
void guira__checksum_add(struct checksum *sum, const void *bytes, size_t length);
uint64_t guira__checksum_end(const struct checksum *sum);

/* Of bytes that are all there; the same number. */
uint64_t guira__checksum(const void *bytes, size_t length, uint64_t seed);

#endif
