/*
 * Remove: see where a copy is without locks, then take it away under that stripe's lock.
 */
#ifndef GUIRA_LIB_REMOVE_H
#define GUIRA_LIB_REMOVE_H

#include "filter.h"
#include "lookup.h"

/* Empty one slot of one window that holds the element, if any; the caller holds its stripe. */
static inline bool empty_window(struct guira *f, uint64_t bucket, struct pattern p,
                                struct stripe *stripe) {
    const struct geometry *g = &f->table.geometry;
    uint64_t matches = matching_slots(g, held_word(&f->table, bucket), p);
    if (matches == 0) {
        return false;
    }
    empty_and_complete(&f->table, bucket, lowest_slot_mask(g, matches));
    stripe_count(stripe, -1);
    return true;
}

static inline bool remove_from_window(struct guira *f, uint64_t bucket, struct pattern p) {
    struct stripe *stripe = stripe_here(f, bucket);
    HOOK(HOOK_SLOT_CHOSEN);
    stripe_lock(&f->stripes, stripe);
    bool removed = empty_window(f, bucket, p, stripe);
    stripe_unlock(&f->stripes, stripe);
    return removed;
}

/* Apart, so that the usual case has no struct in memory. */
static APART enum guira_status remove_anywhere(struct guira *f, struct element e) {
    struct candidates c = candidates_of(&f->table.geometry, e);
    enum sighting seen = look_surely(f, &c);
    if (seen == NOT_THERE) {
        return GUIRA_NOT_FOUND;
    }
    unsigned side = seen == SEEN_AWAY;
    if (remove_from_window(f, c.bucket[side], c.pattern[side])) {
        return GUIRA_OK;
    }

    /* It has moved, or another thread removed it. With both stripes held nothing moves. */
    struct stripe_set both = stripes_of(f, &c);
    guira__stripe_set_lock(&f->stripes, &both);
    bool removed = empty_window(f, c.bucket[0], c.pattern[0], stripe_here(f, c.bucket[0])) ||
                   empty_window(f, c.bucket[1], c.pattern[1], stripe_here(f, c.bucket[1]));
    guira__stripe_set_unlock(&f->stripes, &both);
    return removed ? GUIRA_OK : GUIRA_NOT_FOUND;
}

/* A copy that is seen at home can go without a thought of the other side. */
static inline enum guira_status remove_element(struct guira *f, struct element e) {
    const struct geometry *g = &f->table.geometry;
    struct pattern home = home_pattern(g, e);
    if (matching_slots(g, search_word(&f->table, e.home.bucket), home) != 0 &&
        remove_from_window(f, e.home.bucket, home)) {
        return GUIRA_OK;
    }
    return remove_anywhere(f, e);
}

static inline enum guira_status remove_hash(struct guira *f, uint64_t hash) {
    return remove_element(f, element_here(f, hash));
}

#endif
