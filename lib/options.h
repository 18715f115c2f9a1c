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
    struct geometry geometry; /* of the lowest level, if it grows */
    uint64_t capacity;
    uint32_t levels; /* 0: it does not grow */
    uint32_t level;  /* the one that is filled first */
    uint32_t from;   /* the one that is emptied into it; the same if there is none */
    uint32_t stripes;
    uint32_t stripe_shift;
    uint32_t stats_shards;
    uint32_t search_budget;
    size_t block_bytes; /* struct guira, stripes, counters and statistics */
    size_t table_bytes; /* of the table that is filled first */
};

/* GUIRA_OK and the plan, or why there is none. */
enum guira_status guira__plan(const struct guira_options *options, struct plan *out);

/* Whether everything in the options is sound that does not decide the geometry. What is reserved is
 * looked at last. */
enum guira_status guira__check_options(const struct guira_options *options);
enum guira_status guira__check_reserved(const uint64_t reserved[RESERVED_OPTIONS]);

/* What is known of a filter that exists already. */
struct outline {
    struct geometry geometry; /* of the lowest level, if it grows */
    uint64_t capacity;
    uint32_t levels; /* 0: it does not grow */
    uint32_t level;  /* the one that is filled */
    uint32_t from;   /* the one that is emptied into it; the same if there is none */
};

/* The plan for a filter that is known. Of the options only stripes, search_budget and allocator are
 * read, and must be sound. */
struct plan guira__plan_for(const struct outline *outline, const struct guira_options *options);

/* The geometry of a level, that of the lowest being known. GUIRA_TOO_LARGE if there can be no such
 * table here. */
enum guira_status guira__level_geometry(const struct geometry *lowest, uint32_t level,
                                        struct geometry *out);

/* The bytes of a table. */
size_t guira__table_bytes(const struct guira_allocator *allocator, uint64_t buckets);

/* Bytes of the block that create.c lays out, before rounding. */
size_t guira__block_size(const struct plan *plan);

#endif
