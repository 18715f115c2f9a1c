/*
 * The operations as a kernel offers them, see kernel.h: one hash, and many.
 *
 * Many go through a ring of AHEAD items. An item is prepared, which computes where it may be and
 * prefetches what it will touch, AHEAD items before its turn; so the cache misses of AHEAD items
 * overlap. When its turn comes it is done as a single call would do it: the prefetches promise
 * nothing, so correctness does not depend on them.
 */
#include "insert.h"
#include "lookup.h"
#include "remove.h"

enum {
    AHEAD = 32,
    FEW = 4 /* up to so many items are done one by one: nothing to overlap with */
};

/* ---- One hash ------------------------------------------------------------------------------- */

static bool contains(const struct guira *f, uint64_t hash) {
    return contains_hash(f, hash);
}

static unsigned count(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    return count_candidates(f, &c);
}

static enum guira_status insert(struct guira *f, uint64_t hash) {
    return insert_hash(f, hash);
}

static enum guira_status insert_unique(struct guira *f, uint64_t hash) {
    return insert_with_search(f, hash, true);
}

static enum guira_status remove_one(struct guira *f, uint64_t hash) {
    return remove_hash(f, hash);
}

/* ---- Many hashes ---------------------------------------------------------------------------- */

static inline void prefetch_word(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(&f->table.words[bucket], 0);
}

static inline void prefetch_for_change(const struct guira *f, uint64_t bucket) {
    __builtin_prefetch(&f->table.words[bucket], 1);
    __builtin_prefetch(&f->stripes.all[stripe_of(&f->table, bucket)], 1);
}

static inline struct candidates prepare_look(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    prefetch_word(f, c.bucket[0]);
    prefetch_word(f, c.bucket[1]);
    return c;
}

static inline struct candidates prepare_locked(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_here(f, hash);
    prefetch_for_change(f, c.bucket[0]);
    prefetch_for_change(f, c.bucket[1]);
    return c;
}

/* Inserts are prepared for home alone, where most find room; half-way, when the word of home has
 * come, those that did not are prepared for the other side too. */
static inline uint64_t prepare_insert(const struct guira *f, uint64_t hash) {
    prefetch_for_change(f, element_here(f, hash).home.bucket);
    return hash;
}

static inline void prepare_insert_more(const struct guira *f, uint64_t hash) {
    const struct geometry *g = &f->table.geometry;
    struct element e = element_here(f, hash);
    if (empty_slots(g, search_word(&f->table, e.home.bucket), home_pattern(g, e)) == 0) {
        prefetch_for_change(f, place_of(g, e, 1).bucket);
    }
}

/* insert_unique looks at both sides at once. */
static inline uint64_t prepare_insert_unique(const struct guira *f, uint64_t hash) {
    (void)prepare_locked(f, hash);
    return hash;
}

static inline bool contains_prepared(const struct guira *f, struct candidates c) {
    return contains_candidates(f, &c);
}

static inline unsigned count_prepared(const struct guira *f, struct candidates c) {
    return count_candidates(f, &c);
}

static inline enum guira_status remove_prepared(struct guira *f, struct candidates c) {
    return remove_candidates(f, &c);
}

/*
 * void NAME(FILTER *f, const uint64_t *hash, size_t n, RESULT *result), for the operation `single`
 * on one hash that is also `prepare`, which gives an `item`, then, half the way to its turn,
 * `prepare_more`, and then `finish`.
 */
#define NOTHING(f, item) ((void)0)
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
                result[i - AHEAD] = finish(f, ring[i % AHEAD]);                                    \
            }                                                                                      \
            if (i < n) {                                                                           \
                ring[i % AHEAD] = prepare(f, hash[i]);                                             \
            }                                                                                      \
            if (i >= AHEAD / 2 && i - AHEAD / 2 < n) {                                             \
                prepare_more(f, ring[(i - AHEAD / 2) % AHEAD]);                                    \
            }                                                                                      \
        }                                                                                          \
    }

MANY(contains_many, const struct guira, bool, contains, struct candidates, prepare_look, NOTHING,
     contains_prepared)
MANY(count_many, const struct guira, unsigned, count, struct candidates, prepare_locked, NOTHING,
     count_prepared)
MANY(insert_many, struct guira, enum guira_status, insert, uint64_t, prepare_insert,
     prepare_insert_more, insert)
MANY(insert_unique_many, struct guira, enum guira_status, insert_unique, uint64_t,
     prepare_insert_unique, NOTHING, insert_unique)
MANY(remove_many, struct guira, enum guira_status, remove_one, struct candidates, prepare_locked,
     NOTHING, remove_prepared)

#include "eight.h" /* contains_in_eights, which falls back on contains_many */

#define KERNEL                                                                                     \
    {                                                                                              \
        .contains = contains, .count = count, .insert = insert, .insert_unique = insert_unique,    \
        .remove = remove_one, .contains_many = contains_many,                                      \
        .contains_in_eights = contains_in_eights, .count_many = count_many,                        \
        .insert_many = insert_many, .insert_unique_many = insert_unique_many,                      \
        .remove_many = remove_many                                                                 \
    }
