/*
 * The keys of a batch: a description of where they are, made by one of the functions below. It
 * points to the caller's memory and is used during the call only.
 *
 *     uint64_t ids[100];
 *     bool found[100];
 *     guira_contains_batch(filter, guira_keys_u64(ids, 100), found);
 */
#ifndef GUIRA_KEYS_H
#define GUIRA_KEYS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the keys of a batch are. */
enum guira_key_form {
    GUIRA_KEYS_U64 = 1,     /* as the calls ending in _u64 take them */
    GUIRA_KEYS_UNIFORM = 2, /* as the calls ending in _uniform take them */
    GUIRA_KEYS_RECORDS =
        3, /* bytes, as guira_insert takes them, of one length, one after the other */
    GUIRA_KEYS_POINTERS = 4 /* bytes, likewise, each key with its own address and length */
};

/* Make it with the functions below; the members are for those who write other makers. */
struct guira_keys {
    enum guira_key_form form; /* what is at data */
    size_t count;             /* of keys; with 0 the addresses may be NULL */
    const void *data;         /* of that many integers, or records, or pointers */
    size_t record_length;     /* records only: bytes */
    const size_t *lengths;    /* pointers only: bytes of each */
};

/* Integers, each its own key. */
static inline struct guira_keys guira_keys_u64(const uint64_t *keys, size_t count) {
    struct guira_keys made = {GUIRA_KEYS_U64, count, keys, 0, NULL};
    return made;
}

/* Hashes made by guira_hash or guira_hash_u64 of a filter with the same seed and hash
 * identity. */
static inline struct guira_keys guira_keys_uniform(const uint64_t *hashes, size_t count) {
    struct guira_keys made = {GUIRA_KEYS_UNIFORM, count, hashes, 0, NULL};
    return made;
}

/* Byte strings of `length` bytes each, 0 or more, one after the other at any alignment. */
static inline struct guira_keys guira_keys_records(const void *records, size_t length,
                                                   size_t count) {
    struct guira_keys made = {GUIRA_KEYS_RECORDS, count, records, length, NULL};
    return made;
}

/* Byte strings: keys[i] points to lengths[i] bytes. It may be NULL only if lengths[i] is 0. Declare
 * the array as `const void *keys[N]`; one of `char *` needs a cast to `const void *const *`. */
static inline struct guira_keys guira_keys_pointers(const void *const *keys, const size_t *lengths,
                                                    size_t count) {
    struct guira_keys made = {GUIRA_KEYS_POINTERS, count, keys, 0, lengths};
    return made;
}

#ifdef __cplusplus
}
#endif

#endif
