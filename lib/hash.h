/*
 * From keys to uniform 64-bit hashes.
 *
 *     bytes    -> XXH3 with the seed               (or the user's hash, then the finaliser)
 *     integers -> a seeded bijective finaliser: two multiply-xorshift rounds
 *
 * The finaliser is the mixer of SplitMix64 with the constants of Stafford's variant 13, seeded
 * before each round (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
 * 2014).
 */
#ifndef GUIRA_LIB_HASH_H
#define GUIRA_LIB_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "guira/options.h"

/* Everything that turns a key into a hash; fixed when the filter is created. */
struct hashing {
    uint64_t seed;
    uint64_t round[2]; /* what the finaliser adds before each round; follows from the seed */
    struct guira_hash_function user;
};

/* SplitMix64's increment: the golden ratio in 64 bits. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* The multipliers of the two rounds. */
#define MIX_FIRST UINT64_C(0xbf58476d1ce4e5b9)
#define MIX_SECOND UINT64_C(0x94d049bb133111eb)

/* For each `middle` a bijection of 64-bit words that spreads every bit over all of them. */
static inline uint64_t mix_with(uint64_t z, uint64_t middle) {
    z = (z ^ (z >> 30)) * MIX_FIRST + middle;
    z = (z ^ (z >> 27)) * MIX_SECOND;
    return z ^ (z >> 31);
}

static inline uint64_t mix_bits(uint64_t z) {
    return mix_with(z, 0);
}

static inline uint64_t finalise(const struct hashing *hashing, uint64_t key) {
    return mix_with(key + hashing->round[0], hashing->round[1]);
}

struct hashing guira__hashing(uint64_t seed, const struct guira_hash_function *user);

/* The identity that says which function hashes this filter's bytes. */
uint32_t guira__hash_identity(const struct hashing *hashing);

uint64_t guira__hash_bytes(const struct hashing *hashing, const void *key, size_t length);

#endif
