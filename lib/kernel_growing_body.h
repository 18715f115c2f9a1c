/*
 * A kernel for filters that grow, see kernel.h: what it does with many hashes, and the table of its
 * functions.
 *
 * What is prepared is for the view of that moment. If there is another when its turn comes, it is
 * done anew.
 */
#include "eight.h"
#include "growing.h"
#include "kernel.h"
#include "many.h"

/* A look-up, prepared. */
struct look_ahead {
    uint64_t hash;
    struct view view;
    struct candidates now; /* if the view has one table */
};

/* A change, prepared. */
struct change_ahead {
    uint64_t hash;
    struct view view;
    struct element element;
};

static inline void prefetch_both(const struct table *t, const struct candidates *c) {
    __builtin_prefetch(&t->words[c->bucket[0]]);
    __builtin_prefetch(&t->words[c->bucket[1]]);
}

static inline struct look_ahead prepare_look(const struct guira *f, uint64_t hash) {
    struct look_ahead a = {.hash = hash, .view = view_now(f)};
    struct sites s = sites_of(&a.view, hash);
    a.now = s.now;
    prefetch_both(a.view.to, &s.now);
    if (a.view.from != NULL) {
        prefetch_both(a.view.from, &s.before);
    }
    return a;
}

static inline struct look_ahead prepare_count(const struct guira *f, uint64_t hash) {
    struct look_ahead a = prepare_look(f, hash);
    __builtin_prefetch(stripe_in(f, a.view.to, a.now.bucket[0]), 1);
    __builtin_prefetch(stripe_in(f, a.view.to, a.now.bucket[1]), 1);
    return a;
}

static inline bool finish_contains(const struct guira *f, const struct look_ahead *a) {
    return a->view.from == NULL ? contains_at_rest(f, &a->view, a->now, a->hash)
                                : contains_under_any(f, a->hash);
}

static inline unsigned finish_count(const struct guira *f, const struct look_ahead *a) {
    return count_hash(f, a->hash);
}

static inline void prefetch_to_change(const struct guira *f, const struct table *t,
                                      uint64_t bucket) {
    __builtin_prefetch(&t->words[bucket], 1);
    __builtin_prefetch(stripe_in(f, t, bucket), 1);
}

/* Home serves most; half-way, when its word has come, the others are prepared for the other side.
 * */
static inline struct change_ahead prepare_change(const struct guira *f, uint64_t hash) {
    struct change_ahead a = {.hash = hash, .view = view_now(f)};
    a.element = element_of_hash(&a.view.to->geometry, hash);
    prefetch_to_change(f, a.view.to, a.element.home.bucket);
    return a;
}

static inline void prefetch_away(const struct guira *f, const struct change_ahead *a) {
    const struct table *to = a->view.to;
    prefetch_to_change(f, to, place_of(&to->geometry, a->element, 1).bucket);
    if (a->view.from != NULL) {
        struct sites s = sites_of_element(&a->view, a->element);
        prefetch_to_change(f, a->view.from, s.before.bucket[0]);
        prefetch_to_change(f, a->view.from, s.before.bucket[1]);
    }
}

static inline bool serves_insert(const struct change_ahead *a) {
    const struct geometry *g = &a->view.to->geometry;
    uint64_t home = search_word(a->view.to, a->element.home.bucket);
    return a->view.from == NULL && empty_slots(g, home, home_pattern(g, a->element)) != 0;
}

static inline bool serves_remove(const struct change_ahead *a) {
    const struct geometry *g = &a->view.to->geometry;
    uint64_t home = search_word(a->view.to, a->element.home.bucket);
    return a->view.from == NULL && matching_slots(g, home, home_pattern(g, a->element)) != 0;
}

static inline void prepare_insert_more(const struct guira *f, const struct change_ahead *a) {
    if (!serves_insert(a)) {
        prefetch_away(f, a);
    }
}

static inline void prepare_remove_more(const struct guira *f, const struct change_ahead *a) {
    if (!serves_remove(a)) {
        prefetch_away(f, a);
    }
}

static inline enum guira_status finish_insert(struct guira *f, const struct change_ahead *a) {
    return insert_at_home(f, &a->view, a->element) ? GUIRA_OK
                                                   : insert_until_done(f, a->hash, false);
}

static inline enum guira_status finish_insert_unique(struct guira *f,
                                                     const struct change_ahead *a) {
    return insert_until_done(f, a->hash, true);
}

static inline enum guira_status finish_remove(struct guira *f, const struct change_ahead *a) {
    return remove_at_home(f, &a->view, a->element) ? GUIRA_OK : remove_until_done(f, a->hash);
}

MANY(contains_many, const struct guira, bool, contains_hash, struct look_ahead, prepare_look,
     NOTHING, finish_contains)
MANY(count_many, const struct guira, unsigned, count_hash, struct look_ahead, prepare_count,
     NOTHING, finish_count)
MANY(insert_many, struct guira, enum guira_status, insert_hash, struct change_ahead, prepare_change,
     prepare_insert_more, finish_insert)
MANY(insert_unique_many, struct guira, enum guira_status, insert_unique_hash, struct change_ahead,
     prepare_change, prefetch_away, finish_insert_unique)
MANY(remove_many, struct guira, enum guira_status, remove_hash, struct change_ahead, prepare_change,
     prepare_remove_more, finish_remove)

#include "kernel_table.h"
