/*
 * The calls on many keys: hash a block of keys, hand the hashes to the kernel, which overlaps the
 * cache misses of many; then the next block.
 */
#include "filter.h"

enum { BLOCK = 256 };

/* What is to be done, and where the results go: the member that fits the operation. */
struct batch {
    enum operation { CONTAINS, COUNT, CHANGE } operation;
    const struct guira *filter;
    struct guira *changed; /* the filter again, for CHANGE */
    change_many change;
    union {
        void *any;
        bool *found;
        unsigned *copies;
        enum guira_status *status;
    } results;
};

/* ---- Keys ----------------------------------------------------------------------------------- */

static enum guira_status check_keys(const struct guira_keys *keys) {
    if (keys->form < GUIRA_KEYS_U64 || keys->form > GUIRA_KEYS_POINTERS) {
        return GUIRA_BAD_KEYS;
    }
    bool records = keys->form == GUIRA_KEYS_RECORDS;
    size_t unit = records ? keys->record_length : sizeof(uint64_t);
    if (unit > 0 && keys->count > SIZE_MAX / unit) {
        return GUIRA_BAD_KEYS;
    }
    /* Records without bytes may be without an address. */
    bool has_data = keys->data != NULL || unit == 0;
    bool has_lengths = keys->lengths != NULL || keys->form != GUIRA_KEYS_POINTERS;
    return keys->count == 0 || (has_data && has_lengths) ? GUIRA_OK : GUIRA_NULL_ARGUMENT;
}

/* Where the bytes of a key are, and how many; for records and pointers. */
static const void *bytes_of(const struct guira_keys *keys, size_t at, size_t *length) {
    if (keys->form == GUIRA_KEYS_RECORDS) {
        *length = keys->record_length;
        return *length == 0 ? "" : (const char *)keys->data + at * *length;
    }
    *length = keys->lengths[at];
    return ((const void *const *)keys->data)[at];
}

/* Hash keys from `at` on, up to n or up to one that has no address; returns how many. */
static size_t hash_bytes(const struct guira *f, const struct guira_keys *keys, size_t at, size_t n,
                         uint64_t *hash) {
    for (size_t i = 0; i < n; i++) {
        size_t length;
        const void *bytes = bytes_of(keys, at + i, &length);
        if (!hash_key(f, bytes, length, &hash[i])) {
            return i;
        }
    }
    return n;
}

/* The hashes of the next keys: of all that are left if the caller has hashes, else of at most
 * BLOCK, made in `own`. */
static const uint64_t *hashes_of(const struct guira *f, const struct guira_keys *keys, size_t at,
                                 uint64_t own[BLOCK], size_t *n) {
    size_t left = keys->count - at;
    if (keys->form == GUIRA_KEYS_UNIFORM) {
        *n = left;
        return (const uint64_t *)keys->data + at;
    }
    *n = left < BLOCK ? left : BLOCK;
    if (keys->form == GUIRA_KEYS_U64) {
        const uint64_t *key = (const uint64_t *)keys->data + at;
        for (size_t i = 0; i < *n; i++) {
            own[i] = finalise(&f->hashing, key[i]);
        }
    } else {
        *n = hash_bytes(f, keys, at, *n, own);
    }
    return own;
}

/* ---- The batch ------------------------------------------------------------------------------ */

static enum guira_status change_some(const struct batch *b, size_t at, const uint64_t *hash,
                                     size_t n) {
    enum guira_status *status = b->results.status + at;
    b->change(b->changed, hash, n, status);
    unsigned others = 0;
    for (size_t i = 0; i < n; i++) {
        others |= (unsigned)status[i];
    }
    return others == GUIRA_OK ? GUIRA_OK : GUIRA_PARTIAL;
}

/* n keys, whose results begin at `at`. */
static enum guira_status do_some(const struct batch *b, size_t at, const uint64_t *hash, size_t n) {
    const struct guira *f = b->filter;
    switch (b->operation) {
    case CONTAINS:
        f->kernel.contains_many(f, hash, n, b->results.found + at);
        return GUIRA_OK;
    case COUNT:
        f->kernel.count_many(f, hash, n, b->results.copies + at);
        return GUIRA_OK;
    default:
        return change_some(b, at, hash, n);
    }
}

/* The result of a key that has no address: as the single call's. */
static void refuse(const struct batch *b, size_t at) {
    switch (b->operation) {
    case CONTAINS:
        b->results.found[at] = false;
        break;
    case COUNT:
        b->results.copies[at] = 0;
        break;
    default:
        b->results.status[at] = GUIRA_NULL_ARGUMENT;
    }
}

static enum guira_status run(const struct batch *b, const struct guira_keys *keys) {
    if (b->filter == NULL || (b->results.any == NULL && keys->count > 0)) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = check_keys(keys);
    if (status != GUIRA_OK) {
        return status;
    }
    for (size_t at = 0; at < keys->count;) {
        uint64_t own[BLOCK];
        size_t n;
        const uint64_t *hash = hashes_of(b->filter, keys, at, own, &n);
        if (n == 0) {
            refuse(b, at++);
            status = GUIRA_PARTIAL;
            continue;
        }
        if (do_some(b, at, hash, n) != GUIRA_OK) {
            status = GUIRA_PARTIAL;
        }
        at += n;
    }
    return status;
}

/* ---- The calls ------------------------------------------------------------------------------ */

/* The parameters that describe keys, and the description. */
#define KEYS                                                                                       \
    enum guira_key_form form, size_t count, const void *data, size_t record_length,                \
        const size_t *lengths
#define KEYS_MADE ((struct guira_keys){form, count, data, record_length, lengths})

enum guira_status guira_batch_contains(const struct guira *filter, KEYS, bool *results) {
    struct guira_keys keys = KEYS_MADE;
    struct batch batch = {.operation = CONTAINS, .filter = filter, .results = {.found = results}};
    return run(&batch, &keys);
}

enum guira_status guira_batch_count(const struct guira *filter, KEYS, unsigned *results) {
    struct guira_keys keys = KEYS_MADE;
    struct batch batch = {.operation = COUNT, .filter = filter, .results = {.copies = results}};
    return run(&batch, &keys);
}

static enum guira_status run_change(struct guira *filter, const struct guira_keys *keys,
                                    change_many change, enum guira_status *results) {
    struct batch batch = {CHANGE, filter, filter, change, {.status = results}};
    return run(&batch, keys);
}

enum guira_status guira_batch_insert(struct guira *filter, KEYS, enum guira_status *results) {
    struct guira_keys keys = KEYS_MADE;
    change_many change = filter == NULL ? NULL : filter->kernel.insert_many;
    return run_change(filter, &keys, change, results);
}

enum guira_status guira_batch_insert_unique(struct guira *filter, KEYS,
                                            enum guira_status *results) {
    struct guira_keys keys = KEYS_MADE;
    change_many change = filter == NULL ? NULL : filter->kernel.insert_unique_many;
    return run_change(filter, &keys, change, results);
}

enum guira_status guira_batch_remove(struct guira *filter, KEYS, enum guira_status *results) {
    struct guira_keys keys = KEYS_MADE;
    change_many change = filter == NULL ? NULL : filter->kernel.remove_many;
    return run_change(filter, &keys, change, results);
}
