/*
 * How a filter gets more room while everyone keeps working: when it starts, who does the work, and
 * when it ends. view.h says how readers and writers find their way meanwhile.
 *
 *     start      one thread makes the next level's table and publishes a view of both
 *     migrate    every call that changes the filter first empties a few buckets of the old table,
 *                in any stripe; a stripe's cursor says how far it is
 *     end        who empties the last stripe publishes a view of the new table alone
 */
#ifndef GUIRA_LIB_GROWTH_H
#define GUIRA_LIB_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

#include "guira/options.h"
#include "guira/status.h"

#include "lock.h"
#include "view.h"

struct guira;

/* A level, and the number of items from which it is too small. */
struct level_limits {
    uint64_t crowded_from;
    size_t table_bytes;
};

struct growth {
    struct tables tables;
    uint32_t levels;
    struct level_limits limits[MAX_LEVELS];

    /* Held by the thread that makes a table; words of levels change under it. */
    struct lock starting;
    atomic_word wanted; /* the level that guira_reserve asked for */
    atomic_word kept;   /* bytes of the tables of all levels that ever were in use */

    /* For each stripe, how many of the old table's buckets are known to be empty, under the
     * stripe's lock; see cursor.h. */
    atomic_word *cursors;
    atomic_word unfinished;  /* stripes of the old table that are not empty yet */
    atomic_word touched;     /* words of the new table whose pages are there, or soon will be */
    atomic_word next_stripe; /* where to look for one that is not empty */
    atomic_word idle;        /* so many shares in a row came to nothing, */
    atomic_word passed;      /* and the last one ended so many buckets behind its cursor */
    atomic_word rests;       /* so many changes need not take part */
    atomic_word stands;      /* not 0 once there was such a rest */
};

/* The view now; of a filter that does not grow its only table. */
struct view guira__view(const struct guira *f);

/* Whether a bucket of a view's old table is known to be empty for good, by its stripe's cursor; the
 * caller holds the stripe. */
bool guira__was_emptied(const struct guira *f, const struct view *v, uint64_t bucket);

/* Begin to fill another level under a view of one table. GUIRA_OK also if another thread was first;
 * else what the failure to get the table is, and then all is as it was. */
enum guira_status guira__growth_start(struct guira *f, const struct view *v, uint32_t level);

/* Whether nobody is between emptying a stripe and saying so, or between emptying the last one and
 * the view that follows. The caller holds all locks. */
bool guira__is_settled(const struct guira *f);

/* Do a share of the migration of a view that has two tables. `stripe` is a good place to begin. The
 * caller holds no lock. */
void guira__migrate_some(struct guira *f, const struct view *v, uint64_t stripe);

/*
 * What to do about an insert that found no room under a view. GUIRA_OK: try again, under another
 * view, or there may be room now. GUIRA_FULL; GUIRA_NO_MEMORY and GUIRA_BAD_ALLOCATOR if there was
 * no table to be had, and then all is as it was.
 */
enum guira_status guira__make_room(struct guira *f, const struct view *v);

/* Begin to grow if the view's only table is as full as it should get. True if there is another view
 * now. No memory is no failure here: there is room as yet. If it is costly to tell how full the
 * table is, that is done for one sample in many, a number that is as good as random. */
bool guira__relieve(struct guira *f, const struct view *v, uint64_t sample);

/* Whether entries of the view's old table had no room in the new one, and that has as many items as
 * it should have. Whoever comes in then takes the room that those may get when others leave, and
 * the growth would never end. */
bool guira__is_blocked(const struct guira *f, const struct view *v);

#endif
