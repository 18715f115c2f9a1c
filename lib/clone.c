/*
 * A copy of a filter that threads change meanwhile, as snapshot.h copies its words, but straight
 * into the new filter's table.
 */
#include "create.h"
#include "filter.h"
#include "memory.h"

/* The caller holds all locks of `from`. */
static void copy_table(const struct guira *from, struct guira *to) {
    for (uint64_t bucket = 0; bucket < from->table.geometry.buckets; bucket++) {
        /* relaxed: no other thread has the copy yet */
        word_store(&to->table.words[bucket], held_word(&from->table, bucket), memory_order_relaxed);
    }
    /* Only the sum of the stripes' counts means anything: moves take entries from stripe to stripe
     * without a count. */
    word_store(&to->stripes.all[0].items, guira__item_sum(&from->stripes),
               memory_order_relaxed); /* relaxed: as above */
}

enum guira_status guira_clone(const struct guira *filter, struct guira **out) {
    if (filter == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    const struct guira_options options = {
        .hash = filter->hashing.user,
        .stripes = filter->stripes.count,
        .search_budget = filter->search_budget,
        .single_writer = filter->stripes.unlocked,
        .allocator = filter->allocator,
    };
    struct plan plan = guira__plan_for(&filter->table.geometry, filter->capacity, &options);
    struct guira *copy;
    enum guira_status status = guira__create_planned(&plan, &options, filter->hashing.seed, &copy);
    if (status != GUIRA_OK) {
        return status;
    }
    guira__memory_touch(copy->table.words, copy->table_bytes);
    guira__lock_all(&filter->stripes);
    copy_table(filter, copy);
    guira__unlock_all(&filter->stripes);
    *out = copy;
    return GUIRA_OK;
}
