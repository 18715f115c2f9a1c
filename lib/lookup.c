/*
 * Look-ups: contains reads without locks, count takes them. And the hashes of keys.
 */
#include "filter.h"

/* Each unclear look means that another thread completed a change meanwhile: lock-free. */
enum sighting guira__look_again(const struct guira *f, const struct candidates *c) {
    enum sighting seen;
    do {
        stats_add(&f->stats, STAT_READER_RETRIES, c->bucket[0], 1);
        seen = look(&f->table, c);
    } while (seen == UNCLEAR);
    return seen;
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
    uint64_t hash;
    return hash_key(filter, key, length, &hash) && contains(filter, hash);
}

bool guira_contains_u64(const struct guira *filter, uint64_t key) {
    return filter != NULL && contains(filter, finalise(&filter->hashing, key));
}

bool guira_contains_uniform(const struct guira *filter, uint64_t hash) {
    return filter != NULL && contains(filter, hash);
}

unsigned guira_count(const struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? count(filter, hash) : 0;
}

unsigned guira_count_u64(const struct guira *filter, uint64_t key) {
    return filter == NULL ? 0 : count(filter, finalise(&filter->hashing, key));
}

unsigned guira_count_uniform(const struct guira *filter, uint64_t hash) {
    return filter == NULL ? 0 : count(filter, hash);
}

uint64_t guira_hash(const struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? hash : 0;
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
