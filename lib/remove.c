/*
 * Remove: see where a copy is without locks, then take it away under that stripe's lock. And clear.
 */
#include "filter.h"

/* Empty one slot of one window that holds the element, if any; the caller holds its stripe. */
static bool empty_window(struct guira *f, const struct candidates *c, unsigned side) {
    const struct geometry *g = &f->table.geometry;
    uint64_t bucket = c->bucket[side];
    uint64_t matches = matching_slots(g, held_word(&f->table, bucket), c->pattern[side]);
    if (matches == 0) {
        return false;
    }
    empty_and_complete(&f->table, bucket, lowest_slot_mask(g, matches));
    stripe_count(&f->stripes, stripe_of(&f->table, bucket), -1);
    return true;
}

static enum guira_status remove_one(struct guira *f, uint64_t hash) {
    struct candidates c = candidates_of_hash(f, hash);
    enum sighting seen = look_surely(f, &c);
    if (seen == NOT_THERE) {
        return GUIRA_NOT_FOUND;
    }
    unsigned side = seen == SEEN_AWAY;
    uint32_t stripe = stripe_of(&f->table, c.bucket[side]);
    HOOK(HOOK_SLOT_CHOSEN);
    stripe_lock(&f->stripes, stripe);
    bool removed = empty_window(f, &c, side);
    stripe_unlock(&f->stripes, stripe);
    if (removed) {
        return GUIRA_OK;
    }

    /* It has moved, or another thread removed it. With both stripes held nothing moves. */
    struct stripe_set both = stripes_of(f, &c);
    guira__stripe_set_lock(&f->stripes, &both);
    removed = empty_window(f, &c, 0) || empty_window(f, &c, 1);
    guira__stripe_set_unlock(&f->stripes, &both);
    return removed ? GUIRA_OK : GUIRA_NOT_FOUND;
}

enum guira_status guira_remove(struct guira *filter, const void *key, size_t length) {
    uint64_t hash;
    return hash_key(filter, key, length, &hash) ? remove_one(filter, hash) : GUIRA_NULL_ARGUMENT;
}

enum guira_status guira_remove_u64(struct guira *filter, uint64_t key) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT
                          : remove_one(filter, finalise(&filter->hashing, key));
}

enum guira_status guira_remove_uniform(struct guira *filter, uint64_t hash) {
    return filter == NULL ? GUIRA_NULL_ARGUMENT : remove_one(filter, hash);
}

enum guira_status guira_clear(struct guira *filter) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    const struct table *t = &filter->table;
    guira__lock_all(&filter->stripes);
    for (uint64_t bucket = 0; bucket < t->geometry.buckets; bucket++) {
        uint64_t word = held_word(t, bucket);
        if (word != 0) {
            empty_and_complete(t, bucket, word);
            stripe_count(&filter->stripes, stripe_of(t, bucket),
                         -(int)used_slots(&t->geometry, word));
        }
    }
    guira__unlock_all(&filter->stripes);
    return GUIRA_OK;
}
