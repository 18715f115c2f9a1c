/*
 * From options to a plan: everything that guira_create has to know, with nothing allocated.
 */
#ifndef GUIRA_LIB_OPTIONS_H
#define GUIRA_LIB_OPTIONS_H

#include "geometry.h"
#include "guira/guira.h"

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

/* Bytes of the block that create.c lays out, before rounding. */
size_t guira__block_size(const struct plan *plan);

#endif
