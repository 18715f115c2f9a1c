/*
 * The textbook filter as a target: alone, behind a mutex, and behind a read-write lock. The kind of
 * lock is a constant in each of the three, so alone there is not even a test for it.
 */
#define _POSIX_C_SOURCE 200809L /* read-write locks */

#include "../target.h"

#include <stdlib.h>

#include "../support.h"
#include "lock.h"
#include "textbook.h"

struct guarded {
    struct textbook *filter;
    struct lock lock;
};

static void *create(const struct wish *wish) {
    struct guarded *guarded = zeroed(1, sizeof *guarded);
    guarded->filter = textbook_create(wish->log2_slots, wish->seed);
    lock_make(&guarded->lock);
    return guarded;
}

static void destroy(void *table) {
    struct guarded *guarded = table;
    textbook_destroy(guarded->filter);
    lock_end(&guarded->lock);
    free(guarded);
}

static void clear(void *table) {
    const struct guarded *guarded = table;
    textbook_clear(guarded->filter);
}

static uint64_t size(const void *table) {
    const struct guarded *guarded = table;
    return textbook_size(guarded->filter);
}

static inline size_t lookup(struct guarded *guarded, const uint64_t *keys, size_t count,
                            enum lock_kind kind) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        lock_for_reading(&guarded->lock, kind);
        found += textbook_contains(guarded->filter, keys[i]);
        lock_release(&guarded->lock, kind);
    }
    return found;
}

static inline size_t insert(struct guarded *guarded, const uint64_t *keys, size_t count,
                            enum lock_kind kind) {
    bool going = true;
    size_t done = 0;
    while (done < count && going) {
        lock_for_writing(&guarded->lock, kind);
        going = textbook_insert(guarded->filter, keys[done]);
        lock_release(&guarded->lock, kind);
        done += going;
    }
    return done;
}

static inline size_t take_away(struct guarded *guarded, const uint64_t *keys, size_t count,
                               enum lock_kind kind) {
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        lock_for_writing(&guarded->lock, kind);
        done += textbook_remove(guarded->filter, keys[i]);
        lock_release(&guarded->lock, kind);
    }
    return done;
}

/* The three operations with one kind of lock. */
#define OPERATIONS(kind)                                                                           \
    static size_t lookup_##kind(void *table, const void *keys, size_t count) {                     \
        return lookup(table, keys, count, kind);                                                   \
    }                                                                                              \
    static size_t insert_##kind(void *table, const void *keys, size_t count) {                     \
        return insert(table, keys, count, kind);                                                   \
    }                                                                                              \
    static size_t remove_##kind(void *table, const void *keys, size_t count) {                     \
        return take_away(table, keys, count, kind);                                                \
    }

OPERATIONS(NO_LOCK)
OPERATIONS(MUTEX)
OPERATIONS(READ_WRITE_LOCK)

#define TARGET(title, kind)                                                                        \
    {                                                                                              \
        .name = (title), .create = create, .destroy = destroy, .clear = clear,                     \
        .lookup = lookup_##kind, .insert = insert_##kind, .remove = remove_##kind,                 \
        .fill = insert_NO_LOCK, .size = size, .design = 0.95, .rate = 0.003, .granule = 1,         \
        .shared = (kind) != NO_LOCK,                                                               \
    }

const struct target target_textbook = TARGET("textbook", NO_LOCK);
const struct target target_textbook_mutex = TARGET("textbook + mutex", MUTEX);
const struct target target_textbook_rwlock = TARGET("textbook + rwlock", READ_WRITE_LOCK);
