/*
 * libbloom, alone and behind a mutex, with the bits for guira's rate of 1 %.
 */
#define _POSIX_C_SOURCE 200809L /* read-write locks */

#include "../target.h"

#include <stdlib.h>

#include <bloom.h>

#include "../support.h"
#include "lock.h"

#define RATE 0.01
#define DESIGN 0.85

struct guarded {
    struct bloom bloom;
    struct lock lock;
};

static void *create(const struct wish *wish) {
    struct guarded *guarded = zeroed(1, sizeof *guarded);
    double keys = DESIGN * (double)(UINT64_C(1) << wish->log2_slots);
    if (bloom_init(&guarded->bloom, (int)keys, RATE) != 0) {
        fail("libbloom refuses");
    }
    lock_make(&guarded->lock);
    return guarded;
}

static void destroy(void *table) {
    struct guarded *guarded = table;
    bloom_free(&guarded->bloom);
    lock_end(&guarded->lock);
    free(guarded);
}

static void clear(void *table) {
    struct guarded *guarded = table;
    (void)bloom_reset(&guarded->bloom);
}

static inline size_t lookup(struct guarded *guarded, const uint64_t *keys, size_t count,
                            enum lock_kind kind) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        lock_for_reading(&guarded->lock, kind);
        found += bloom_check(&guarded->bloom, &keys[i], sizeof keys[i]) == 1;
        lock_release(&guarded->lock, kind);
    }
    return found;
}

static inline size_t insert(struct guarded *guarded, const uint64_t *keys, size_t count,
                            enum lock_kind kind) {
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        lock_for_writing(&guarded->lock, kind);
        done += bloom_add(&guarded->bloom, &keys[i], sizeof keys[i]) >= 0;
        lock_release(&guarded->lock, kind);
    }
    return done;
}

static size_t lookup_alone(void *table, const void *keys, size_t count) {
    return lookup(table, keys, count, NO_LOCK);
}

static size_t insert_alone(void *table, const void *keys, size_t count) {
    return insert(table, keys, count, NO_LOCK);
}

static size_t lookup_locked(void *table, const void *keys, size_t count) {
    return lookup(table, keys, count, MUTEX);
}

static size_t insert_locked(void *table, const void *keys, size_t count) {
    return insert(table, keys, count, MUTEX);
}

/* Beyond the load that it is made for the rate goes up, to 2 % in the fullest slice. */
const struct target target_libbloom = {
    .name = "libbloom",
    .create = create,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup_alone,
    .insert = insert_alone,
    .design = DESIGN,
    .rate = 0.03,
    .granule = 1,
};

const struct target target_libbloom_mutex = {
    .name = "libbloom + mutex",
    .create = create,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup_locked,
    .insert = insert_locked,
    .fill = insert_alone,
    .design = DESIGN,
    .rate = 0.03,
    .granule = 1,
    .shared = true,
};
