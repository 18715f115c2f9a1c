/*
 * How libFuzzer changes files. Bytes changed anywhere would hardly ever get past the checksums, so
 * most changes are to a part of the file, and then what depends on it is put right: sometimes all,
 * sometimes all but one thing.
 */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fuzz.h"

enum {
    HEADER = 128, /* bytes */
    AT_VERSION = 8,
    AT_BUCKETS = 16,
    AT_TAG_BITS = 24,
    AT_WINDOW = 28,
    AT_FINGERPRINTS = 32,
    AT_FLAGS = 52,
    AT_ITEMS = 56,
    AT_LEVELS = 76,
    AT_LEVEL = 80,
    AT_FROM = 84,
    AT_CHECKSUM = 120,
    WORD = 8
};

/* Which of the things that depend on others stay as they are: bits of a random number. */
enum { KEEP_ALL = 1, KEEP_FINGERPRINTS = 2, KEEP_ITEMS = 4, KEEP_WORDS_SUM = 8, KEEP_BUCKETS = 16 };

/* By libFuzzer: changes the bytes, and their number up to a limit. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
/* Called by libFuzzer in place of it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned random);

static uint64_t get(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

static void put_64(uint8_t *at, uint64_t value) {
    for (unsigned i = 0; i < 8; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

/* Occupied slots of all words. */
static uint64_t count_entries(const uint8_t *data, uint64_t buckets, uint64_t tag_bits) {
    uint64_t entries = 0;
    for (uint64_t i = 0; i < buckets; i++) {
        uint64_t word = get(data + HEADER + WORD * i, WORD);
        for (uint64_t slot = 0; slot < 64 / tag_bits; slot++) {
            entries += (word >> (slot * tag_bits) & ((UINT64_C(1) << tag_bits) - 1)) != 0;
        }
    }
    return entries;
}

/* What the numbers of a filter that grows come to, if they are small enough for there to be one. */
struct levels {
    unsigned above;  /* the lowest */
    uint64_t tables; /* of the lowest level's size that the words would fill */
};

static struct levels levels_of(const uint8_t *data) {
    uint64_t levels = get(data + AT_LEVELS, 4);
    uint64_t level = get(data + AT_LEVEL, 4);
    uint64_t from = get(data + AT_FROM, 4);
    if ((data[AT_FLAGS] & 1) == 0 || levels == 0 || levels > 32 || level > 31 || from > 31) {
        return (struct levels){0, 1};
    }
    uint64_t emptied = from != level ? UINT64_C(1) << from : 0;
    return (struct levels){(unsigned)levels - 1, (UINT64_C(1) << level) + emptied};
}

static void put_right(uint8_t *data, size_t size, unsigned keep) {
    if (size < HEADER + WORD || (keep & KEEP_ALL) != 0) {
        return;
    }
    uint64_t fitting = (size - HEADER - WORD) / WORD;
    struct levels levels = levels_of(data);
    if ((keep & KEEP_BUCKETS) == 0) {
        put_64(data + AT_BUCKETS, fitting / levels.tables);
    }
    uint64_t lowest = get(data + AT_BUCKETS, 8);
    uint64_t buckets = lowest <= fitting ? lowest * levels.tables : lowest;
    uint64_t tag_bits = get(data + AT_TAG_BITS, 4);
    uint64_t window = get(data + AT_WINDOW, 4);
    if (tag_bits >= 4 && tag_bits <= 32 && window > 0 && (keep & KEEP_FINGERPRINTS) == 0) {
        uint64_t offsets = window == 64 / tag_bits ? 1 : window;
        uint64_t fingerprints = ((UINT64_C(1) << tag_bits) - 1) / (2 * offsets);
        put_64(data + AT_FINGERPRINTS, fingerprints >> levels.above << levels.above);
    }
    if (tag_bits >= 4 && tag_bits <= 32 && buckets <= fitting && (keep & KEEP_ITEMS) == 0) {
        put_64(data + AT_ITEMS, count_entries(data, buckets, tag_bits));
    }
    uint64_t sum = XXH3_64bits(data, AT_CHECKSUM);
    put_64(data + AT_CHECKSUM, sum);
    if (buckets <= fitting && (keep & KEEP_WORDS_SUM) == 0) {
        size_t bytes = (size_t)buckets * WORD;
        put_64(data + HEADER + bytes, XXH3_64bits_withSeed(data + HEADER, bytes, sum));
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned random) {
    unsigned what = random % 4;
    unsigned keep = random >> 2;
    /* A quarter of all keep each thing, but an eighth everything. */
    keep = (keep & keep >> 8 & 0x1e) | ((keep >> 16 & 7) == 0 ? KEEP_ALL : 0);
    if (size <= HEADER + WORD || what == 0) {
        size = LLVMFuzzerMutate(data, size, room);
    } else if (what == 1) { /* never longer, so that what follows stays in place */
        (void)LLVMFuzzerMutate(data + AT_VERSION, AT_CHECKSUM - AT_VERSION,
                               AT_CHECKSUM - AT_VERSION);
    } else {
        size = HEADER + LLVMFuzzerMutate(data + HEADER, size - HEADER, room - HEADER);
    }
    put_right(data, size, keep);
    return size;
}
