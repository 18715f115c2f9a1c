/*
 * The textbook filter as a target.
 */
#include "../target.h"
#include "textbook.h"

static void *create(const struct wish *wish) {
    return textbook_create(wish->log2_slots, wish->seed);
}

static void destroy(void *table) {
    textbook_destroy(table);
}

static void clear(void *table) {
    textbook_clear(table);
}

static size_t lookup(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += textbook_contains(table, key[i]);
    }
    return found;
}

static size_t insert(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t done = 0;
    while (done < count && textbook_insert(table, key[done])) {
        done++;
    }
    return done;
}

static size_t take_away(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        done += textbook_remove(table, key[i]);
    }
    return done;
}

static uint64_t design(const struct wish *wish) {
    return (uint64_t)(0.95 * (double)(UINT64_C(1) << wish->log2_slots));
}

static uint64_t size(const void *table) {
    return textbook_size(table);
}

const struct target target_textbook = {
    .name = "textbook",
    .create = create,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup,
    .insert = insert,
    .remove = take_away,
    .design = design,
    .size = size,
    .rate = 0.003,
    .granule = 1,
};
