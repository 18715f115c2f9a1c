/*
 * How guira.h's batches call the library. Few integers are so many single calls, right here, as any
 * more would cost more than they do. Else the members of the keys are handed over one by one: a
 * struct on the stack would be written in words and read in vectors, which makes the processor wait
 * for all that it has under way. Programs in other languages can call the exported functions.
 */
#ifndef GUIRA_BATCH_H
#define GUIRA_BATCH_H

#include "guira.h"

#ifdef __cplusplus
extern "C" {
#endif

GUIRA_API enum guira_status guira__contains_batch(const struct guira *filter,
                                                  enum guira_key_form form, size_t count,
                                                  const void *data, size_t record_length,
                                                  const size_t *lengths, bool *results);
GUIRA_API enum guira_status guira__count_batch(const struct guira *filter, enum guira_key_form form,
                                               size_t count, const void *data, size_t record_length,
                                               const size_t *lengths, unsigned *results);
GUIRA_API enum guira_status guira__insert_batch(struct guira *filter, enum guira_key_form form,
                                                size_t count, const void *data,
                                                size_t record_length, const size_t *lengths,
                                                enum guira_status *results);
GUIRA_API enum guira_status guira__insert_unique_batch(struct guira *filter,
                                                       enum guira_key_form form, size_t count,
                                                       const void *data, size_t record_length,
                                                       const size_t *lengths,
                                                       enum guira_status *results);
GUIRA_API enum guira_status guira__remove_batch(struct guira *filter, enum guira_key_form form,
                                                size_t count, const void *data,
                                                size_t record_length, const size_t *lengths,
                                                enum guira_status *results);

/* Whether these are integers, too few for the cache misses of a batch to overlap more than those of
 * single calls do by themselves, and nothing is NULL. */
static inline bool guira__are_few(const struct guira *filter, struct guira_keys keys,
                                  const void *results) {
    return keys.count <= 8 && (keys.form == GUIRA_KEYS_U64 || keys.form == GUIRA_KEYS_UNIFORM) &&
           filter != NULL && keys.data != NULL && results != NULL;
}

static inline enum guira_status
guira__change_few(struct guira *filter, struct guira_keys keys,
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
    if (guira__are_few(filter, keys, results)) {
        const uint64_t *key = (const uint64_t *)keys.data;
        for (size_t i = 0; i < keys.count; i++) {
            results[i] = keys.form == GUIRA_KEYS_U64 ? guira_contains_u64(filter, key[i])
                                                     : guira_contains_uniform(filter, key[i]);
        }
        return GUIRA_OK;
    }
    return guira__contains_batch(filter, keys.form, keys.count, keys.data, keys.record_length,
                                 keys.lengths, results);
}

static inline enum guira_status guira_count_batch(const struct guira *filter,
                                                  struct guira_keys keys, unsigned *results) {
    if (guira__are_few(filter, keys, results)) {
        const uint64_t *key = (const uint64_t *)keys.data;
        for (size_t i = 0; i < keys.count; i++) {
            results[i] = keys.form == GUIRA_KEYS_U64 ? guira_count_u64(filter, key[i])
                                                     : guira_count_uniform(filter, key[i]);
        }
        return GUIRA_OK;
    }
    return guira__count_batch(filter, keys.form, keys.count, keys.data, keys.record_length,
                              keys.lengths, results);
}

static inline enum guira_status guira_insert_batch(struct guira *filter, struct guira_keys keys,
                                                   enum guira_status *results) {
    if (guira__are_few(filter, keys, results)) {
        return guira__change_few(filter, keys, guira_insert_u64, guira_insert_uniform, results);
    }
    return guira__insert_batch(filter, keys.form, keys.count, keys.data, keys.record_length,
                               keys.lengths, results);
}

static inline enum guira_status guira_insert_unique_batch(struct guira *filter,
                                                          struct guira_keys keys,
                                                          enum guira_status *results) {
    if (guira__are_few(filter, keys, results)) {
        return guira__change_few(filter, keys, guira_insert_unique_u64, guira_insert_unique_uniform,
                                 results);
    }
    return guira__insert_unique_batch(filter, keys.form, keys.count, keys.data, keys.record_length,
                                      keys.lengths, results);
}

static inline enum guira_status guira_remove_batch(struct guira *filter, struct guira_keys keys,
                                                   enum guira_status *results) {
    if (guira__are_few(filter, keys, results)) {
        return guira__change_few(filter, keys, guira_remove_u64, guira_remove_uniform, results);
    }
    return guira__remove_batch(filter, keys.form, keys.count, keys.data, keys.record_length,
                               keys.lengths, results);
}

#ifdef __cplusplus
}
#endif

#endif
