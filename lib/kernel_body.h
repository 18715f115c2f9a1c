/*
 * A kernel, see kernel.h: what it does with many hashes, and the table of its functions.
 */
#include "eight.h"
#include "insert.h"
#include "lookup.h"
#include "many.h"
#include "remove.h"

static inline void prefetch_to_read(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(&f->table.words[bucket], 0);
}

static inline void prefetch_to_lock(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(stripe_in(f, &f->table, bucket), 1);
}

static inline void prefetch_to_change(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(&f->table.words[bucket], 1);
    prefetch_to_lock(f, bucket);
}

static inline struct candidates prepare_look(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    prefetch_to_read(f, c.bucket[0]);
    prefetch_to_read(f, c.bucket[1]);
    return c;
}

static inline struct candidates prepare_count(const struct guira *f, uint64_t hash) {
    struct candidates c = prepare_look(f, hash);
    prefetch_to_lock(f, c.bucket[0]);
    prefetch_to_lock(f, c.bucket[1]);
    return c;
}

/* Inserts and removes are prepared for home alone, which serves most; half-way, when the word of
 * home has come, those that it does not serve are prepared for the other side too. */
static inline struct element prepare_home(const struct guira *f, uint64_t hash) {
    struct element e = element_here(f, hash);
    prefetch_to_change(f, e.home.bucket);
    return e;
}

static inline void prefetch_away(const struct guira *f, struct element e) {
    prefetch_to_change(f, place_of(&f->table.geometry, e, 1).bucket);
}

static inline void prepare_insert_more(const struct guira *f, const struct element *e) {
    const struct geometry *g = &f->table.geometry;
    if (empty_slots(g, search_word(&f->table, e->home.bucket), home_pattern(g, *e)) == 0) {
        prefetch_away(f, *e);
    }
}

static inline void prepare_remove_more(const struct guira *f, const struct element *e) {
    const struct geometry *g = &f->table.geometry;
    if (matching_slots(g, search_word(&f->table, e->home.bucket), home_pattern(g, *e)) == 0) {
        prefetch_away(f, *e);
    }
}

/* insert_unique locks both sides at once. */
static inline struct element prepare_both(const struct guira *f, uint64_t hash) {
    struct element e = prepare_home(f, hash);
    prefetch_away(f, e);
    return e;
}

static inline enum guira_status finish_insert(struct guira *f, const struct element *e) {
    return insert_element(f, *e);
}

static inline enum guira_status finish_insert_unique(struct guira *f, const struct element *e) {
    return insert_unique_element(f, *e);
}

static inline enum guira_status finish_remove(struct guira *f, const struct element *e) {
    return remove_element(f, *e);
}

MANY(contains_many, const struct guira, bool, contains_hash, struct candidates, prepare_look,
     NOTHING, contains_candidates)
MANY(count_many, const struct guira, unsigned, count_hash, struct candidates, prepare_count,
     NOTHING, count_candidates)
MANY(insert_many, struct guira, enum guira_status, insert_hash, struct element, prepare_home,
     prepare_insert_more, finish_insert)
MANY(insert_unique_many, struct guira, enum guira_status, insert_unique_hash, struct element,
     prepare_both, NOTHING, finish_insert_unique)
MANY(remove_many, struct guira, enum guira_status, remove_hash, struct element, prepare_home,
     prepare_remove_more, finish_remove)

#include "kernel_table.h"
