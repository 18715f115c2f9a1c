/*
 * How far migration is in each stripe. A stripe's cursor counts the buckets of the old table, from
 * the stripe's first on, that were found empty under its lock. Nothing fills them again: who holds
 * the lock afterwards sees the view that they were emptied under. It begins with the low bits of
 * the step, so that one of an earlier migration is known to mean 0.
 */
#ifndef GUIRA_LIB_CURSOR_H
#define GUIRA_LIB_CURSOR_H

#include "growth.h"

enum { CURSOR_BITS = 48 };

static inline uint64_t cursor_start(const struct view *v) {
    return view_step(v->word) << CURSOR_BITS;
}

static inline uint64_t cursor_read(const struct growth *g, const struct view *v, uint64_t stripe) {
    /* relaxed: under the stripe's lock (E4), or a hint that is looked at again under it */
    uint64_t cursor = word_load(&g->cursors[stripe], memory_order_relaxed);
    uint64_t start = cursor_start(v);
    return cursor - start < (UINT64_C(1) << CURSOR_BITS) ? cursor - start : 0;
}

static inline void cursor_write(struct growth *g, const struct view *v, uint64_t stripe,
                                uint64_t done) {
    /* relaxed: under the stripe's lock (E4) */
    word_store(&g->cursors[stripe], cursor_start(v) + done, memory_order_relaxed);
}

/* The buckets of a table that are in a stripe. */
struct range {
    uint64_t first;
    uint64_t count;
};

static inline struct range buckets_of(const struct table *t, uint64_t stripe) {
    uint64_t first = stripe << t->stripe_shift;
    uint64_t end = (stripe + 1) << t->stripe_shift;
    end = end < t->geometry.buckets ? end : t->geometry.buckets;
    return (struct range){first, end - first};
}

static inline bool is_emptied(const struct growth *g, const struct view *v, uint64_t stripe) {
    return cursor_read(g, v, stripe) == buckets_of(v->from, stripe).count;
}

#endif
