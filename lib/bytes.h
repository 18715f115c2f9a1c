/*
 * Numbers as bytes, the lowest first, whatever the machine's own order is.
 */
#ifndef GUIRA_LIB_BYTES_H
#define GUIRA_LIB_BYTES_H

#include <stdint.h>

static inline void put_32(uint8_t *at, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline void put_64(uint8_t *at, uint64_t value) {
    put_32(at, (uint32_t)value);
    put_32(at + 4, (uint32_t)(value >> 32));
}

/* Without a loop, so that compilers see one load in it. */
static inline uint32_t get_32(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t get_64(const uint8_t *at) {
    return get_32(at) | (uint64_t)get_32(at + 4) << 32;
}

#endif
