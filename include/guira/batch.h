/*
 * How the batches of guira.h call the library. Few integers are so many single calls, right here,
 * as any more would cost more than they do. Else the members of the keys are handed over one by
 * one: a struct on the stack would be written in words and read in vectors, which makes the
 * processor wait for all that it has under way.
 *
 * The library exports guira_batch_contains and its like, which do the same for any number of keys:
 * for other languages, and for functions of yours that are inline and not static, which in C may
 * not call a function that is static.
 */
#ifndef GUIRA_BATCH_H
#define GUIRA_BATCH_H

#include "guira.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the batches of guira.h, with the members of the keys, see struct guira_keys, one by one. */
GUIRA_API enum guira_status guira_batch_contains(const struct guira *filter,
                                                 enum guira_key_form form, size_t count,
                                                 const void *data, size_t record_length,
                                                 const size_t *lengths, bool *results);
GUIRA_API enum guira_status guira_batch_count(const struct guira *filter, enum guira_key_form form,
                                              size_t count, const void *data, size_t record_length,
                                              const size_t *lengths, unsigned *results);
GUIRA_API enum guira_status guira_batch_insert(struct guira *filter, enum guira_key_form form,
                                               size_t count, const void *data, size_t record_length,
                                               const size_t *lengths, enum guira_status *results);
GUIRA_API enum guira_status guira_batch_insert_unique(struct guira *filter,
                                                      enum guira_key_form form, size_t count,
                                                      const void *data, size_t record_length,
                                                      const size_t *lengths,
                                                      enum guira_status *results);
GUIRA_API enum guira_status guira_batch_remove(struct guira *filter, enum guira_key_form form,
                                               size_t count, const void *data, size_t record_length,
                                               const size_t *lengths, enum guira_status *results);

/* Up to so many keys a batch does not overlap cache misses better than single calls, which the
 * processor overlaps by itself. */
#define GUIRA_FEW_KEYS 8

/* Whether the keys are integers, and few, and nothing is NULL. */
static inline bool guira_keys_are_few(const struct guira *filter, struct guira_keys keys,
                                      const void *results) {
    return keys.count <= GUIRA_FEW_KEYS &&
           (keys.form == GUIRA_KEYS_U64 || keys.form == GUIRA_KEYS_UNIFORM) && filter != NULL &&
           keys.data != NULL && results != NULL;
}

static inline enum guira_status
guira_change_few(struct guira *filter, struct guira_keys keys,
                 enum guira_status (*change_u64)(struct guira *, uint64_t),
                 enum guira_status (*change_uniform)(struct guira *, uint64_t),
                 enum guira_status *results) {
    const uint64_t *key = (const uint64_t *)keys.data;
    unsigned all = GUIRA_OK;
    for (size_t i = 0; i < keys.count; i++) {
        results[i] = keys.form == GUIRA_KEYS_U64 ? change_u64(filter, key[i])
                                                 : change_uniform(filter, key[i]);
        all |= (unsigned)results[i];
    }
    return all == GUIRA_OK ? GUIRA_OK : GUIRA_PARTIAL;
}

static inline enum guira_status guira_contains_batch(const struct guira *filter,
                                                     struct guira_keys keys, bool *results) {
    if (guira_keys_are_few(filter, keys, results)) {
        const uint64_t *key = (const uint64_t *)keys.data;
        for (size_t i = 0; i < keys.count; i++) {
            results[i] = keys.form == GUIRA_KEYS_U64 ? guira_contains_u64(filter, key[i])
                                                     : guira_contains_uniform(filter, key[i]);
        }
        return GUIRA_OK;
    }
    return guira_batch_contains(filter, keys.form, keys.count, keys.data, keys.record_length,
                                keys.lengths, results);
}

static inline enum guira_status guira_count_batch(const struct guira *filter,
                                                  struct guira_keys keys, unsigned *results) {
    if (guira_keys_are_few(filter, keys, results)) {
        const uint64_t *key = (const uint64_t *)keys.data;
        for (size_t i = 0; i < keys.count; i++) {
            results[i] = keys.form == GUIRA_KEYS_U64 ? guira_count_u64(filter, key[i])
                                                     : guira_count_uniform(filter, key[i]);
        }
        return GUIRA_OK;
    }
    return guira_batch_count(filter, keys.form, keys.count, keys.data, keys.record_length,
                             keys.lengths, results);
}

static inline enum guira_status guira_insert_batch(struct guira *filter, struct guira_keys keys,
                                                   enum guira_status *results) {
    if (guira_keys_are_few(filter, keys, results)) {
        return guira_change_few(filter, keys, guira_insert_u64, guira_insert_uniform, results);
    }
    return guira_batch_insert(filter, keys.form, keys.count, keys.data, keys.record_length,
                              keys.lengths, results);
}

static inline enum guira_status guira_insert_unique_batch(struct guira *filter,
                                                          struct guira_keys keys,
                                                          enum guira_status *results) {
    if (guira_keys_are_few(filter, keys, results)) {
        return guira_change_few(filter, keys, guira_insert_unique_u64, guira_insert_unique_uniform,
                                results);
    }
    return guira_batch_insert_unique(filter, keys.form, keys.count, keys.data, keys.record_length,
                                     keys.lengths, results);
}

static inline enum guira_status guira_remove_batch(struct guira *filter, struct guira_keys keys,
                                                   enum guira_status *results) {
    if (guira_keys_are_few(filter, keys, results)) {
        return guira_change_few(filter, keys, guira_remove_u64, guira_remove_uniform, results);
    }
    return guira_batch_remove(filter, keys.form, keys.count, keys.data, keys.record_length,
                              keys.lengths, results);
}

#ifdef __cplusplus
}
#endif

#endif
