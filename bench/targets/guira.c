/*
 * guira, in the geometries that it chooses for a false-positive rate, with exactly the slots that
 * the others have.
 */
#include "../target.h"

#include <stdlib.h>

#include <guira/guira.h>

#include "../support.h"

/* The geometry for the rate, at about as many slots as are wished. */
static struct guira_sizing sizing_for(const struct wish *wish) {
    struct guira_options options = {.capacity = (UINT64_C(9) << wish->log2_slots) / 10,
                                    .false_positive_rate = wish->rate};
    struct guira_sizing sizing;
    enum guira_status status = guira_size_for(&options, &sizing);
    if (status != GUIRA_OK) {
        fail("no geometry: %s", guira_status_text(status));
    }
    return sizing;
}

/* The load for which guira would have chosen this geometry. */
static uint64_t design(const struct wish *wish) {
    struct guira_sizing sizing = sizing_for(wish);
    double load = (double)sizing.capacity / (double)(sizing.buckets * sizing.slots_per_bucket);
    return (uint64_t)(load * (double)(UINT64_C(1) << wish->log2_slots));
}

static void *create_with(const struct wish *wish, struct guira_options options) {
    struct guira_sizing sizing = sizing_for(wish);
    options.buckets = (UINT64_C(1) << wish->log2_slots) / sizing.slots_per_bucket;
    options.tag_bits = sizing.tag_bits;
    options.window = sizing.window;
    options.seed = mix(wish->seed) | 1;
    struct guira *filter;
    enum guira_status status = guira_create(&options, &filter);
    if (status != GUIRA_OK) {
        fail("no filter: %s", guira_status_text(status));
    }
    return filter;
}

static void *create(const struct wish *wish) {
    return create_with(wish, (struct guira_options){0});
}

static void *create_single_writer(const struct wish *wish) {
    return create_with(wish, (struct guira_options){.single_writer = true});
}

static void destroy(void *table) {
    guira_destroy(table);
}

static void clear(void *table) {
    (void)guira_clear(table);
}

static uint64_t size(const void *table) {
    return guira_size(table);
}

static size_t lookup(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += guira_contains_u64(table, key[i]);
    }
    return found;
}

static size_t insert(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t done = 0;
    while (done < count && guira_insert_u64(table, key[done]) == GUIRA_OK) {
        done++;
    }
    return done;
}

static size_t take_away(void *table, const void *keys, size_t count) {
    const uint64_t *key = keys;
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        done += guira_remove_u64(table, key[i]) == GUIRA_OK;
    }
    return done;
}

const struct target target_guira = {
    .name = "guira",
    .create = create,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup,
    .insert = insert,
    .remove = take_away,
    .design = design,
    .size = size,
    .rate = 0.03,
    .granule = 1,
};

const struct target target_guira_single_writer = {
    .name = "guira 1w",
    .create = create_single_writer,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup,
    .insert = insert,
    .remove = take_away,
    .design = design,
    .size = size,
    .rate = 0.03,
    .granule = 1,
};
