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
    MIN_FIRST_BUCKETS = 16, /* of a filter that grows: below, tables are full by chance */
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

static double chance_of(const struct guira_options *o) {
    return o->failure_chance != 0.0 ? o->failure_chance : GUIRA_DEFAULT_FAILURE_CHANCE;
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

/* ---- Levels ---------------------------------------------------------------------------------- */

enum guira_status guira__level_geometry(const struct geometry *lowest, uint32_t level,
                                        struct geometry *out) {
    return lowest->buckets > UINT64_MAX >> level
               ? GUIRA_TOO_LARGE
               : guira__geometry_with(lowest->buckets << level, lowest->shape.tag_bits,
                                      lowest->shape.window_slots, lowest->fingerprints >> level,
                                      out);
}

/* The levels that begin with a geometry whose fingerprints can be halved so often. */
static enum guira_status levels_from(const struct geometry *first, uint32_t doublings,
                                     struct outline *out, struct geometry *highest) {
    enum guira_status status =
        guira__geometry_with(first->buckets, first->shape.tag_bits, first->shape.window_slots,
                             first->fingerprints >> doublings << doublings, &out->geometry);
    out->levels = doublings + 1;
    return status == GUIRA_OK ? guira__level_geometry(&out->geometry, doublings, highest) : status;
}

/*
 * As few levels as hold so many keys, each with one bit of fingerprint less and at least `least`
 * fingerprints; for GUIRA_NO_MAXIMUM as many as there can be.
 */
static enum guira_status choose_levels(const struct geometry *first, uint64_t least,
                                       uint64_t capacity, double chance, struct outline *out) {
    bool unlimited = capacity == GUIRA_NO_MAXIMUM;
    uint64_t slots = first->buckets * first->shape.slots;
    struct outline found = {.levels = 0};
    for (uint32_t doublings = 0;
         doublings < MAX_LEVELS && first->fingerprints >> doublings >= least; doublings++) {
        struct geometry highest;
        if (levels_from(first, doublings, &found, &highest) != GUIRA_OK) {
            break;
        }
        if (unlimited || slots >= (capacity >> doublings)) {
            found.capacity = guira__safe_capacity(&highest, chance);
            *out = found;
        }
        if (!unlimited && found.capacity >= capacity) {
            return GUIRA_OK;
        }
    }
    return unlimited && found.capacity > 0 ? GUIRA_OK : GUIRA_TOO_LARGE;
}

/* ---- The choice ------------------------------------------------------------------------------ */

/* Of explicit geometry. */
static enum guira_status choose_explicit(const struct guira_options *o, struct outline *out) {
    /* A rate of NaN is a mistake here too, and it differs from 0. */
    if (o->capacity != 0 || o->false_positive_rate != 0.0 || o->compact) {
        return GUIRA_CONFLICT;
    }
    enum guira_status status = guira__geometry(o->buckets, o->tag_bits, o->window, &out->geometry);
    if (status != GUIRA_OK) {
        return status;
    }
    if (o->max_capacity == 0) {
        out->capacity = guira__safe_capacity(&out->geometry, chance_of(o));
        return GUIRA_OK;
    }
    struct geometry first = out->geometry;
    return choose_levels(&first, LEAST_FINGERPRINTS, o->max_capacity, chance_of(o), out);
}

/* As many doublings as the widest tags allow that keep the rate. */
static enum guira_status choose_unlimited(const struct guira_options *o, uint64_t least,
                                          struct outline *out) {
    const struct promise promise = {o->capacity, o->false_positive_rate, chance_of(o), false};
    struct span span;
    enum guira_status status = guira__choose_first(&promise, least, &span);
    struct geometry first;
    if (status == GUIRA_OK) {
        status = guira__geometry(span.buckets, span.tag_bits, span.window, &first);
    }
    if (status != GUIRA_OK) {
        return status;
    }
    /* At the highest level the items are fewer than the slots: rate < slots / U. */
    double slots_a_start = (double)first.shape.slots / first.shape.lanes;
    double least_fingerprints = slots_a_start / o->false_positive_rate;
    if (least_fingerprints > (double)first.fingerprints) {
        return GUIRA_TOO_LARGE;
    }
    uint64_t needed = (uint64_t)least_fingerprints + 1;
    needed = needed > LEAST_FINGERPRINTS ? needed : LEAST_FINGERPRINTS;
    status = choose_levels(&first, needed, GUIRA_NO_MAXIMUM, chance_of(o), out);
    return status == GUIRA_OK && out->capacity < o->capacity ? GUIRA_TOO_LARGE : status;
}

/* A filter that grows has a bucket in each stripe from the beginning. It must not depend on the
 * processors, as filters of the same options can be merged. */
static uint64_t least_buckets(const struct guira_options *o) {
    uint64_t room = o->max_capacity / (8 * (uint64_t)MIN_BUCKETS_PER_STRIPE); /* 8 slots in each */
    uint64_t wanted = o->stripes > MAX_DEFAULT_STRIPES ? o->stripes : MAX_DEFAULT_STRIPES;
    wanted = wanted < room ? wanted : room;
    return wanted > MIN_FIRST_BUCKETS ? wanted : MIN_FIRST_BUCKETS;
}

static enum guira_status choose_growing(const struct guira_options *o, struct outline *out) {
    if (o->max_capacity == GUIRA_NO_MAXIMUM) {
        return choose_unlimited(o, least_buckets(o), out);
    }
    const struct promise promise = {o->max_capacity, o->false_positive_rate, chance_of(o),
                                    o->compact};
    struct span span;
    enum guira_status status = guira__choose_span(&promise, o->capacity, least_buckets(o), &span);
    if (status != GUIRA_OK) {
        return status;
    }
    out->capacity = o->max_capacity;
    out->levels = span.doublings + 1;
    return guira__geometry_with(span.buckets, span.tag_bits, span.window, span.fingerprints,
                                &out->geometry);
}

static enum guira_status choose(const struct guira_options *o, struct outline *out) {
    if (o->buckets != 0 || o->tag_bits != 0 || o->window != 0) {
        return choose_explicit(o, out);
    }
    if (o->capacity == 0 || (o->max_capacity != 0 && o->max_capacity < o->capacity)) {
        return GUIRA_BAD_CAPACITY;
    }
    if (!inside_unit_interval(o->false_positive_rate)) {
        return GUIRA_BAD_RATE;
    }
    if (o->max_capacity > o->capacity) {
        return choose_growing(o, out);
    }
    out->capacity = o->capacity;
    struct promise promise = {o->capacity, o->false_positive_rate, chance_of(o), o->compact};
    return guira__choose_geometry(&promise, &out->geometry);
}

/* ---- The plan -------------------------------------------------------------------------------- */

static void plan_stripes(const struct guira_options *o, struct plan *plan) {
    uint64_t last = plan->geometry.buckets - 1;
    uint32_t highest = plan->levels > 0 ? plan->levels - 1 : 0;
    uint32_t wanted = wanted_stripes(o, plan->geometry.buckets << highest);
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

size_t guira__table_bytes(const struct guira_allocator *allocator, uint64_t buckets) {
    return guira__memory_size(allocator, (size_t)buckets * sizeof(atomic_word));
}

struct plan guira__plan_for(const struct outline *outline, const struct guira_options *o) {
    struct plan plan = {.geometry = outline->geometry,
                        .capacity = outline->capacity,
                        .levels = outline->levels,
                        .level = outline->level,
                        .from = outline->from};
    plan_stripes(o, &plan);
    plan.search_budget = o->search_budget != 0 ? o->search_budget : GUIRA_DEFAULT_SEARCH_BUDGET;
    plan.block_bytes = guira__memory_size(&o->allocator, guira__block_size(&plan));
    plan.table_bytes = guira__table_bytes(&o->allocator, plan.geometry.buckets << plan.level);
    return plan;
}

enum guira_status guira__plan(const struct guira_options *o, struct plan *out) {
    if (o == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct outline outline = {.levels = 0};
    enum guira_status status = guira__check_options(o);
    if (status == GUIRA_OK) {
        status = choose(o, &outline);
    }
    if (status == GUIRA_OK) {
        *out = guira__plan_for(&outline, o);
    }
    return status;
}
