/*
 * The calls on one key: check the arguments, hash the key, let the kernel do it.
 */
#include "filter.h"

/* ---- Keys as bytes -------------------------------------------------------------------------- */

bool guira_contains(const struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) && filter->kernel.contains(filter, hash);
}

unsigned guira_count(const struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? filter->kernel.count(filter, hash) : 0;
}

enum guira_status guira_insert(struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? filter->kernel.insert(filter, hash)
                                                : GUIRA_NULL_ARGUMENT;
}

enum guira_status guira_insert_unique(struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? filter->kernel.insert_unique(filter, hash)
                                                : GUIRA_NULL_ARGUMENT;
}

enum guira_status guira_remove(struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? filter->kernel.remove(filter, hash)
                                                : GUIRA_NULL_ARGUMENT;
}

/* ---- Keys as integers ----------------------------------------------------------------------- */

bool guira_contains_u64(const struct guira *filter, uint64_t key) {
    return filter != NULL && filter->kernel.contains(filter, finalise(&filter->hashing, key));
}

unsigned guira_count_u64(const struct guira *filter, uint64_t key) {
    return filter == NULL ? 0 : filter->kernel.count(filter, finalise(&filter->hashing, key));
}

enum guira_status guira_insert_u64(struct guira *filter, uint64_t key) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT
                          : filter->kernel.insert(filter, finalise(&filter->hashing, key));
}

enum guira_status guira_insert_unique_u64(struct guira *filter, uint64_t key) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT
                          : filter->kernel.insert_unique(filter, finalise(&filter->hashing, key));
}

enum guira_status guira_remove_u64(struct guira *filter, uint64_t key) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT
                          : filter->kernel.remove(filter, finalise(&filter->hashing, key));
}

/* ---- Hashes made beforehand ----------------------------------------------------------------- */

bool guira_contains_uniform(const struct guira *filter, uint64_t hash) {
    return filter != NULL && filter->kernel.contains(filter, hash);
}

unsigned guira_count_uniform(const struct guira *filter, uint64_t hash) {
    return filter == NULL ? 0 : filter->kernel.count(filter, hash);
}

enum guira_status guira_insert_uniform(struct guira *filter, uint64_t hash) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT : filter->kernel.insert(filter, hash);
}

enum guira_status guira_insert_unique_uniform(struct guira *filter, uint64_t hash) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT : filter->kernel.insert_unique(filter, hash);
}

enum guira_status guira_remove_uniform(struct guira *filter, uint64_t hash) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT : filter->kernel.remove(filter, hash);
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
