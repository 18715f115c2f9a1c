/*
 * The calls on one element of a filter that grows. Each reads the view, works under it, and begins
 * again if there is another one by the time that it holds its locks.
 */
#ifndef GUIRA_LIB_GROWING_H
#define GUIRA_LIB_GROWING_H

#include "growth.h"
#include "insert.h"
#include "lookup.h"
#include "remove.h"

/* Look under one view after the other until the answer is sure. */
static bool contains_under_any(const struct guira *f, uint64_t hash) {
    for (;;) {
        struct view v = view_now(f);
        struct sites s = sites_of(&v, hash);
        enum sighting seen = look_under(&f->growth->tables, &v, &s);
        if (seen != UNCLEAR) {
            return seen != NOT_THERE;
        }
        stats_add(&f->stats, STAT_READER_RETRIES, s.now.bucket[0], 1);
    }
}

static RARE bool contains_again(const struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    stats_add(&f->stats, STAT_READER_RETRIES, element_of_hash(&v.to->geometry, hash).home.bucket,
              1);
    return contains_under_any(f, hash);
}

/* Under a view with one table, where the element may be in `now`: nothing needs an address, so all
 * stays in registers. */
static inline bool contains_at_rest(const struct guira *f, const struct view *v,
                                    struct candidates now, uint64_t hash) {
    struct sites s;
    s.now = now;
    enum sighting seen = look_under(&f->growth->tables, v, &s);
    return seen != UNCLEAR ? seen != NOT_THERE : contains_again(f, hash);
}

static inline bool contains_hash(const struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    if (v.from != NULL) {
        return contains_under_any(f, hash);
    }
    const struct geometry *g = &v.to->geometry;
    return contains_at_rest(f, &v, candidates_of(g, element_of_hash(g, hash)), hash);
}

static inline unsigned count_hash(const struct guira *f, uint64_t hash) {
    for (;;) {
        struct view v = view_now(f);
        struct sites s = sites_of(&v, hash);
        struct stripe_set all = stripes_at(&v, &s);
        guira__stripe_set_lock(&f->stripes, &all);
        bool stands = view_stands(f, &v);
        unsigned copies = stands ? held_copies_at(&v, &s) : 0;
        guira__stripe_set_unlock(&f->stripes, &all);
        if (stands) {
            return copies;
        }
    }
}

/* The view that a change is made under, after its share of a migration was done. */
static inline struct view view_to_change(struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    if (v.from != NULL) {
        struct element e = element_of_hash(&v.to->geometry, hash);
        touch(v.to, e.home.bucket);
        guira__migrate_some(f, &v, stripe_of(v.to, e.home.bucket));
    }
    return v;
}

/* What an insert answers that may not come in even if there is a free slot. GO_ON if the view has
 * changed. */
static int refuse(struct guira *f, const struct view *v, struct element e, bool unique) {
    struct sites s = sites_of_element(v, e);
    struct stripe_set all = stripes_at(v, &s);
    guira__stripe_set_lock(&f->stripes, &all);
    int status = GO_ON;
    if (view_stands(f, v)) {
        status = admit(v, &s, unique);
        status = status == GO_ON ? GUIRA_FULL : status;
    }
    guira__stripe_set_unlock(&f->stripes, &all);
    return status;
}

/* The way of inserts that found no room at once, and of all while two tables are in use. */
static inline int insert_under(struct guira *f, const struct view *v, struct element e,
                               bool unique) {
    if (v->from == NULL && guira__relieve(f, v, e.home.bucket)) {
        return GO_ON;
    }
    bool is_blocked = v->from != NULL && guira__is_blocked(f, v);
    int status = is_blocked ? refuse(f, v, e, unique) : insert_with_search(f, v, e, unique);
    if (status != GUIRA_FULL) {
        return status;
    }
    enum guira_status room = guira__make_room(f, v);
    if (room == GUIRA_FULL) {
        stats_add(&f->stats, STAT_FULL_INSERTS, e.home.bucket, 1);
    }
    return room == GUIRA_OK ? GO_ON : (int)room;
}

static APART enum guira_status insert_until_done(struct guira *f, uint64_t hash, bool unique) {
    for (;;) {
        struct view v = view_to_change(f, hash);
        struct element e = element_of_hash(&v.to->geometry, hash);
        int status = insert_under(f, &v, e, unique);
        if (status != GO_ON) {
            return (enum guira_status)status;
        }
    }
}

/* Most inserts find room at home in the only table. */
static inline bool insert_at_home(struct guira *f, const struct view *v, struct element e) {
    return v->from == NULL &&
           insert_into_window(f, v, e.home.bucket, home_pattern(&v->to->geometry, e));
}

static inline enum guira_status insert_hash(struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    if (insert_at_home(f, &v, element_of_hash(&v.to->geometry, hash))) {
        return GUIRA_OK;
    }
    return insert_until_done(f, hash, false);
}

static inline enum guira_status insert_unique_hash(struct guira *f, uint64_t hash) {
    return insert_until_done(f, hash, true);
}

/* Take a copy away from wherever it is. GO_ON if there is another view. */
static int remove_held(struct guira *f, const struct view *v, const struct sites *s) {
    struct stripe_set all = stripes_at(v, s);
    guira__stripe_set_lock(&f->stripes, &all);
    int status = GO_ON;
    if (view_stands(f, v)) {
        bool removed = (v->from != NULL && empty_either_window(f, v->from, &s->before)) ||
                       empty_either_window(f, v->to, &s->now);
        status = removed ? GUIRA_OK : GUIRA_NOT_FOUND;
    }
    guira__stripe_set_unlock(&f->stripes, &all);
    return status;
}

static int remove_under(struct guira *f, const struct view *v, const struct sites *s) {
    enum sighting seen = look_surely_at(f, v, s);
    if (seen == UNCLEAR || seen == NOT_THERE) {
        return seen == UNCLEAR ? GO_ON : GUIRA_NOT_FOUND;
    }
    if (v->from == NULL) {
        unsigned side = seen == SEEN_AWAY;
        if (remove_from_window(f, v, s->now.bucket[side], s->now.pattern[side])) {
            return GUIRA_OK;
        }
    }
    return remove_held(f, v, s);
}

static APART enum guira_status remove_until_done(struct guira *f, uint64_t hash) {
    for (;;) {
        struct view v = view_to_change(f, hash);
        struct sites s = sites_of(&v, hash);
        int status = remove_under(f, &v, &s);
        if (status != GO_ON) {
            return (enum guira_status)status;
        }
    }
}

/* A copy that is seen at home in the only table can go without a thought of the other side. */
static inline bool remove_at_home(struct guira *f, const struct view *v, struct element e) {
    const struct geometry *g = &v->to->geometry;
    struct pattern home = home_pattern(g, e);
    return v->from == NULL && matching_slots(g, search_word(v->to, e.home.bucket), home) != 0 &&
           remove_from_window(f, v, e.home.bucket, home);
}

static inline enum guira_status remove_hash(struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    if (remove_at_home(f, &v, element_of_hash(&v.to->geometry, hash))) {
        return GUIRA_OK;
    }
    return remove_until_done(f, hash);
}

#endif
