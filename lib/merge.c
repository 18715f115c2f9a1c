/*
 * Merging: the entries of a snapshot go into another filter as inserts, in blocks, so that the
 * kernel overlaps their cache misses.
 *
 * The snapshot is also the account of what was inserted: an entry that was not is struck from it.
 * So when a merge fails, what is left of the part that was gone through is what has to go again.
 */
#include "filter.h"
#include "map.h"
#include "snapshot.h"

enum { BLOCK = 256 };

/* Some entries of a snapshot, and what came of them. */
struct block {
    size_t size;
    uint64_t hash[BLOCK]; /* one that means the entry's element */
    uint64_t *word[BLOCK];
    uint64_t slot_bits[BLOCK]; /* where in the word the entry is */
    enum guira_status status[BLOCK];
};

/* All entries of as many whole buckets as fit, from *bucket on, which moves on, but not past `end`.
 */
static void next_block(const struct geometry *g, const struct copied *copy, uint64_t *bucket,
                       uint64_t end, struct block *block) {
    size_t n = 0;
    for (; *bucket < end && n + shape_of(g)->slots <= BLOCK; ++*bucket) {
        uint64_t *word = &copy->words[*bucket];
        for (uint32_t slot = 0; slot < shape_of(g)->slots; slot++) {
            uint64_t tag = slot_tag(g, *word, slot);
            if (tag == 0) {
                continue;
            }
            struct element e = element_of_entry(g, *bucket, slot, entry_of_tag(g, tag));
            block->hash[n] = hash_of_element(g, e);
            block->word[n] = word;
            block->slot_bits[n] = slot_mask(g, slot);
            n++;
        }
    }
    block->size = n;
}

/* Strike what was not inserted. The first failure, if there is one. */
static enum guira_status settle(const struct block *block) {
    enum guira_status first = GUIRA_OK;
    for (size_t i = 0; i < block->size; i++) {
        if (block->status[i] != GUIRA_OK) {
            *block->word[i] &= ~block->slot_bits[i];
            if (block->status[i] != GUIRA_EXISTS && first == GUIRA_OK) {
                first = block->status[i];
            }
        }
    }
    return first;
}

/* Remove what is left of the buckets before `end`. Each element is there as often as it was
 * inserted, so the removes succeed. */
static void take_back(struct guira *into, const struct geometry *g, const struct copied *copy,
                      uint64_t end) {
    struct block block;
    for (uint64_t bucket = 0; bucket < end;) {
        next_block(g, copy, &bucket, end, &block);
        into->kernel.remove_many(into, block.hash, block.size, block.status);
    }
}

/* Insert what a copied table holds, up to the first failure. *end is where in the table that was.
 * */
static enum guira_status put_in(struct guira *into, const struct geometry *g,
                                const struct copied *copy, change_many insert, uint64_t *end) {
    enum guira_status status = GUIRA_OK;
    uint64_t bucket = 0;
    while (bucket < g->buckets && status == GUIRA_OK) {
        struct block block;
        next_block(g, copy, &bucket, g->buckets, &block);
        insert(into, block.hash, block.size, block.status);
        status = settle(&block);
    }
    *end = bucket;
    return status;
}

/* All or nothing. */
static enum guira_status put_all_in(struct guira *into, const struct snapshot *s,
                                    change_many insert) {
    uint64_t end[MOST_TABLES] = {0};
    enum guira_status status = GUIRA_OK;
    for (unsigned i = 0; i < s->of.tables && status == GUIRA_OK; i++) {
        status = put_in(into, &s->of.table[i]->geometry, &s->copy[i], insert, &end[i]);
    }
    for (unsigned i = 0; i < s->of.tables && status != GUIRA_OK; i++) {
        take_back(into, &s->of.table[i]->geometry, &s->copy[i], end[i]);
    }
    return status;
}

static enum guira_status merge(struct guira *into, const struct guira *from, bool unique) {
    enum guira_status status = guira_compatible(into, from);
    if (status == GUIRA_OK) {
        status = into->read_only ? GUIRA_READ_ONLY : guira__verify_once(from);
    }
    struct snapshot snapshot;
    if (status == GUIRA_OK) {
        status = guira__snapshot_take(from, &snapshot);
    }
    if (status != GUIRA_OK) {
        return status;
    }
    change_many insert = unique ? into->kernel.insert_unique_many : into->kernel.insert_many;
    status = put_all_in(into, &snapshot, insert);
    guira__snapshot_release(from, &snapshot);
    return status;
}

enum guira_status guira_merge(struct guira *into, const struct guira *from) {
    return merge(into, from, false);
}

enum guira_status guira_merge_unique(struct guira *into, const struct guira *from) {
    return merge(into, from, true);
}

enum guira_status guira_compatible(const struct guira *a, const struct guira *b) {
    if (a == NULL || b == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    if (guira__hash_identity(&a->hashing) != guira__hash_identity(&b->hashing)) {
        return GUIRA_OTHER_HASH;
    }
    if (a->hashing.seed != b->hashing.seed) {
        return GUIRA_OTHER_SEED;
    }
    return a->table.geometry.universe == b->table.geometry.universe ? GUIRA_OK
                                                                    : GUIRA_OTHER_UNIVERSE;
}
