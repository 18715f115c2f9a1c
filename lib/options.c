/*
 * What options mean, and which are refused.
 */
#include "options.h"

#include <math.h>

#include "filter.h"
#include "memory.h"
#include "sizing.h"
#include "system.h"

enum {
    MIN_BUCKETS_PER_STRIPE = 32, /* so that stripes stay under a tenth of the table */
    MIN_STRIPES = 256,           /* per design, 256 to 4,096 are alike in speed */
    MAX_DEFAULT_STRIPES = 4096,
    STRIPES_PER_PROCESSOR = 64,
    STRIPES_PER_STATS_SHARD = 16
};

static bool inside_unit_interval(double value) {
    return value > 0.0 && value < 1.0; /* false for NaN */
}

enum guira_status guira__check_reserved(const uint64_t reserved[RESERVED_OPTIONS]) {
    uint64_t bits = 0;
    for (size_t i = 0; i < RESERVED_OPTIONS; i++) {
        bits |= reserved[i];
    }
    return bits == 0 ? GUIRA_OK : GUIRA_BAD_RESERVED;
}

enum guira_status guira__check_options(const struct guira_options *o) {
    if (o->stripes > GUIRA_MAX_STRIPES) {
        return GUIRA_BAD_STRIPES;
    }
    if (o->search_budget > GUIRA_MAX_SEARCH_BUDGET) {
        return GUIRA_BAD_SEARCH_BUDGET;
    }
    bool has_hash = o->hash.function != NULL;
    if (has_hash ? o->hash.identity < GUIRA_HASH_FIRST_USER
                 : o->hash.identity != 0 || o->hash.context != NULL) {
        return GUIRA_BAD_HASH;
    }
    if ((o->allocator.allocate == NULL) != (o->allocator.release == NULL)) {
        return GUIRA_BAD_ALLOCATOR;
    }
    if (o->failure_chance != 0.0 &&
        !(o->failure_chance >= GUIRA_MIN_FAILURE_CHANCE && o->failure_chance < 1.0)) {
        return GUIRA_BAD_FAILURE_CHANCE;
    }
    return guira__check_reserved(o->reserved);
}

static enum guira_status choose(const struct guira_options *o, struct geometry *geometry,
                                uint64_t *capacity) {
    double chance = o->failure_chance != 0.0 ? o->failure_chance : GUIRA_DEFAULT_FAILURE_CHANCE;
    if (o->buckets != 0 || o->tag_bits != 0 || o->window != 0) {
        /* A rate of NaN is a mistake here too, and it differs from 0. */
        if (o->capacity != 0 || o->false_positive_rate != 0.0 || o->compact) {
            return GUIRA_CONFLICT;
        }
        enum guira_status status = guira__geometry(o->buckets, o->tag_bits, o->window, geometry);
        if (status == GUIRA_OK) {
            *capacity = guira__safe_capacity(geometry, chance);
        }
        return status;
    }
    if (o->capacity == 0) {
        return GUIRA_BAD_CAPACITY;
    }
    if (!inside_unit_interval(o->false_positive_rate)) {
        return GUIRA_BAD_RATE;
    }
    *capacity = o->capacity;
    struct promise promise = {o->capacity, o->false_positive_rate, chance, o->compact};
    return guira__choose_geometry(&promise, geometry);
}

static uint32_t wanted_stripes(const struct guira_options *o, uint64_t buckets) {
    if (o->stripes != 0) {
        return o->stripes;
    }
    uint64_t wanted = (uint64_t)STRIPES_PER_PROCESSOR * guira__processors();
    wanted = wanted < MIN_STRIPES ? MIN_STRIPES : wanted;
    wanted = wanted > MAX_DEFAULT_STRIPES ? MAX_DEFAULT_STRIPES : wanted;
    uint64_t room = buckets / MIN_BUCKETS_PER_STRIPE;
    wanted = wanted > room ? room : wanted;
    return wanted == 0 ? 1 : (uint32_t)wanted;
}

static void plan_stripes(const struct guira_options *o, struct plan *plan) {
    uint64_t last = plan->geometry.buckets - 1;
    uint32_t wanted = wanted_stripes(o, plan->geometry.buckets);
    while (last >> plan->stripe_shift >= wanted) {
        plan->stripe_shift++;
    }
    plan->stripes = (uint32_t)(last >> plan->stripe_shift) + 1;
    plan->stats_shards = 1;
    while (plan->stats_shards < MAX_STATS_SHARDS &&
           plan->stats_shards * 2 * STRIPES_PER_STATS_SHARD <= plan->stripes) {
        plan->stats_shards *= 2;
    }
}

struct plan guira__plan_for(const struct geometry *geometry, uint64_t capacity,
                            const struct guira_options *o) {
    struct plan plan = {.geometry = *geometry, .capacity = capacity};
    plan_stripes(o, &plan);
    plan.search_budget = o->search_budget != 0 ? o->search_budget : GUIRA_DEFAULT_SEARCH_BUDGET;
    plan.block_bytes = guira__memory_size(&o->allocator, guira__block_size(&plan));
    plan.table_bytes =
        guira__memory_size(&o->allocator, (size_t)plan.geometry.buckets * sizeof(atomic_word));
    return plan;
}

enum guira_status guira__plan(const struct guira_options *o, struct plan *out) {
    if (o == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct geometry geometry;
    uint64_t capacity;
    enum guira_status status = guira__check_options(o);
    if (status == GUIRA_OK) {
        status = choose(o, &geometry, &capacity);
    }
    if (status == GUIRA_OK) {
        *out = guira__plan_for(&geometry, capacity, o);
    }
    return status;
}
