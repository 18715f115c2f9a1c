/*
 * A contender: one target with a table, keys of its own, and a number of threads. What it does in
 * one round is a piece: so many operations of one kind, cut into blocks that are dealt out to its
 * threads. The keys of a block are made before its clock starts, and every answer is checked.
 *
 * Keys are consecutive numbers: those with numbers from `low` up to `high` are in the table, so
 * inserts go on at the high end and removes at the low one. Each target mixes them.
 */
#ifndef GUIRA_BENCH_CONTENDER_H
#define GUIRA_BENCH_CONTENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"

enum operation { HIT, MISS, INSERT, REMOVE };

struct contender {
    char name[32];
    const struct target *target;
    void *table;
    struct wish wish;
    unsigned threads;
    uint64_t slots;
    uint64_t design; /* keys that it is made for */
    uint64_t base;   /* of its keys, so that no two contenders share any */
    uint64_t low, high;
    uint64_t cursor; /* counts look-ups, so that each piece asks for other keys */
    bool full;       /* an insert failed since the table was cleared */
};

struct contender contender_make(const char *name, const struct target *target,
                                const struct wish *wish, unsigned threads);
void contender_end(struct contender *contender);
void contender_clear(struct contender *contender);
uint64_t contender_items(const struct contender *contender);

/* Do `count` operations and return millions a second, of all threads together. NAN if the table
 * came to be full. */
double contender_piece(struct contender *contender, enum operation operation, uint64_t count);

/* Insert or remove until `items` keys are in the table, as fast as can be, or until it is full. */
void contender_bring_to(struct contender *contender, uint64_t items);

/* Bring the table into the caches of the contender's cores, as far as it fits: the contender
 * before it left its own there. */
void contender_warm(struct contender *contender);

#endif
