/*
 * The kernel for filters that grow, of any shape.
 */
#define KERNEL_GROWS
#include "growing.h"

#include "kernel.h"
#include "many.h"

/* What an element will touch is on its way to the cache; the view may be another by then. */
static inline uint64_t prefetch_places(const struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    struct sites s = sites_of(&v, hash);
    __builtin_prefetch(&v.to->words[s.now.bucket[0]]);
    __builtin_prefetch(&v.to->words[s.now.bucket[1]]);
    if (v.from != NULL) {
        __builtin_prefetch(&v.from->words[s.before.bucket[0]]);
        __builtin_prefetch(&v.from->words[s.before.bucket[1]]);
    }
    return hash;
}

static inline uint64_t prefetch_stripe(const struct guira *f, uint64_t hash) {
    struct view v = view_now(f);
    uint64_t home = element_of_hash(&v.to->geometry, hash).home.bucket;
    __builtin_prefetch(stripe_in(f, v.to, home), 1);
    return prefetch_places(f, hash);
}

static inline bool finish_contains(const struct guira *f, const uint64_t *hash) {
    return contains_growing(f, *hash);
}

static inline unsigned finish_count(const struct guira *f, const uint64_t *hash) {
    return count_growing(f, *hash);
}

static inline enum guira_status finish_insert(struct guira *f, const uint64_t *hash) {
    return insert_growing(f, *hash);
}

static inline enum guira_status finish_insert_unique(struct guira *f, const uint64_t *hash) {
    return insert_unique_growing(f, *hash);
}

static inline enum guira_status finish_remove(struct guira *f, const uint64_t *hash) {
    return remove_growing(f, *hash);
}

MANY(contains_many, const struct guira, bool, contains_growing, uint64_t, prefetch_places, NOTHING,
     finish_contains)
MANY(count_many, const struct guira, unsigned, count_growing, uint64_t, prefetch_stripe, NOTHING,
     finish_count)
MANY(insert_many, struct guira, enum guira_status, insert_growing, uint64_t, prefetch_stripe,
     NOTHING, finish_insert)
MANY(insert_unique_many, struct guira, enum guira_status, insert_unique_growing, uint64_t,
     prefetch_stripe, NOTHING, finish_insert_unique)
MANY(remove_many, struct guira, enum guira_status, remove_growing, uint64_t, prefetch_stripe,
     NOTHING, finish_remove)

const struct kernel guira__kernel_growing = {
    .contains = contains_growing,
    .count = count_growing,
    .insert = insert_growing,
    .insert_unique = insert_unique_growing,
    .remove = remove_growing,
    .contains_many = contains_many,
    .contains_many_in_eights = contains_many,
    .count_many = count_many,
    .insert_many = insert_many,
    .insert_unique_many = insert_unique_many,
    .remove_many = remove_many,
};
