/*
 * A register-blocked Bloom filter: all bits of a key are in one 64-bit word. It cannot remove, so
 * it shows what a filter can do that need not. It has the bits of the textbook filter, 12 a slot.
 */
#include "../target.h"

#include <stdlib.h>
#include <string.h>

#include "../support.h"

enum { BITS = 5 }; /* of the word that a key sets; some may coincide */

struct blocked {
    uint64_t words;
    uint64_t seed;
    uint64_t *word;
};

static void *create(const struct wish *wish) {
    struct blocked *blocked = zeroed(1, sizeof *blocked);
    blocked->words = (UINT64_C(12) << wish->log2_slots) / 64;
    blocked->seed = mix(wish->seed);
    blocked->word = table_get(blocked->words * sizeof *blocked->word);
    return blocked;
}

static void destroy(void *table) {
    struct blocked *blocked = table;
    table_give_back(blocked->word, blocked->words * sizeof *blocked->word);
    free(blocked);
}

static void clear(void *table) {
    struct blocked *blocked = table;
    memset(blocked->word, 0, blocked->words * sizeof *blocked->word);
}

/* The upper bits of the hash choose the word, five times six of the lower ones the bits in it. */
static uint64_t pattern(uint64_t hash) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < BITS; i++) {
        bits |= UINT64_C(1) << (hash >> (6 * i) & 63);
    }
    return bits;
}

static size_t lookup(void *table, const void *keys, size_t count) {
    const struct blocked *blocked = table;
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = mix(key[i] ^ blocked->seed);
        found += (~blocked->word[scale(hash, blocked->words)] & pattern(hash)) == 0;
    }
    return found;
}

static size_t insert(void *table, const void *keys, size_t count) {
    struct blocked *blocked = table;
    const uint64_t *key = keys;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = mix(key[i] ^ blocked->seed);
        blocked->word[scale(hash, blocked->words)] |= pattern(hash);
    }
    return count;
}

const struct target target_blocked_bloom = {
    .name = "blocked Bloom",
    .create = create,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup,
    .insert = insert,
    .design = 0.95,
    .rate = 0.03,
    .granule = 1,
};
