/*
 * The one or two tables that hold all elements of a filter, for the calls that take it whole.
 *
 * Who holds all locks and reads the view then may go by it until he gives them back, though others
 * may publish a new one meanwhile: that takes no stripe's lock, but filling and emptying do. A
 * table that is new since is still empty, and one that is no longer in use was empty already.
 */
#ifndef GUIRA_LIB_WHOLE_H
#define GUIRA_LIB_WHOLE_H

#include "filter.h"
#include "growth.h"

enum { MOST_TABLES = 2 };

struct whole {
    struct view view;
    unsigned tables;
    const struct table *table[MOST_TABLES]; /* that is filled; that is emptied into it */
};

static inline struct whole whole_of(const struct guira *f) {
    struct view v = guira__view(f);
    return (struct whole){.view = v, .tables = v.from == NULL ? 1 : 2, .table = {v.to, v.from}};
}

/* Of both tables; they are as many words of memory, so the sum is below 2^64. */
static inline uint64_t buckets_in(const struct whole *w) {
    uint64_t buckets = 0;
    for (unsigned i = 0; i < w->tables; i++) {
        buckets += w->table[i]->geometry.buckets;
    }
    return buckets;
}

/* Where an element may be, by its number, while two tables are in use. */
static inline struct sites sites_in_both(const struct whole *w, uint64_t number) {
    const struct geometry *to = &w->view.to->geometry;
    const struct geometry *from = &w->view.from->geometry;
    return (struct sites){.now = candidates_of(to, element_in(to, number)),
                          .before = candidates_of(from, element_in(from, number))};
}

#endif
