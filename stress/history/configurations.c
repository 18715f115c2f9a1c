#include "configurations.h"

#include "history.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64, LONGEST_UNINDEXED = 24 };

void configurations_free(struct configurations *set) {
    free(set->item);
    free(set->index);
    *set = (struct configurations){0};
}

void configurations_empty(struct configurations *set) {
    set->size = 0;
    set->indexed = false;
}

static size_t first_place(const struct configurations *set, struct configuration c) {
    uint64_t hash = (c.done + (uint64_t)c.copies) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    return (size_t)((hash * UINT64_C(0xbf58476d1ce4e5b9)) >> 20) & (set->places - 1);
}

/* The place of an equal item, or the free one where it belongs. */
static size_t find_place(const struct configurations *set, struct configuration c) {
    size_t place = first_place(set, c);
    while (set->index[place] != 0) {
        const struct configuration *other = &set->item[set->index[place] - 1];
        if (other->done == c.done && other->copies == c.copies) {
            break;
        }
        place = (place + 1) & (set->places - 1);
    }
    return place;
}

static void build_index(struct configurations *set) {
    if (set->places < 4 * set->room) {
        free(set->index);
        set->places = 4 * set->room;
        set->index = allocate(set->places, sizeof *set->index);
    } else {
        memset(set->index, 0, set->places * sizeof *set->index);
    }
    set->indexed = true;
    for (size_t i = 0; i < set->size; i++) {
        set->index[find_place(set, set->item[i])] = (uint32_t)(i + 1);
    }
}

static void grow(struct configurations *set) {
    set->room = set->room == 0 ? FIRST_ROOM : 2 * set->room;
    struct configuration *larger = allocate(set->room, sizeof *larger);
    if (set->size > 0) {
        memcpy(larger, set->item, set->size * sizeof *larger);
    }
    free(set->item);
    set->item = larger;
    set->indexed = false; /* it is built anew for the new size */
}

static bool is_listed(const struct configurations *set, struct configuration c) {
    for (size_t i = 0; i < set->size; i++) {
        if (set->item[i].done == c.done && set->item[i].copies == c.copies) {
            return true;
        }
    }
    return false;
}

bool configurations_add(struct configurations *set, struct configuration c) {
    if (set->size == set->room) {
        grow(set);
    }
    if (set->size <= LONGEST_UNINDEXED) {
        if (is_listed(set, c)) {
            return false;
        }
    } else {
        if (!set->indexed) {
            build_index(set);
        }
        size_t place = find_place(set, c);
        if (set->index[place] != 0) {
            return false;
        }
        set->index[place] = (uint32_t)(set->size + 1);
    }
    set->item[set->size++] = c;
    return true;
}
