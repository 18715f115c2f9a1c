/*
 * A copy of a filter that threads change meanwhile: a filter around a snapshot of its words.
 */
#include "create.h"
#include "map.h"
#include "snapshot.h"

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

/* What was in mid-growth is so in the copy: it begins to empty the old table from the start,
 * which is quick where that is empty. */
static struct outline outline_of(const struct guira *f, const struct view *v) {
    return (struct outline){
        .geometry = f->table.geometry,
        .capacity = f->capacity,
        .levels = f->growth != NULL ? f->growth->levels : 0,
        .level = view_to(v->word),
        .from = view_from(v->word),
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
    struct snapshot snapshot;
    status = guira__snapshot_take(filter, &snapshot);
    if (status != GUIRA_OK) {
        return status;
    }
    const struct guira_options options = options_for_copy(filter);
    const struct outline outline = outline_of(filter, &snapshot.of.view);
    struct plan plan = guira__plan_for(&outline, &options);
    const struct begin_with tables = {snapshot.copy[0].words, snapshot.copy[1].words};
    struct guira *copy;
    status = guira__create_around(&plan, &options, filter->hashing.seed, tables, &copy);
    if (status != GUIRA_OK) {
        guira__snapshot_release(filter, &snapshot);
        return status;
    }
    /* Only the sum of the stripes' counts means anything: moves take entries from stripe to stripe
     * without a count. */
    stripe_count(stripe_at(&copy->stripes, 0), (int64_t)snapshot.items);
    *out = copy;
    return GUIRA_OK;
}
