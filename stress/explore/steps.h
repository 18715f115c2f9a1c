/*
 * What the operations are made of, in any level's table; one that does not grow is level 0.
 */
#ifndef GUIRA_EXPLORE_STEPS_H
#define GUIRA_EXPLORE_STEPS_H

#include "table.h"

/* Sets of stripes, a bit each. */
uint32_t one_stripe(uint32_t level, uint8_t element, uint8_t side);
uint32_t both_stripes(uint32_t level, uint8_t element);
void lock_stripes(uint32_t set);
void unlock_stripes(uint32_t set);

/* W3 in a move. */
void empty_source(const struct table *t, uint64_t bucket, uint64_t slot_bits);
/* Complete an insert or a remove in one window, if there is room, or a copy. */
bool fill_window(uint32_t level, uint8_t element, uint8_t side);
bool empty_window(uint32_t level, uint8_t element, uint8_t side);
uint32_t copies_held(uint32_t level, uint8_t element);

/* The first slot of a set, see lib/bucket.h. */
uint8_t slot_number(uint64_t set);

#endif
