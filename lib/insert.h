/*
 * Insert: fill a free slot of the element's two windows; if there is none, find a path of entries
 * that can move on, without locks, then lock it, check it and carry it out.
 */
#ifndef GUIRA_LIB_INSERT_H
#define GUIRA_LIB_INSERT_H

#include "filter.h"
#include "lookup.h"
#include "path.h"
#include "view_now.h"

/* So many whole searches must fail, while other threads empty slots, before an insert gives up. */
enum { FULL_SEARCHES = 8 };

/* What this file's steps answer besides a final status: not yet, go on. From insert_with_search:
 * the view has changed. */
enum { GO_ON = -1 };

/* Put the element into a free slot, given by its bits; the caller holds the stripe. */
static inline void put(const struct table *t, uint64_t bucket, struct pattern p, uint64_t slot_bits,
                       struct stripe *stripe) {
    fill_and_complete(t, bucket, p.tags & slot_bits);
    stripe_count(stripe, 1);
}

/* Fill the lowest free slot of one window; the caller holds its stripe. */
static inline bool fill_window(const struct table *t, uint64_t bucket, struct pattern p,
                               struct stripe *stripe) {
    const struct geometry *g = &t->geometry;
    uint64_t empty = empty_slots(g, held_word(t, bucket), p);
    if (empty == 0) {
        return false;
    }
    put(t, bucket, p, lowest_slot_mask(g, empty), stripe);
    return true;
}

static inline bool fill_either_window(struct guira *f, const struct table *t,
                                      const struct candidates *c) {
    return fill_window(t, c->bucket[0], c->pattern[0], stripe_in(f, t, c->bucket[0])) ||
           fill_window(t, c->bucket[1], c->pattern[1], stripe_in(f, t, c->bucket[1]));
}

/* Fill a slot of one window if the window looks free and, under its lock, still is. */
static inline bool insert_into_window(struct guira *f, const struct view *v, uint64_t bucket,
                                      struct pattern p) {
    const struct table *t = v->to;
    if (empty_slots(&t->geometry, search_word(t, bucket), p) == 0) {
        return false;
    }
    struct stripe *stripe = stripe_in(f, t, bucket);
    HOOK(HOOK_SLOT_CHOSEN);
    stripe_lock(&f->stripes, stripe);
    bool filled = view_stands(f, v) && fill_window(t, bucket, p, stripe);
    stripe_unlock(&f->stripes, stripe);
    return filled;
}

/* Whether all slots of the element hold the element itself, which no path can change. */
static bool is_at_limit(struct guira *f, const struct table *t, const struct candidates *c) {
    const struct geometry *g = &t->geometry;
    uint64_t home = search_word(t, c->bucket[0]);
    uint64_t away = search_word(t, c->bucket[1]);
    if (matching_slots(g, home, c->pattern[0]) != c->pattern[0].top ||
        matching_slots(g, away, c->pattern[1]) != c->pattern[1].top) {
        return false;
    }
    /* A move shows a copy twice, so only what both locks confirm counts. */
    struct stripe_set both = stripes_of(t, c);
    guira__stripe_set_lock(&f->stripes, &both);
    bool limit = held_copies(t, c) == 2 * shape_of(g)->window_slots;
    guira__stripe_set_unlock(&f->stripes, &both);
    return limit;
}

/* Where one lock is enough: the windows of one table have no more slots than copies may be. */
static int insert_directly(struct guira *f, const struct view *v, const struct candidates *c) {
    if (insert_into_window(f, v, c->bucket[0], c->pattern[0]) ||
        insert_into_window(f, v, c->bucket[1], c->pattern[1])) {
        return GUIRA_OK;
    }
    return is_at_limit(f, v->to, c) ? GUIRA_LIMIT : GO_ON;
}

/* Whether so many copies are there already that no more may come: GUIRA_EXISTS, GUIRA_LIMIT or
 * GO_ON. The caller holds all stripes of the element, so nothing of it moves. */
static int admit(const struct view *v, const struct sites *s, bool unique) {
    unsigned copies = held_copies_at(v, s);
    if (unique) {
        return copies > 0 ? GUIRA_EXISTS : GO_ON;
    }
    return copies >= 2 * shape_of(&v->to->geometry)->window_slots ? GUIRA_LIMIT : GO_ON;
}

static int insert_admitted(struct guira *f, const struct view *v, const struct sites *s,
                           bool unique) {
    struct stripe_set all = stripes_at(v, s);
    guira__stripe_set_lock(&f->stripes, &all);
    int status = GO_ON;
    if (view_stands(f, v)) {
        status = admit(v, s, unique);
        if (status == GO_ON && fill_either_window(f, v->to, &s->now)) {
            status = GUIRA_OK;
        }
    }
    guira__stripe_set_unlock(&f->stripes, &all);
    return status;
}

/* Whether how many copies there are has to be known under locks: for two tables together, as their
 * windows have more slots than copies may be. */
static inline bool must_admit(const struct view *v, bool unique) {
    return unique || v->from != NULL;
}

static int insert_without_moves(struct guira *f, const struct view *v, const struct sites *s,
                                bool unique) {
    if (unique) {
        enum sighting seen = look_surely_at(f, v, s);
        if (seen != NOT_THERE) {
            return seen == UNCLEAR ? GO_ON : GUIRA_EXISTS;
        }
    }
    return must_admit(v, unique) ? insert_admitted(f, v, s, unique)
                                 : insert_directly(f, v, &s->now);
}

