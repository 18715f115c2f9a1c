/*
 * Counters of what happens off the fast path: searches, lost races, waits, repeated look-ups.
 * Spread over shards of a cache line each, so that they are never a line that all threads write,
 * and no call that finds its slot at once touches them.
 */
#ifndef GUIRA_LIB_STATS_H
#define GUIRA_LIB_STATS_H

#include <stdint.h>

#include "atomic.h"

enum statistic {
    STAT_SEARCHES,
    STAT_NODES,
    STAT_MOVES,
    STAT_FULL_INSERTS,
    STAT_LOST_RACES,
    STAT_READER_RETRIES,
    STAT_LOCK_WAITS,
    STAT_KINDS
};

enum { STATS_SHARD_BYTES = 64, MAX_STATS_SHARDS = 64 };

struct stats_shard {
    _Alignas(STATS_SHARD_BYTES) atomic_word count[STAT_KINDS];
};

struct stats {
    struct stats_shard *shard;
    uint32_t shards; /* a power of two */
};

/* Add to a counter; `near` picks the shard: any number that differs between concurrent callers. */
static inline void stats_add(const struct stats *stats, enum statistic kind, uint64_t near,
                             uint64_t amount) {
    atomic_word *count = &stats->shard[near & (stats->shards - 1)].count[kind];
    (void)word_add(count, amount, memory_order_relaxed); /* relaxed: a statistic */
}

static inline uint64_t stats_sum(const struct stats *stats, enum statistic kind) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < stats->shards; i++) {
        /* relaxed: a statistic */
        sum += word_load(&stats->shard[i].count[kind], memory_order_relaxed);
    }
    return sum;
}

#endif
