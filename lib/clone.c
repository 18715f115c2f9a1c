/*
 * A copy of a filter that threads change meanwhile, as snapshot.h copies its words, but straight
 * into the new filter's table.
 */
#include "create.h"
#include "filter.h"
#include "map.h"
#include "memory.h"

/* The caller holds all locks of `from`. */
static void copy_table(const struct guira *from, struct guira *to) {
    for (uint64_t bucket = 0; bucket < from->table.geometry.buckets; bucket++) {
        /* relaxed: no other thread has the copy yet */
        word_store(&to->table.words[bucket], held_word(&from->table, bucket), memory_order_relaxed);
    }
    /* Only the sum of the stripes' counts means anything: moves take entries from stripe to stripe
     * without a count. */
    stripe_count(stripe_at(&to->stripes, 0), (int64_t)guira__item_sum(&from->stripes));
}

/* A filter that is read only has one stripe and no locks, as nobody writes. Its copy can be written
 * to, by anyone, as by default. */
static struct guira_options options_for_copy(const struct guira *f) {
    return (struct guira_options){
        .hash = f->hashing.user,
        .stripes = f->read_only ? 0 : f->stripes.count,
        .search_budget = f->search_budget,
        .single_writer = !f->read_only && f->stripes.unlocked,
        .allocator = f->allocator,
    };
}

enum guira_status guira_clone(const struct guira *filter, struct guira **out) {
    if (filter == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = guira__verify_once(filter);
    if (status != GUIRA_OK) {
        return status;
    }
    const struct guira_options options = options_for_copy(filter);
    struct plan plan = guira__plan_for(&filter->table.geometry, filter->capacity, &options);
    struct guira *copy;
    status = guira__create_planned(&plan, &options, filter->hashing.seed, &copy);
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
