/*
 * Finding room: a path of entries, each of which can move to the next one's slot, that ends in an
 * empty slot. Found breadth first without any lock; it may be out of date at once, so whoever
 * carries it out checks it under locks.
 *
 *     hop 0                hop 1                 hop 2
 *     a slot that the      another slot that     an empty slot that
 *     new element can      hop 0's entry         hop 1's entry
 *     use                  can use               can use
 */
#ifndef GUIRA_LIB_PATH_H
#define GUIRA_LIB_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct hop {
    uint64_t bucket;
    uint32_t slot;
    uint64_t tag; /* what the slot held when the search saw it; 0 in the last hop only */
};

struct path {
    uint32_t length; /* number of moves; hop[length] is the empty slot */
    struct hop hop[MAX_MOVES + 1];
};

/*
 * Search for room for the element, trying to move no more than `budget` entries, for each of which
 * it looks at the slots of two windows, and never twice at one slot on one path. Returns whether a
 * path was found; adds the entries tried to *nodes. Changes nothing.
 */
bool guira__find_path(const struct table *t, struct element e, uint32_t budget, struct path *path,
                      uint64_t *nodes);

/* The bits that the entry of one hop gets when it moves to the next hop's slot. */
uint64_t guira__moved_tag(const struct geometry *g, const struct hop *from, const struct hop *to);

#endif
