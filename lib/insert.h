/*
 * Insert: fill a free slot of the element's two windows; if there is none, find a path of entries
 * that can move on, without locks, then lock it, check it and carry it out.
 */
#ifndef GUIRA_LIB_INSERT_H
#define GUIRA_LIB_INSERT_H

#include "filter.h"
#include "lookup.h"
#include "path.h"

/* So many whole searches must fail, while other threads empty slots, before an insert gives up. */
enum { FULL_SEARCHES = 8 };

/* What this file's steps answer besides a final status: not yet, go on. */
enum { GO_ON = -1 };

/* Put the element into a free slot, given by its bits; the caller holds the stripe. */
static inline void put(struct guira *f, uint64_t bucket, struct pattern p, uint64_t slot_bits,
                       struct stripe *stripe) {
    fill_and_complete(&f->table, bucket, p.tags & slot_bits);
    stripe_count(stripe, 1);
}

/* Fill the lowest free slot of one window; the caller holds its stripe. */
static inline bool fill_window(struct guira *f, uint64_t bucket, struct pattern p,
                               struct stripe *stripe) {
    const struct geometry *g = &f->table.geometry;
    uint64_t empty = empty_slots(g, held_word(&f->table, bucket), p);
    if (empty == 0) {
        return false;
    }
    put(f, bucket, p, lowest_slot_mask(g, empty), stripe);
    return true;
}

/* Fill a slot of one window if the window looks free and, under its lock, still is. */
static inline bool insert_into_window(struct guira *f, uint64_t bucket, struct pattern p) {
    if (empty_slots(&f->table.geometry, search_word(&f->table, bucket), p) == 0) {
        return false;
    }
    struct stripe *stripe = stripe_here(f, bucket);
    HOOK(HOOK_SLOT_CHOSEN);
    stripe_lock(&f->stripes, stripe);
    bool filled = fill_window(f, bucket, p, stripe);
    stripe_unlock(&f->stripes, stripe);
    return filled;
}

/* Whether all slots of the element hold the element itself, which no path can change. */
static bool is_at_limit(struct guira *f, const struct candidates *c) {
    const struct geometry *g = &f->table.geometry;
    uint64_t home = search_word(&f->table, c->bucket[0]);
    uint64_t away = search_word(&f->table, c->bucket[1]);
    if (matching_slots(g, home, c->pattern[0]) != c->pattern[0].top ||
        matching_slots(g, away, c->pattern[1]) != c->pattern[1].top) {
        return false;
    }
    /* A move shows a copy twice, so only what both locks confirm counts. */
    struct stripe_set both = stripes_of(f, c);
    guira__stripe_set_lock(&f->stripes, &both);
    bool limit = held_copies(f, c) == 2 * shape_of(g)->window_slots;
    guira__stripe_set_unlock(&f->stripes, &both);
    return limit;
}

static int insert_directly(struct guira *f, const struct candidates *c) {
    if (insert_into_window(f, c->bucket[0], c->pattern[0]) ||
        insert_into_window(f, c->bucket[1], c->pattern[1])) {
        return GUIRA_OK;
    }
    return is_at_limit(f, c) ? GUIRA_LIMIT : GO_ON;
}

/* With both stripes held nothing moves, so the element's absence is sure. */
static int insert_unique_directly(struct guira *f, const struct candidates *c) {
    if (look_surely(f, c) != NOT_THERE) {
        return GUIRA_EXISTS;
    }
    struct stripe_set both = stripes_of(f, c);
    guira__stripe_set_lock(&f->stripes, &both);
    int status = GO_ON;
    if (held_copies(f, c) > 0) {
        status = GUIRA_EXISTS;
    } else if (fill_window(f, c->bucket[0], c->pattern[0], stripe_here(f, c->bucket[0])) ||
               fill_window(f, c->bucket[1], c->pattern[1], stripe_here(f, c->bucket[1]))) {
        status = GUIRA_OK;
    }
    guira__stripe_set_unlock(&f->stripes, &both);
    return status;
}

