/*
 * Look-ups: contains reads without locks, count takes them. And the hashes of keys.
 */
#include "filter.h"

/* After so many unclear looks a reader tries the locks, then looks on. It never waits for them, so
 * look-ups stay lock-free: every unclear look means that a change was completed meanwhile. */
enum { LOOKS_BETWEEN_LOCKS = 256 };

static bool try_with_locks(const struct guira *f, const struct candidates *c, bool *there) {
    struct stripe_set both = stripes_of(f, c);
    if (!guira__stripe_set_try(&f->stripes, &both)) {
        return false;
    }
    *there = held_copies(f, c) > 0;
    guira__stripe_set_unlock(&f->stripes, &both);
    return true;
}

enum sighting guira__look_again(const struct guira *f, const struct candidates *c) {
    for (unsigned looks = 1;; looks++) {
        stats_add(&f->stats, STAT_READER_RETRIES, c->bucket[0], 1);
        enum sighting seen = look(&f->table, c);
        if (seen != UNCLEAR) {
            return seen;
        }
        bool there;
        if (looks % LOOKS_BETWEEN_LOCKS == 0 && try_with_locks(f, c, &there)) {
            return there ? SEEN_AT_HOME : NOT_THERE;
        }
    }
}

static bool contains(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_of_hash(f, hash);
    return look_surely(f, &c) != NOT_THERE;
}

static unsigned count(const struct guira *f, uint64_t hash) {
    struct candidates c = candidates_of_hash(f, hash);
    struct stripe_set both = stripes_of(f, &c);
    guira__stripe_set_lock(&f->stripes, &both);
    unsigned copies = held_copies(f, &c);
    guira__stripe_set_unlock(&f->stripes, &both);
    return copies;
}

bool guira_contains(const struct guira *filter, const void *key, size_t length) {
    if (filter == NULL || (key == NULL && length > 0)) {
        return false;
    }
    return contains(filter, guira__hash_bytes(&filter->hashing, key, length));
}

bool guira_contains_u64(const struct guira *filter, uint64_t key) {
    return filter != NULL && contains(filter, finalise(&filter->hashing, key));
}

bool guira_contains_uniform(const struct guira *filter, uint64_t hash) {
    return filter != NULL && contains(filter, hash);
}

unsigned guira_count(const struct guira *filter, const void *key, size_t length) {
    if (filter == NULL || (key == NULL && length > 0)) {
        return 0;
    }
    return count(filter, guira__hash_bytes(&filter->hashing, key, length));
}

unsigned guira_count_u64(const struct guira *filter, uint64_t key) {
    return filter == NULL ? 0 : count(filter, finalise(&filter->hashing, key));
}

unsigned guira_count_uniform(const struct guira *filter, uint64_t hash) {
    return filter == NULL ? 0 : count(filter, hash);
}

uint64_t guira_hash(const struct guira *filter, const void *key, size_t length) {
    if (filter == NULL || (key == NULL && length > 0)) {
        return 0;
    }
    return guira__hash_bytes(&filter->hashing, key, length);
}

uint64_t guira_hash_u64(const struct guira *filter, uint64_t key) {
    return filter == NULL ? 0 : finalise(&filter->hashing, key);
}

uint64_t guira_element(const struct guira *filter, uint64_t hash) {
    if (filter == NULL) {
        return 0;
    }
    const struct geometry *g = &filter->table.geometry;
    return element_number(g, element_of_hash(g, hash));
}
