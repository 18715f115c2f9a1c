/*
 * Bare memory, to tell what bounds the filters: one or two random words for each key, in a table as
 * large as guira's for 0.1 %. Reading a word that is 0 is a look-up that found its key.
 */
#include "../target.h"

#include <stdlib.h>

#include "../support.h"

enum { BATCH = 32 };

struct memory {
    uint64_t words;
    uint64_t *word;
};

static void *create(const struct wish *wish) {
    struct memory *memory = zeroed(1, sizeof *memory);
    memory->words = (UINT64_C(1) << wish->log2_slots) / 5;
    memory->word = table_get(memory->words * sizeof *memory->word);
    /* Pages that nobody wrote to are all the same zeros. */
    for (uint64_t i = 0; i < memory->words; i += 512) {
        ((volatile uint64_t *)memory->word)[i] = 0;
    }
    return memory;
}

static void destroy(void *table) {
    struct memory *memory = table;
    table_give_back(memory->word, memory->words * sizeof *memory->word);
    free(memory);
}

static void clear(void *table) {
    (void)table;
}

/* Two multiplications scatter consecutive keys over the table at random, and cost little. */
static uint64_t scatter(uint64_t key) {
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    return (hash ^ hash >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t *first_word(const struct memory *memory, uint64_t hash) {
    return &memory->word[scale(hash, memory->words)];
}

static uint64_t *second_word(const struct memory *memory, uint64_t hash) {
    return &memory->word[scale(hash << 32 | hash >> 32, memory->words)];
}

static size_t read_one(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += *first_word(table, scatter(key[i])) == 0;
    }
    return found;
}

static size_t read_two(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = scatter(key[i]);
        found += (*first_word(table, hash) | *second_word(table, hash)) == 0;
    }
    return found;
}

static size_t batch_of(size_t count, size_t from) {
    return count - from < BATCH ? count - from : BATCH;
}

static size_t prefetch_one(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t from = 0; from < count; from += BATCH) {
        size_t size = batch_of(count, from);
        const uint64_t *word[BATCH];
        for (size_t i = 0; i < size; i++) {
            word[i] = first_word(table, scatter(key[from + i]));
            __builtin_prefetch(word[i]);
        }
        for (size_t i = 0; i < size; i++) {
            found += *word[i] == 0;
        }
    }
    return found;
}

static size_t prefetch_two(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t from = 0; from < count; from += BATCH) {
        size_t size = batch_of(count, from);
        const uint64_t *word[2][BATCH];
        for (size_t i = 0; i < size; i++) {
            uint64_t hash = scatter(key[from + i]);
            word[0][i] = first_word(table, hash);
            __builtin_prefetch(word[0][i]);
            word[1][i] = second_word(table, hash);
            __builtin_prefetch(word[1][i]);
        }
        for (size_t i = 0; i < size; i++) {
            found += (*word[0][i] | *word[1][i]) == 0;
        }
    }
    return found;
}

/* Atomic, as two threads may write the same word; relaxed, so a plain store to the processor. */
static size_t write_one(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    for (size_t i = 0; i < count; i++) {
        __atomic_store_n(first_word(table, scatter(key[i])), 0, __ATOMIC_RELAXED);
    }
    return count;
}

#define MEMORY(title, read)                                                                        \
    {                                                                                              \
        .name = (title), .create = create, .destroy = destroy, .clear = clear, .lookup = (read),   \
        .insert = write_one, .remove = write_one, .design = 1, .rate = 1, .granule = 1,            \
        .shared = true,                                                                            \
    }

const struct target target_line = MEMORY("1 line", read_one);
const struct target target_two_lines = MEMORY("2 lines", read_two);
const struct target target_line_prefetched = MEMORY("1 line prefetched", prefetch_one);
const struct target target_two_lines_prefetched = MEMORY("2 lines prefetched", prefetch_two);
