/*
 * Which tables hold the elements of a filter that grows.
 *
 * Such a filter has a table for each level. From level to level the buckets double and the
 * fingerprints are halved, so that every level has the same elements: x stays what it is, only the
 * border between its digits moves. One number, the view word, says which levels are in use:
 *
 *     step, even   one table: it holds everything
 *     step, odd    two tables: what is left in `from` is on its way to `to`; only `to` is filled
 *
 *      63           16 15    8 7     0
 *     +---------------+-------+-------+
 *     |     step      | from  |  to   |      from = to while the step is even
 *     +---------------+-------+-------+
 *
 * The step only grows, so a word that was read twice without a change did not change in between.
 * A level's table keeps its address until the filter ends, and when everything has left it all its
 * words are 0. So who reads a table that is no longer in use, however late, finds it empty, and
 * then learns from the view word that he has to look elsewhere. If the level is in use again, what
 * he finds there is in the filter, and if he finds nothing he learns the same.
 *
 * Like protocol.h, which this goes on from, free of locks and system headers: a model checker
 * compiles it as it is. docs/growth.md argues why it is right.
 */
#ifndef GUIRA_LIB_VIEW_H
#define GUIRA_LIB_VIEW_H

#include <stdbool.h>

#include "protocol.h"

#ifndef ORDER_VIEW_STORE
#define ORDER_VIEW_STORE memory_order_seq_cst /* E5 publishes */
#endif
#ifndef ORDER_VIEW_READ
#define ORDER_VIEW_READ memory_order_seq_cst /* R0 and inside critical sections, E5 observes */
#endif
#ifndef ORDER_VIEW_AFTER
#define ORDER_VIEW_AFTER memory_order_relaxed /* R3, relaxed: E1 or E2 brings the new word along */
#endif
#ifndef ORDER_STRIPE_EMPTIED
#define ORDER_STRIPE_EMPTIED memory_order_acq_rel /* E6 publishes and observes */
#endif

enum { LEVEL_BITS = 8 };

/* What the view word leads to. The levels that a view names are constant from its publication on.
 */
struct tables {
    struct table *level;
    atomic_word *view;
};

struct view {
    uint64_t word;
    const struct table *to;   /* the table that is filled */
    const struct table *from; /* the table that is being emptied into it; NULL if there is none */
};

static inline uint64_t view_word(uint64_t step, uint32_t from, uint32_t to) {
    return step << (2 * LEVEL_BITS) | (uint64_t)from << LEVEL_BITS | to;
}

static inline uint64_t view_step(uint64_t word) {
    return word >> (2 * LEVEL_BITS);
}

static inline uint32_t view_to(uint64_t word) {
    return word & ((1u << LEVEL_BITS) - 1);
}

static inline uint32_t view_from(uint64_t word) {
    return (word >> LEVEL_BITS) & ((1u << LEVEL_BITS) - 1);
}

static inline struct view view_of_word(const struct tables *t, uint64_t word) {
    uint32_t to = view_to(word);
    uint32_t from = view_from(word);
    return (struct view){word, &t->level[to], from == to ? NULL : &t->level[from]};
}

static inline struct view view_of(const struct tables *t) {
    uint64_t word = word_load(t->view, ORDER_VIEW_READ); /* R0, E5 observes */
    HOOK(HOOK_VIEW_READ);
    return view_of_word(t, word);
}

/* Whether the view is still the one in use; asked by writers under the locks of all that they are
 * about to change. */
static inline bool view_holds(const struct tables *t, const struct view *v) {
    return word_load(t->view, ORDER_VIEW_READ) == v->word; /* E5 observes */
}

static inline void view_publish(const struct tables *t, uint64_t word) {
    HOOK(HOOK_VIEW_CHANGES);
    word_store(t->view, word, ORDER_VIEW_STORE); /* E5 publishes */
}

/* Called once for each stripe of the old table, by who saw that it is empty. True for the last one:
 * then everything is in the new table, and the caller publishes a view of that alone. */
