/*
 * From options to a plan: everything that must be known to make a filter, with nothing allocated.
 */
#ifndef GUIRA_LIB_OPTIONS_H
#define GUIRA_LIB_OPTIONS_H

#include "geometry.h"
#include "guira/guira.h"

/* Every struct of options ends in as many numbers that must be zero. */
enum { RESERVED_OPTIONS = 4 };

struct plan {
    struct geometry geometry;
    uint64_t capacity;
    uint32_t stripes;
    uint32_t stripe_shift;
    uint32_t stats_shards;
    uint32_t search_budget;
    size_t block_bytes; /* struct guira, stripes, counters and statistics */
    size_t table_bytes;
};

/* GUIRA_OK and the plan, or why there is none. */
enum guira_status guira__plan(const struct guira_options *options, struct plan *out);

/* Whether everything in the options is sound that does not decide the geometry. What is reserved is
 * looked at last. */
enum guira_status guira__check_options(const struct guira_options *options);
enum guira_status guira__check_reserved(const uint64_t reserved[RESERVED_OPTIONS]);

/* The plan for a geometry that is known, as of a filter that exists already. Of the options only
 * stripes, search_budget and allocator are read, and must be sound. */
struct plan guira__plan_for(const struct geometry *geometry, uint64_t capacity,
                            const struct guira_options *options);

/* Bytes of the block that create.c lays out, before rounding. */
size_t guira__block_size(const struct plan *plan);

#endif
