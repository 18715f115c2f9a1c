/*
 * Taking a snapshot; see the header.
 */
#include "snapshot.h"

#include "memory.h"

enum guira_status guira__snapshot_take(const struct guira *f, struct snapshot *out) {
    const struct table *t = &f->table;
    uint64_t buckets = t->geometry.buckets;
    size_t bytes = guira__memory_size(&f->allocator, (size_t)buckets * sizeof(uint64_t));
    void *memory;
    enum guira_status status = guira__memory_get(&f->allocator, bytes, &memory);
    if (status != GUIRA_OK) {
        return status;
    }
    guira__memory_touch(&f->allocator, memory, bytes);
    uint64_t *words = memory;

    /* The instant is any moment while all locks are held: then no insert, remove or move is half
     * done, and the stripes' counts are those of the words. */
    guira__lock_all(&f->stripes);
    for (uint64_t bucket = 0; bucket < buckets; bucket++) {
        words[bucket] = held_word(t, bucket);
    }
    uint64_t items = guira__item_sum(&f->stripes);
    guira__unlock_all(&f->stripes);

    *out = (struct snapshot){.words = words, .items = items, .bytes = bytes};
    return GUIRA_OK;
}

void guira__snapshot_release(const struct guira *f, struct snapshot *snapshot) {
    guira__memory_give_back(&f->allocator, snapshot->words, snapshot->bytes);
    *snapshot = (struct snapshot){0};
}
