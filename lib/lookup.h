/*
 * Look-ups: contains reads without locks, count takes them.
 */
#ifndef GUIRA_LIB_LOOKUP_H
#define GUIRA_LIB_LOOKUP_H

#include "filter.h"
#include "view_now.h"

/* Look again until the answer is sure. Each unclear look means that another thread completed a
 * change meanwhile: lock-free. */
static RARE enum sighting look_again(const struct guira *f, const struct candidates *c) {
    enum sighting seen;
    do {
        stats_add(&f->stats, STAT_READER_RETRIES, c->bucket[0], 1);
        seen = look(&f->table, c);
    } while (seen == UNCLEAR);
    return seen;
}

static inline enum sighting look_surely(const struct guira *f, const struct candidates *c) {
    enum sighting seen = look(&f->table, c);
    return seen != UNCLEAR ? seen : look_again(f, c);
}

/* Likewise under a view; UNCLEAR means that the view has changed. */
static inline enum sighting look_surely_at(const struct guira *f, const struct view *v,
                                           const struct sites *s) {
    if (!GROWS) {
        return look_surely(f, &s->now);
    }
    enum sighting seen = look_under(&f->growth->tables, v, s);
    while (seen == UNCLEAR && view_stands(f, v)) {
        stats_add(&f->stats, STAT_READER_RETRIES, s->now.bucket[0], 1);
        seen = look_under(&f->growth->tables, v, s);
    }
    return seen;
}

static inline bool contains_candidates(const struct guira *f, const struct candidates *c) {
    return look_surely(f, c) != NOT_THERE;
}

#ifndef KERNEL_GROWS

static RARE bool contains_again(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    return look_again(f, &c) != NOT_THERE;
}

/* As contains_candidates, but nothing needs an address, so all stays in registers. */
static inline bool contains_hash(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    enum sighting seen = look(&f->table, &c);
    return seen != UNCLEAR ? seen != NOT_THERE : contains_again(f, hash);
}

static inline unsigned count_candidates(const struct guira *f, const struct candidates *c) {
    struct stripe_set both = stripes_of(&f->table, c);
    guira__stripe_set_lock(&f->stripes, &both);
    unsigned copies = held_copies(&f->table, c);
    guira__stripe_set_unlock(&f->stripes, &both);
    return copies;
}

static inline unsigned count_hash(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    return count_candidates(f, &c);
}

#endif

#endif
