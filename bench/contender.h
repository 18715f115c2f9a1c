/*
 * A contender: one target with a table and keys of its own. What it does in one round is a piece:
 * so many operations of one kind, by so many threads (piece.h). Here are its life, and the account
 * of its keys, against which every answer is checked.
 *
 * Keys are consecutive numbers, which each target mixes: those from `low` up to `high` are in the
 * table, so inserts go on at the high end and removes at the low one. A mix of operations leaves
 * these alone. It has MIXED_PARTS further intervals that it moves on; each thread has its own.
 */
#ifndef GUIRA_BENCH_CONTENDER_H
#define GUIRA_BENCH_CONTENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"

enum operation { HIT, SKEWED, MISS, INSERT, REMOVE, MIXED };

enum { MIXED_PARTS = 64 };

struct interval {
    uint64_t low, high;
};

struct contender {
    char name[32];
    const struct target *target;
    void *table;
    struct wish wish;
    uint64_t slots;
    uint64_t design; /* keys that it is made for */
    uint64_t base;   /* of its keys, so that no two contenders share any */
    struct interval keys;
    struct interval mixed[MIXED_PARTS];
    uint64_t cursor;  /* counts look-ups, so that each piece asks for other keys */
    uint32_t *skewed; /* numbers of keys, few of them often; NULL: not asked for yet */
    bool full;        /* an insert failed since the table was cleared */
};

struct contender contender_make(const char *name, const struct target *target,
                                const struct wish *wish);
void contender_end(struct contender *contender);
void contender_clear(struct contender *contender);

/* How many keys are in the table, but for those of the mix; and how many of those. */
uint64_t contender_items(const struct contender *contender);
uint64_t contender_mixed_items(const struct contender *contender);

/* Do `count` operations, or a few more, on so many threads, and return millions a second of all
 * threads together. NAN if the table came to be full, or the target cannot do that. */
double contender_run(struct contender *contender, enum operation operation, uint64_t count,
                     unsigned threads);

/* Insert or remove until `items` keys are in the table, as fast as can be, or until it is full. */
void contender_bring_to(struct contender *contender, uint64_t items);

/* Bring the table into the caches of the threads' cores, as far as it fits: the contender before
 * it left its own there. */
void contender_warm(struct contender *contender, unsigned threads);

/* Fill to the load at which all are compared under the mix, 0.88 or what they are made for. */
void contender_prepare_mixed(struct contender *contender);

#endif
