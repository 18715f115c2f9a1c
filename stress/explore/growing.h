/*
 * The operations of a filter that grows: the real steps of lib/view.h and lib/protocol.h, put
 * together as lib/growing.h and lib/migrate.c do. What is left out: budgets, hints, and paths to
 * make room; the new table always has some.
 */
#ifndef GUIRA_EXPLORE_GROWING_H
#define GUIRA_EXPLORE_GROWING_H

#include "table.h"

/* The lock under which growth starts, beyond the stripes'. */
uint32_t growing_locks(void);

void growing_contains(uint8_t element);
/* At that side, or while two tables are in use at the other one if there is no room. */
void growing_insert(uint8_t element, uint8_t side);
void growing_insert_unique(uint8_t element);
void growing_remove(uint8_t element);
/* Move an entry of the element from that side to the other, in the table that is filled. */
void growing_move(uint8_t element, uint8_t side);

/* Begin to fill the next level, or to go back to the one before, unless two are in use. */
void growing_start(void);
void growing_shrink(void);
/* Empty that stripe of the old table, if there is one; if it is the last, end. */
void growing_migrate(uint32_t stripe);
/* Likewise all stripes, one after the other. */
void growing_migrate_all(void);

#endif
