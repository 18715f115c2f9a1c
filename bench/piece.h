/*
 * One piece: so many operations of one kind on one table, cut into blocks that are dealt out to the
 * threads. The keys of a block are made before its clock starts.
 */
#ifndef GUIRA_BENCH_PIECE_H
#define GUIRA_BENCH_PIECE_H

#include <stdalign.h>
#include <stdint.h>

#include "contender.h"
#include "crew.h"
#include "support.h"

/* What one thread did. */
struct tally {
    alignas(CACHE_LINE) uint64_t ops;
    uint64_t done;        /* calls that succeeded */
    uint64_t busy;        /* ticks inside the target's calls */
    uint64_t first, last; /* ticks when it started and ended */
};

struct piece {
    struct contender *contender;
    enum operation operation;
    target_call call; /* of the operation; unused by MIXED */
    uint64_t count;   /* rounded up to whole blocks for MIXED */
    unsigned threads; /* for MIXED a divisor of MIXED_PARTS */
    uint64_t stride;
    struct tally tally[MAX_THREADS];
};

/* Run it, and return how many calls succeeded. */
uint64_t piece_run(struct piece *piece);

/* Millions of operations a second, after it ran. */
double piece_speed(const struct piece *piece);

/* Insert `count` keys into one part of those that the mix has for itself. */
void piece_fill_part(struct contender *contender, unsigned part, uint64_t count);

#endif
