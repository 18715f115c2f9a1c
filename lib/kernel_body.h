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
    AHEAD = 48,
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
    return insert_element(f, element_here(f, hash));
}

static enum guira_status insert_unique(struct guira *f, uint64_t hash) {
    return insert_with_search(f, element_here(f, hash), true);
}

static enum guira_status remove_one(struct guira *f, uint64_t hash) {
    return remove_element(f, element_here(f, hash));
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

static inline struct element prepare_home(const struct guira *f, uint64_t hash) {
    struct element e = element_here(f, hash);
    prefetch_for_change(f, e.home.bucket);
    return e;
}

/*
 * void NAME(FILTER *f, const uint64_t *hash, size_t n, RESULT *result), for the operation `single`
 * on one hash that is also `prepare`, which gives an `item`, and then `finish`.
 */
#define MANY(name, filter, result_type, single, item, prepare, finish)                             \
    static void name(filter *f, const uint64_t *hash, size_t n, result_type *result) {             \
        if (n < FEW) {                                                                             \
            for (size_t i = 0; i < n; i++) {                                                       \
                result[i] = single(f, hash[i]);                                                    \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        item ring[AHEAD];                                                                          \
        for (size_t i = 0; i < n && i < AHEAD; i++) {                                              \
            ring[i] = prepare(f, hash[i]);                                                         \
        }                                                                                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            item *now = &ring[i % AHEAD];                                                          \
            result[i] = finish(f, now);                                                            \
            if (n - i > AHEAD) {                                                                   \
                *now = prepare(f, hash[i + AHEAD]);                                                \
            }                                                                                      \
        }                                                                                          \
    }

static inline enum guira_status insert_prepared(struct guira *f, const struct element *e) {
    return insert_element(f, *e);
}

static inline enum guira_status insert_unique_prepared(struct guira *f, const struct element *e) {
    return insert_with_search(f, *e, true);
}

MANY(contains_many, const struct guira, bool, contains, struct candidates, prepare_look,
     contains_candidates)
MANY(count_many, const struct guira, unsigned, count, struct candidates, prepare_locked,
     count_candidates)
MANY(insert_many, struct guira, enum guira_status, insert, struct element, prepare_home,
     insert_prepared)
MANY(insert_unique_many, struct guira, enum guira_status, insert_unique, struct element,
     prepare_home, insert_unique_prepared)
MANY(remove_many, struct guira, enum guira_status, remove_one, struct candidates, prepare_locked,
     remove_candidates)

#include "eight.h" /* contains_in_eights, which falls back on contains_many */

#define KERNEL                                                                                     \
    {                                                                                              \
        .contains = contains, .count = count, .insert = insert, .insert_unique = insert_unique,    \
        .remove = remove_one, .contains_many = contains_many,                                      \
        .contains_in_eights = contains_in_eights, .count_many = count_many,                        \
        .insert_many = insert_many, .insert_unique_many = insert_unique_many,                      \
        .remove_many = remove_many                                                                 \
    }
