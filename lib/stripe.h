/*
 * Stripes: contiguous ranges of buckets, each with a lock and a share of the item count. What more
 * than one stripe needs is locked together, in ascending order, through a stripe_set: the one place
 * that takes several locks, so that no two threads ever wait for each other.
 *
 *     buckets   | 0 .. 2^s - 1 | 2^s .. 2 * 2^s - 1 | ...
 *     stripe    |      0       |         1          | ...
 */
#ifndef GUIRA_LIB_STRIPE_H
#define GUIRA_LIB_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "atomic.h"
#include "geometry.h"
#include "hook.h"
#include "lock.h"
#include "stats.h"

struct stripe {
    struct lock lock;
    atomic_word items; /* inserts less removes that were carried out here, modulo 2^64 */
};

struct stripes {
    struct stripe *all;
    const struct stats *stats;
    uint32_t count;
    bool unlocked; /* single writer: locks are never taken */
};

/* The most stripes that one operation needs: a path's, and an element's own, of which there are
 * three in two tables, and the path begins in one. */
enum { MAX_STRIPE_SET = MAX_MOVES + 1 + 2 };

/* Stripes to be locked together: ascending, each once. */
struct stripe_set {
    uint32_t size;
    uint32_t stripe[MAX_STRIPE_SET];
};

void guira__stripe_set_add(struct stripe_set *set, uint64_t number);
void guira__stripe_set_lock(const struct stripes *stripes, const struct stripe_set *set);
void guira__stripe_set_unlock(const struct stripes *stripes, const struct stripe_set *set);

void guira__lock_all(const struct stripes *stripes);
void guira__unlock_all(const struct stripes *stripes);

/* The sum of all stripes' counts, modulo 2^64; exact while no writer runs. */
uint64_t guira__item_sum(const struct stripes *stripes);

/* The number of items, never below 0, which the sum may seem to be beside writers. */
static inline uint64_t items_now(const struct stripes *stripes) {
    uint64_t sum = guira__item_sum(stripes);
    return sum > INT64_MAX ? 0 : sum;
}

static inline struct stripe *stripe_at(const struct stripes *stripes, uint64_t number) {
    return &stripes->all[number];
}

static inline void stripe_lock(const struct stripes *stripes, struct stripe *stripe) {
    if (!stripes->unlocked && lock_take(&stripe->lock)) {
        stats_add(stripes->stats, STAT_LOCK_WAITS, (uint64_t)(stripe - stripes->all), 1);
    }
    HOOK(HOOK_LOCKED);
}

static inline void stripe_unlock(const struct stripes *stripes, struct stripe *stripe) {
    HOOK(HOOK_UNLOCKING);
    if (!stripes->unlocked) {
        lock_release(&stripe->lock);
    }
}

/* Change the stripe's item count; the caller holds its lock, or made the filter and has not yet
 * handed it to anyone. */
static inline void stripe_count(struct stripe *stripe, int64_t change) {
    /* relaxed: single writer, only the lock's holder changes it (E4) */
    uint64_t now = word_load(&stripe->items, memory_order_relaxed) + (uint64_t)change;
    word_store(&stripe->items, now, memory_order_relaxed); /* relaxed: a statistic to others */
}

#endif
