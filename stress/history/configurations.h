/*
 * A set of configurations of the checker: each a pair of how often the element is there and which
 * of the pending operations have taken effect already. It is a list without duplicates, with an
 * index by hash once it is long. It keeps its memory when it is emptied.
 */
#ifndef GUIRA_STRESS_HISTORY_CONFIGURATIONS_H
#define GUIRA_STRESS_HISTORY_CONFIGURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct configuration {
    uint64_t done; /* bit s: the pending operation in slot s has taken effect */
    int copies;
};

struct configurations {
    struct configuration *item;
    size_t size;
    size_t room;
    uint32_t *index; /* item number + 1, 0 is free; a power of two of places, NULL while unused */
    size_t places;
    bool indexed;
};

void configurations_free(struct configurations *set);
void configurations_empty(struct configurations *set);

/* Add unless it is there. Whether it was added. */
bool configurations_add(struct configurations *set, struct configuration c);

#endif