/* Whether the path is still what the search saw; the caller holds its stripes. */
static bool path_stands(const struct table *t, const struct path *path) {
    for (uint32_t i = 0; i <= path->length; i++) {
        const struct hop *hop = &path->hop[i];
        uint64_t word = held_word(t, hop->bucket);
        if (slot_tag(&t->geometry, word, hop->slot) != hop->tag) {
            return false;
        }
    }
    return true;
}

/* Carry out a path that stands, from its end backwards: each entry is in its new slot before it
 * leaves the old one. Each step reloads its word, as two hops may share one. */
static void shift_entries(const struct table *t, const struct path *path) {
    const struct geometry *g = &t->geometry;
    for (uint32_t i = path->length; i > 0; i--) {
        const struct hop *from = &path->hop[i - 1];
        const struct hop *to = &path->hop[i];
        fill_for_move(t, to->bucket, moved_tag(g, from, to));
        empty_after_move(t, from->bucket, slot_mask(g, from->slot));
    }
}

static inline void add_stripes_of_path(struct stripe_set *set, const struct table *t,
                                       const struct path *path) {
    for (uint32_t i = 0; i <= path->length; i++) {
        guira__stripe_set_add(set, stripe_of(t, path->hop[i].bucket));
    }
}

/* Make room with a path and fill in the element. The caller holds its stripes, and, if the element
 * has to be admitted, the element's. */
static int fill_along(struct guira *f, const struct view *v, const struct sites *s,
                      const struct path *path, bool unique) {
    const struct table *t = v->to;
    int status = must_admit(v, unique) ? admit(v, s, unique) : GO_ON;
    if (status != GO_ON || !path_stands(t, path)) {
        return status;
    }
    const struct hop *first = &path->hop[0];
    shift_entries(t, path);
    unsigned side = first->bucket != s->now.bucket[0];
    put(t, first->bucket, s->now.pattern[side], slot_mask(&t->geometry, first->slot),
        stripe_in(f, t, first->bucket));
    return GUIRA_OK;
}

/* Lock all of the path at once, check it, and carry it out. */
static int insert_along(struct guira *f, const struct view *v, const struct sites *s,
                        const struct path *path, bool unique) {
    struct stripe_set set =
        must_admit(v, unique) ? stripes_at(v, s) : (struct stripe_set){.size = 0};
    add_stripes_of_path(&set, v->to, path);
    guira__stripe_set_lock(&f->stripes, &set);
    int status = view_stands(f, v) ? fill_along(f, v, s, path, unique) : GO_ON;
    guira__stripe_set_unlock(&f->stripes, &set);
    if (status == GUIRA_OK) {
        stats_add(&f->stats, STAT_MOVES, s->now.bucket[0], path->length);
    }
    return status;
}

/* How often anything was emptied anywhere. */
static uint64_t all_removals(const struct guira *f) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->stripes.count; i++) {
        sum += word_load(&f->table.removals[i], ORDER_COUNTER_BEFORE); /* E1 observes */
    }
    return sum;
}

/*
 * The insert proper. It ends with GUIRA_FULL only after whole searches that failed: two of them
 * with no removal announced anywhere during the last, or FULL_SEARCHES of them. With no removal
 * announced, each slot that the last search saw occupied stayed so to its end, but for those that
 * removes or moves under way at its beginning were just emptying.
 */
static APART int insert_with_search(struct guira *f, const struct view *given, struct element e,
                                    bool unique) {
    const struct view v = GROWS ? *given : view_now(f);
    struct sites s = sites_of_element(&v, e);
    uint64_t home = s.now.bucket[0];
    unsigned lost = 0;
    for (unsigned failed = 0; failed < FULL_SEARCHES;) {
        int status = insert_without_moves(f, &v, &s, unique);
        if (status != GO_ON || !view_stands(f, &v)) {
            return status;
        }
        uint64_t removals = failed > 0 ? all_removals(f) : 0;
        struct path path;
        uint64_t nodes = 0;
        bool found = find_path(v.to, e, f->search_budget, &path, &nodes);
        stats_add(&f->stats, STAT_SEARCHES, home, 1);
        stats_add(&f->stats, STAT_NODES, home, nodes);
        if (found) {
            HOOK(HOOK_PATH_FOUND);
            status = insert_along(f, &v, &s, &path, unique);
            if (status != GO_ON) {
                return status;
            }
            stats_add(&f->stats, STAT_LOST_RACES, home, 1);
            guira__back_off(lost++);
        } else if (failed++ > 0 && all_removals(f) == removals) {
            break;
        }
    }
    return GUIRA_FULL;
}

#ifndef KERNEL_GROWS

/* Where there is no view but one. */
static APART enum guira_status insert_or_full(struct guira *f, struct element e, bool unique) {
    int status = insert_with_search(f, NULL, e, unique);
    if (status == GUIRA_FULL) {
        stats_add(&f->stats, STAT_FULL_INSERTS, e.home.bucket, 1);
    }
    return (enum guira_status)status;
}

/* Most inserts find room at home, and then nothing needs to know the other side. */
static inline enum guira_status insert_element(struct guira *f, struct element e) {
    struct view v = view_now(f);
    if (insert_into_window(f, &v, e.home.bucket, home_pattern(&v.to->geometry, e))) {
        return GUIRA_OK;
    }
    return insert_or_full(f, e, false);
}

static inline enum guira_status insert_hash(struct guira *f, uint64_t hash) {
    return insert_element(f, element_here(f, hash));
}

static inline enum guira_status insert_unique_element(struct guira *f, struct element e) {
    return insert_or_full(f, e, true);
}

static inline enum guira_status insert_unique_hash(struct guira *f, uint64_t hash) {
    return insert_unique_element(f, element_here(f, hash));
}

#endif

#endif
