/*
 * guira, in the geometries that it chooses for a false-positive rate, with exactly the slots that
 * the others have.
 */
#include "../target.h"

#include <stdlib.h>

#include <guira/guira.h>

#include "../support.h"
#include "guira_target.h"

struct guira_table {
    struct guira *filter;
    unsigned key_bytes;
    unsigned batch; /* keys of one call */
};

enum { MOST_BATCH = 256 };

struct guira *guira_of(const void *table) {
    return ((const struct guira_table *)table)->filter;
}

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

double guira_design_load(const struct wish *wish) {
    struct guira_sizing sizing = sizing_for(wish);
    return (double)sizing.capacity / (double)(sizing.buckets * sizing.slots_per_bucket);
}

static void *create_with(const struct wish *wish, struct guira_options options) {
    struct guira_sizing sizing = sizing_for(wish);
    options.buckets = (UINT64_C(1) << wish->log2_slots) / sizing.slots_per_bucket;
    options.tag_bits = sizing.tag_bits;
    options.window = sizing.window;
    options.seed = mix(wish->seed) | 1;
    struct guira_table *table = zeroed(1, sizeof *table);
    table->key_bytes = wish->key_bytes;
    table->batch = wish->batch == 0 ? MOST_BATCH : wish->batch;
    enum guira_status status = guira_create(&options, &table->filter);
    if (status != GUIRA_OK) {
        fail("no filter: %s", guira_status_text(status));
    }
    return table;
}

static void *create(const struct wish *wish) {
    return create_with(wish, (struct guira_options){0});
}

static void *create_single_writer(const struct wish *wish) {
    return create_with(wish, (struct guira_options){.single_writer = true});
}

static void *create_scalar(const struct wish *wish) {
    void *table = create(wish);
    without_vectors(guira_of(table));
    return table;
}

static void destroy(void *table) {
    guira_destroy(guira_of(table));
    free(table);
}

static void clear(void *table) {
    (void)guira_clear(guira_of(table));
}

static uint64_t size(const void *table) {
    return guira_size(guira_of(table));
}

static size_t lookup_single(void *table, const void *keys, size_t count) {
    const struct guira *filter = guira_of(table);
    const uint64_t *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += guira_contains_u64(filter, key[i]);
    }
    return found;
}

static size_t insert_single(void *table, const void *keys, size_t count) {
    struct guira *filter = guira_of(table);
    const uint64_t *key = keys;
    size_t done = 0;
    while (done < count && guira_insert_u64(filter, key[done]) == GUIRA_OK) {
        done++;
    }
    return done;
}

static size_t remove_single(void *table, const void *keys, size_t count) {
    struct guira *filter = guira_of(table);
    const uint64_t *key = keys;
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        done += guira_remove_u64(filter, key[i]) == GUIRA_OK;
    }
    return done;
}

static size_t lookup_records(void *table, const void *keys, size_t count) {
    const struct guira *filter = guira_of(table);
    size_t length = ((const struct guira_table *)table)->key_bytes;
    const char *key = keys;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += guira_contains(filter, key + i * length, length);
    }
    return found;
}

static size_t insert_records(void *table, const void *keys, size_t count) {
    struct guira *filter = guira_of(table);
    size_t length = ((const struct guira_table *)table)->key_bytes;
    const char *key = keys;
    size_t done = 0;
    while (done < count && guira_insert(filter, key + done * length, length) == GUIRA_OK) {
        done++;
    }
    return done;
}

/* The next keys that one call takes. */
static struct guira_keys next_keys(const struct guira_table *table, const void *keys, size_t from,
                                   size_t count) {
    size_t size = count - from < table->batch ? count - from : table->batch;
    size_t length = table->key_bytes;
    return length == 0 ? guira_keys_u64((const uint64_t *)keys + from, size)
                       : guira_keys_records((const char *)keys + from * length, length, size);
}

static size_t lookup_batch(void *table, const void *keys, size_t count) {
    size_t found = 0;
    for (size_t from = 0; from < count;) {
        bool there[MOST_BATCH];
        struct guira_keys next = next_keys(table, keys, from, count);
        (void)guira_contains_batch(guira_of(table), next, there);
        for (size_t i = 0; i < next.count; i++) {
            found += there[i];
        }
        from += next.count;
    }
    return found;
}

/* How many went in before the first that did not. Those after it are taken out again. Only tables
 * of integers are filled as far as that. */
static size_t keep_first(struct guira *filter, struct guira_keys keys,
                         const enum guira_status *results) {
    size_t first = 0;
    while (first < keys.count && results[first] == GUIRA_OK) {
        first++;
    }
    for (size_t i = first; i < keys.count; i++) {
        if (results[i] == GUIRA_OK) {
            (void)guira_remove_u64(filter, ((const uint64_t *)keys.data)[i]);
        }
    }
    return first;
}

static size_t insert_batch(void *table, const void *keys, size_t count) {
    for (size_t from = 0; from < count;) {
        enum guira_status results[MOST_BATCH];
        struct guira_keys next = next_keys(table, keys, from, count);
        if (guira_insert_batch(guira_of(table), next, results) != GUIRA_OK) {
            return from + keep_first(guira_of(table), next, results);
        }
        from += next.count;
    }
    return count;
}

static size_t remove_batch(void *table, const void *keys, size_t count) {
    size_t done = 0;
    for (size_t from = 0; from < count;) {
        enum guira_status results[MOST_BATCH];
        struct guira_keys next = next_keys(table, keys, from, count);
        (void)guira_remove_batch(guira_of(table), next, results);
        for (size_t i = 0; i < next.count; i++) {
            done += results[i] == GUIRA_OK;
        }
        from += next.count;
    }
    return done;
}

/* All of them are the same filter in the same geometries. */
#define TARGET(title, make, kind, keys, threads)                                                   \
    {                                                                                              \
        .name = (title), .create = (make), .destroy = destroy, .clear = clear,                     \
        .lookup = lookup##kind, .insert = insert##kind, .remove = remove##kind,                    \
        .fill = insert_batch, .fill_shared = (threads), .size = size, .granule = (keys),           \
        .shared = (threads),                                                                       \
    }

const struct target target_guira = TARGET("guira", create, _single, 1, true);
const struct target target_guira_batch = TARGET("guira batch", create, _batch, 16, true);
const struct target target_guira_scalar = TARGET("guira scalar", create_scalar, _batch, 16, true);
const struct target target_guira_single_writer =
    TARGET("guira 1w", create_single_writer, _single, 1, false);

/* Keys are records, which are never removed. */
const struct target target_guira_records = {
    .name = "guira",
    .create = create,
    .destroy = destroy,
    .clear = clear,
    .lookup = lookup_records,
    .insert = insert_records,
    .fill = insert_batch,
    .fill_shared = true,
    .size = size,
    .granule = 1,
    .shared = true,
};
