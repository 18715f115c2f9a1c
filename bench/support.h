/*
 * What every part of the benchmark needs: to give up with a message, memory, and a mix of bits.
 */
#ifndef GUIRA_BENCH_SUPPORT_H
#define GUIRA_BENCH_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#define CACHE_LINE 64

/* Print a message like printf and end the program with status 1. A wrong answer ends here too:
 * the speed of a broken filter is of no interest. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Zeroed memory that never is NULL; given back by free. */
void *zeroed(size_t count, size_t size);

/* Zeroed memory for a table, with huge pages advised as guira asks for its own; and back. */
void *table_get(size_t bytes);
void table_give_back(void *table, size_t bytes);

/* A bijection of 64-bit words: SplitMix64's finaliser, the same kind of mix that guira applies to
 * integers. All targets whose hash is ours to choose use it. */
static inline uint64_t mix(uint64_t z) {
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The high word of a product: maps a uniform hash to [0, range). */
static inline uint64_t scale(uint64_t hash, uint64_t range) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)(((wide)hash * range) >> 64);
}

#endif
