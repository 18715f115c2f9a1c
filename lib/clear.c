/*
 * Remove everything.
 */
#include "whole.h"

static void clear_table(struct guira *f, const struct table *t) {
    for (uint64_t bucket = 0; bucket < t->geometry.buckets; bucket++) {
        uint64_t word = held_word(t, bucket);
        if (word != 0) {
            empty_and_complete(t, bucket, word);
            stripe_count(stripe_in(f, t, bucket), -(int)used_slots(&t->geometry, word));
        }
    }
}

enum guira_status guira_clear(struct guira *filter) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    if (filter->read_only) {
        return GUIRA_READ_ONLY;
    }
    guira__lock_all(&filter->stripes);
    struct whole all = whole_of(filter);
    for (unsigned i = 0; i < all.tables; i++) {
        clear_table(filter, all.table[i]);
    }
    guira__unlock_all(&filter->stripes);
    return GUIRA_OK;
}