static inline bool was_last_stripe(atomic_word *unfinished) {
    /* E6 publishes; E6 observes: what was moved out of all stripes is seen with the next view */
    return word_add(unfinished, UINT64_MAX, ORDER_STRIPE_EMPTIED) == 1;
}

/* An element's places under a view. */
struct sites {
    struct candidates now;    /* in `to` */
    struct candidates before; /* in `from`, if there is one */
};

/* The same element in another table with as many elements. */
static inline struct element element_in(const struct geometry *g, uint64_t number) {
    uint64_t start = number / g->fingerprints;
    uint32_t lanes = shape_of(g)->lanes;
    return (struct element){.home = {start / lanes, (uint32_t)(start % lanes)},
                            .fingerprint = number % g->fingerprints};
}

static inline struct sites sites_of(const struct view *v, uint64_t hash) {
    const struct geometry *to = &v->to->geometry;
    struct sites s = {.now = candidates_of(to, element_of_hash(to, hash))};
    if (v->from != NULL) {
        const struct geometry *from = &v->from->geometry;
        s.before = candidates_of(from, element_of_hash(from, hash));
    }
    return s;
}

/* ---- Readers -------------------------------------------------------------------------------- */

/* Both words of an element, and whether either holds it. */
static inline uint64_t matches_in(const struct table *t, const struct candidates *c) {
    uint64_t home =
        word_load(&t->words[c->bucket[0]], ORDER_WORD_READ); /* R2, E2 and E3 observes */
    uint64_t away =
        word_load(&t->words[c->bucket[1]], ORDER_WORD_READ); /* R2, E2 and E3 observes */
    HOOK(HOOK_WORDS_READ);
    return matching_slots(&t->geometry, home, c->pattern[0]) |
           matching_slots(&t->geometry, away, c->pattern[1]);
}

static inline uint64_t removals_near(const struct table *t, const struct candidates *c,
                                     unsigned side) {
    return word_load(&t->removals[stripe_of(t, c->bucket[side])],
                     ORDER_COUNTER_BEFORE); /* R1, E1 observes */
}

static inline uint64_t removals_after(const struct table *t, const struct candidates *c,
                                      unsigned side) {
    return word_load(&t->removals[stripe_of(t, c->bucket[side])],
                     ORDER_COUNTER_AFTER); /* R3, relaxed: as in look() */
}

/* look() in both tables of a view that has two. Home is in the same stripe at every level. */
static inline enum sighting look_in_both(const struct view *v, const struct sites *s) {
    uint64_t before = removals_near(v->to, &s->now, 0);
    before += removals_near(v->to, &s->now, 1);
    before += removals_near(v->from, &s->before, 1);
    HOOK(HOOK_COUNTERS_READ);
    if (matches_in(v->from, &s->before) != 0) {
        return SEEN_BEFORE;
    }
    if (matches_in(v->to, &s->now) != 0) {
        return SEEN_AWAY;
    }
    uint64_t after = removals_after(v->to, &s->now, 0);
    after += removals_after(v->to, &s->now, 1);
    after += removals_after(v->from, &s->before, 1);
    return after == before ? NOT_THERE : UNCLEAR;
}

/*
 * One look under a view, without locks.
 *
 * "There" is linearised as in look(). If it was not there, nothing left the stripes, and the view
 * is still the one that R0 read, then no table but the view's held the element at R0; the rest is
 * as in look(). A move from table to table fills before it empties, as every move.
 */
static inline enum sighting look_under(const struct tables *t, const struct view *v,
                                       const struct sites *s) {
    enum sighting seen = v->from == NULL ? look(v->to, &s->now) : look_in_both(v, s);
    if (seen != NOT_THERE) {
        return seen;
    }
    /* R3, relaxed: who read what a move emptied has synchronised with it, so sees its view */
    return word_load(t->view, ORDER_VIEW_AFTER) == v->word ? NOT_THERE : UNCLEAR;
}

#endif
