/*
 * The view that a kernel works under. Of a filter that does not grow it never changes, and the
 * compiler makes nothing of it.
 */
#ifndef GUIRA_LIB_VIEW_NOW_H
#define GUIRA_LIB_VIEW_NOW_H

#include "filter.h"
#include "growth.h"
#include "view.h"

#ifdef KERNEL_GROWS
enum { GROWS = 1 };
#else
enum { GROWS = 0 };
#endif

static inline struct view view_now(const struct guira *f) {
    return GROWS ? view_of(&f->growth->tables) : (struct view){0, &f->table, NULL};
}

static inline bool view_stands(const struct guira *f, const struct view *v) {
    return !GROWS || view_holds(&f->growth->tables, v);
}

/* See to it that the page of a bucket is there before locks are held. */
static inline void touch(const struct table *t, uint64_t bucket) {
    /* relaxed: changes nothing, and as a read-modify-write keeps what was published */
    (void)word_add(&t->words[bucket], 0, memory_order_relaxed);
}

/* The element `e` of `to`. */
static inline struct sites sites_of_element(const struct view *v, struct element e) {
    struct sites s = {.now = candidates_of(&v->to->geometry, e)};
    if (v->from != NULL) {
        const struct geometry *from = &v->from->geometry;
        s.before = candidates_of(from, element_in(from, element_number(&v->to->geometry, e)));
    }
    return s;
}

/* The stripes of all places that the element may be in: up to three, as home has the same one at
 * every level. */
static inline struct stripe_set stripes_at(const struct view *v, const struct sites *s) {
    struct stripe_set set = stripes_of(v->to, &s->now);
    if (v->from != NULL) {
        add_stripes_of(&set, v->from, &s->before);
    }
    return set;
}

/* How many copies there are; the caller holds all those stripes. */
static inline unsigned held_copies_at(const struct view *v, const struct sites *s) {
    return held_copies(v->to, &s->now) + (v->from != NULL ? held_copies(v->from, &s->before) : 0);
}

#endif
