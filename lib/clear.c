/*
 * Remove everything.
 */
#include "filter.h"

enum guira_status guira_clear(struct guira *filter) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    if (filter->read_only) {
        return GUIRA_READ_ONLY;
    }
    const struct table *t = &filter->table;
    guira__lock_all(&filter->stripes);
    for (uint64_t bucket = 0; bucket < t->geometry.buckets; bucket++) {
        uint64_t word = held_word(t, bucket);
        if (word != 0) {
            empty_and_complete(t, bucket, word);
            stripe_count(stripe_at(&filter->stripes, stripe_of(t, bucket)),
                         -(int)used_slots(&t->geometry, word));
        }
    }
    guira__unlock_all(&filter->stripes);
    return GUIRA_OK;
}
