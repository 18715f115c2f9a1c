/*
 * A kernel, see kernel.h: what it does with many hashes, and the table of its functions.
 *
 * Many go through a ring of AHEAD items. An item is prepared, which computes where it may be and
 * prefetches what it will touch, AHEAD items before its turn; so the cache misses of AHEAD items
 * overlap. When its turn comes it is done as a single call would do it: the prefetches promise
 * nothing, so correctness does not depend on them.
 */
#include "eight.h"
#include "insert.h"
#include "lookup.h"
#include "remove.h"

enum {
    AHEAD = 32,
    FEW = 9 /* fewer are done one by one: the processor overlaps them by itself */
};

static inline void prefetch_to_read(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(&f->table.words[bucket], 0);
}

static inline void prefetch_to_lock(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(stripe_here(f, bucket), 1);
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

#define NOTHING(f, item) ((void)0)

/*
 * void name(filter *f, const uint64_t *hash, size_t n, result_type *result), for the operation
 * `single` on one hash that is also `prepare`, which gives an `item`, then, half the way to its
 * turn, `prepare_more`, and then `finish`.
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses */
#define MANY(name, filter, result_type, single, item, prepare, prepare_more, finish)               \
    static void name(filter *f, const uint64_t *hash, size_t n, result_type *result) {             \
        if (n < FEW) {                                                                             \
            for (size_t i = 0; i < n; i++) {                                                       \
                result[i] = single(f, hash[i]);                                                    \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        item ring[AHEAD];                                                                          \
        for (size_t i = 0; i < n + AHEAD; i++) {                                                   \
            if (i >= AHEAD) {                                                                      \
                result[i - AHEAD] = finish(f, &ring[i % AHEAD]);                                   \
            }                                                                                      \
            if (i < n) {                                                                           \
                ring[i % AHEAD] = prepare(f, hash[i]);                                             \
            }                                                                                      \
            if (i >= AHEAD / 2 && i - AHEAD / 2 < n) {                                             \
                prepare_more(f, &ring[(i - AHEAD / 2) % AHEAD]);                                   \
            }                                                                                      \
        }                                                                                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

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

static void contains_many_in_eights(const struct guira *f, const uint64_t *hash, size_t n,
                                    bool *result) {
    size_t done = contains_in_eights(f, hash, n, result);
    contains_many(f, hash + done, n - done, result + done);
}

#define KERNEL                                                                                     \
    {                                                                                              \
        .contains = contains_hash, .count = count_hash, .insert = insert_hash,                     \
        .insert_unique = insert_unique_hash, .remove = remove_hash,                                \
        .contains_many = contains_many, .contains_many_in_eights = contains_many_in_eights,        \
        .count_many = count_many, .insert_many = insert_many,                                      \
        .insert_unique_many = insert_unique_many, .remove_many = remove_many                       \
    }
