/*
 * Remove: see where a copy is without locks, then take it away under that stripe's lock.
 */
#ifndef GUIRA_LIB_REMOVE_H
#define GUIRA_LIB_REMOVE_H

#include "filter.h"
#include "lookup.h"
#include "view_now.h"

/* Empty one slot of one window that holds the element, if any; the caller holds its stripe. */
static inline bool empty_window(const struct table *t, uint64_t bucket, struct pattern p,
                                struct stripe *stripe) {
    const struct geometry *g = &t->geometry;
    uint64_t matches = matching_slots(g, held_word(t, bucket), p);
    if (matches == 0) {
        return false;
    }
    empty_and_complete(t, bucket, lowest_slot_mask(g, matches));
    stripe_count(stripe, -1);
    return true;
}

static inline bool empty_either_window(struct guira *f, const struct table *t,
                                       const struct candidates *c) {
    return empty_window(t, c->bucket[0], c->pattern[0], stripe_in(f, t, c->bucket[0])) ||
           empty_window(t, c->bucket[1], c->pattern[1], stripe_in(f, t, c->bucket[1]));
}

static inline bool remove_from_window(struct guira *f, const struct view *v, uint64_t bucket,
                                      struct pattern p) {
    struct stripe *stripe = stripe_in(f, v->to, bucket);
    HOOK(HOOK_SLOT_CHOSEN);
    stripe_lock(&f->stripes, stripe);
    bool removed = view_stands(f, v) && empty_window(v->to, bucket, p, stripe);
    stripe_unlock(&f->stripes, stripe);
    return removed;
}

#ifndef KERNEL_GROWS

/* Apart, so that the usual case has no struct in memory. */
static APART enum guira_status remove_anywhere(struct guira *f, struct element e) {
    struct view v = view_now(f);
    struct candidates c = candidates_of(&v.to->geometry, e);
    enum sighting seen = look_surely(f, &c);
    if (seen == NOT_THERE) {
        return GUIRA_NOT_FOUND;
    }
    unsigned side = seen == SEEN_AWAY;
    if (remove_from_window(f, &v, c.bucket[side], c.pattern[side])) {
        return GUIRA_OK;
    }

    /* It has moved, or another thread removed it. With both stripes held nothing moves. */
    struct stripe_set both = stripes_of(v.to, &c);
    guira__stripe_set_lock(&f->stripes, &both);
    bool removed = empty_either_window(f, v.to, &c);
    guira__stripe_set_unlock(&f->stripes, &both);
    return removed ? GUIRA_OK : GUIRA_NOT_FOUND;
}

/* A copy that is seen at home can go without a thought of the other side. */
static inline enum guira_status remove_element(struct guira *f, struct element e) {
    struct view v = view_now(f);
    const struct geometry *g = &v.to->geometry;
    struct pattern home = home_pattern(g, e);
    if (matching_slots(g, search_word(v.to, e.home.bucket), home) != 0 &&
        remove_from_window(f, &v, e.home.bucket, home)) {
        return GUIRA_OK;
    }
    return remove_anywhere(f, e);
}

static inline enum guira_status remove_hash(struct guira *f, uint64_t hash) {
    return remove_element(f, element_here(f, hash));
}

#endif

#endif
