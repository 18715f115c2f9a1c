/*
 * The checksum of files; see the header.
 */
#define XXH_INLINE_ALL /* before the header, which includes xxHash without it */
#include <xxhash.h>

#include "checksum.h"

void guira__checksum_begin(struct checksum *sum, uint64_t seed) {
    XXH3_INITSTATE(&sum->state);
    (void)XXH3_64bits_reset_withSeed(&sum->state, seed); /* fails for NULL only, as does update */
}

void guira__checksum_add(struct checksum *sum, const void *bytes, size_t length) {
    (void)XXH3_64bits_update(&sum->state, bytes, length);
}

uint64_t guira__checksum_end(const struct checksum *sum) {
    return XXH3_64bits_digest(&sum->state);
}

uint64_t guira__checksum(const void *bytes, size_t length, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, length, seed);
}
