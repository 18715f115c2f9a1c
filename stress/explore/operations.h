/*
 * The operations of lib/ on the tiny table: the real steps of lib/protocol.h, put together as
 * lib/insert.h, lib/lookup.h and lib/remove.h do, with the machine's locks.
 */
#ifndef GUIRA_EXPLORE_OPERATIONS_H
#define GUIRA_EXPLORE_OPERATIONS_H

#include "table.h"

/* One slot, as a place where a certain element can be. */
struct spot {
    uint8_t element;
    uint8_t side;
    uint8_t slot;
};

void contains(uint8_t element);
void insert(uint8_t element, uint8_t side);
void insert_unique(uint8_t element);
/* Remove, as lib/ does it. */
void remove_any(uint8_t element);
/* Remove with knowledge of the side: the same without the look before the lock. */
void remove_at(uint8_t element, uint8_t side);
/* Move an entry to the other side of its element, if it is there and the slot is free. */
void move(struct spot from, uint8_t slot);
/* Move any entry of the element from that side to the other, if there is one, and room. */
void move_any(uint8_t element, uint8_t side);
/* Insert along a path of entries, each moving to the next one's slot, the last to a free slot on
 * its other side: hop[0].element goes into hop[0]'s slot. Refused if the path does not stand. */
void insert_along(uint8_t element, uint8_t side, const struct spot *hop, uint32_t hops,
                  uint8_t free_slot);
/* Whether a search that sees these two buckets, in this order, sees no free slot while no counter
 * moves; and the sum of the counters. */
bool search_fails(uint32_t first, uint32_t second, uint64_t *removals);

#endif