/* Whether the path is still what the search saw; the caller holds its stripes. */
static bool path_stands(const struct guira *f, const struct path *path) {
    for (uint32_t i = 0; i <= path->length; i++) {
        const struct hop *hop = &path->hop[i];
        uint64_t word = held_word(&f->table, hop->bucket);
        if (slot_tag(&f->table.geometry, word, hop->slot) != hop->tag) {
            return false;
        }
    }
    return true;
}

/* Carry out a path that stands, from its end backwards: each entry is in its new slot before it
 * leaves the old one. Each step reloads its word, as two hops may share one. */
static void shift_entries(struct guira *f, const struct path *path) {
    const struct geometry *g = &f->table.geometry;
    for (uint32_t i = path->length; i > 0; i--) {
        const struct hop *from = &path->hop[i - 1];
        const struct hop *to = &path->hop[i];
        fill_for_move(&f->table, to->bucket, moved_tag(g, from, to));
        empty_after_move(&f->table, from->bucket, slot_mask(g, from->slot));
    }
}

/* Lock all of the path at once, check it, make room with it, fill in the element. */
static int insert_along(struct guira *f, const struct candidates *c, const struct path *path,
                        bool unique) {
    struct stripe_set set = unique ? stripes_of(f, c) : (struct stripe_set){.size = 0};
    for (uint32_t i = 0; i <= path->length; i++) {
        guira__stripe_set_add(&set, stripe_of(&f->table, path->hop[i].bucket));
    }

    guira__stripe_set_lock(&f->stripes, &set);
    int status = GO_ON;
    if (unique && held_copies(f, c) > 0) {
        status = GUIRA_EXISTS;
    } else if (path_stands(f, path)) {
        const struct hop *first = &path->hop[0];
        shift_entries(f, path);
        unsigned side = first->bucket != c->bucket[0];
        put(f, first->bucket, c->pattern[side], slot_mask(&f->table.geometry, first->slot),
            stripe_here(f, first->bucket));
        status = GUIRA_OK;
    }
    guira__stripe_set_unlock(&f->stripes, &set);

    if (status == GUIRA_OK) {
        stats_add(&f->stats, STAT_MOVES, c->bucket[0], path->length);
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
static APART enum guira_status insert_with_search(struct guira *f, struct element e, bool unique) {
    struct candidates c = candidates_of(&f->table.geometry, e);
    unsigned lost = 0;
    for (unsigned failed = 0; failed < FULL_SEARCHES;) {
        int status = unique ? insert_unique_directly(f, &c) : insert_directly(f, &c);
        if (status != GO_ON) {
            return (enum guira_status)status;
        }
        uint64_t removals = failed > 0 ? all_removals(f) : 0;
        struct path path;
        uint64_t nodes = 0;
        bool found = find_path(&f->table, e, f->search_budget, &path, &nodes);
        stats_add(&f->stats, STAT_SEARCHES, c.bucket[0], 1);
        stats_add(&f->stats, STAT_NODES, c.bucket[0], nodes);
        if (found) {
            HOOK(HOOK_PATH_FOUND);
            status = insert_along(f, &c, &path, unique);
            if (status != GO_ON) {
                return (enum guira_status)status;
            }
            stats_add(&f->stats, STAT_LOST_RACES, c.bucket[0], 1);
            guira__back_off(lost++);
        } else if (failed++ > 0 && all_removals(f) == removals) {
            break;
        }
    }
    stats_add(&f->stats, STAT_FULL_INSERTS, c.bucket[0], 1);
    return GUIRA_FULL;
}

/* Most inserts find room at home, and then nothing needs to know the other side. */
static inline enum guira_status insert_element(struct guira *f, struct element e) {
    if (insert_into_window(f, e.home.bucket, home_pattern(&f->table.geometry, e))) {
        return GUIRA_OK;
    }
    return insert_with_search(f, e, false);
}

static inline enum guira_status insert_hash(struct guira *f, uint64_t hash) {
    return insert_element(f, element_here(f, hash));
}

static inline enum guira_status insert_unique_element(struct guira *f, struct element e) {
    return insert_with_search(f, e, true);
}

static inline enum guira_status insert_unique_hash(struct guira *f, uint64_t hash) {
    return insert_unique_element(f, element_here(f, hash));
}

#endif
