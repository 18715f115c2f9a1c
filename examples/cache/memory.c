/*
 * Sets of four values; in each the one used last comes first, and the last one is evicted.
 */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS = 4, NONE = -1 };

struct set {
    int used;
    struct value value[WAYS];
};

struct memory {
    uint32_t sets;
    struct set set[];
};

struct memory *memory_create(uint32_t values) {
    uint32_t sets = values / WAYS + 1;
    struct memory *memory = calloc(1, sizeof *memory + sets * sizeof memory->set[0]);
    if (memory != NULL) {
        memory->sets = sets;
    }
    return memory;
}

void memory_destroy(struct memory *memory) {
    free(memory);
}

static struct set *set_of(struct memory *memory, uint32_t key) {
    return &memory->set[(key * 0x85EBCA6Bu >> 8) % memory->sets];
}

static int find(const struct set *set, uint32_t key) {
    for (int i = 0; i < set->used; i++) {
        if (set->value[i].key == key) {
            return i;
        }
    }
    return NONE;
}

static void put_first(struct set *set, const struct value *value, int place) {
    struct value first = *value; /* it may be the one at that place */
    memmove(&set->value[1], &set->value[0], (size_t)place * sizeof first);
    set->value[0] = first;
}

bool memory_get(struct memory *memory, uint32_t key, struct value *value) {
    struct set *set = set_of(memory, key);
    int place = find(set, key);
    if (place == NONE) {
        return false;
    }
    put_first(set, &set->value[place], place);
    *value = set->value[0];
    return true;
}

void memory_put(struct memory *memory, const struct value *value) {
    struct set *set = set_of(memory, value->key);
    int place = find(set, value->key);
    if (place == NONE) {
        set->used += set->used < WAYS;
        place = set->used - 1;
    }
    put_first(set, value, place);
}

void memory_drop(struct memory *memory, uint32_t key) {
    struct set *set = set_of(memory, key);
    int place = find(set, key);
    if (place != NONE) {
        set->used--;
        memmove(&set->value[place], &set->value[place + 1],
                (size_t)(set->used - place) * sizeof set->value[0]);
    }
}
