/*
 * Which geometry keeps a promise, and what a geometry promises. docs/sizing.md derives the rule.
 */
#ifndef GUIRA_LIB_SIZING_H
#define GUIRA_LIB_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

/* With fewer fingerprints loads break down (docs/sizing.md). */
enum { LEAST_FINGERPRINTS = 16 };

struct promise {
    uint64_t capacity; /* distinct keys that must fit */
    double rate;       /* false-positive rate when they are there, in (0, 1) */
    double chance;     /* of failing to take them all, in (0, 1) */
    bool compact;      /* prefer few bytes to quick inserts near capacity */
};

/* The smallest geometry that keeps the promise; GUIRA_TOO_LARGE if none can be expressed. */
enum guira_status guira__choose_geometry(const struct promise *promise, struct geometry *out);

/* The levels of a filter that grows: from so many buckets and fingerprints, each doubling the ones
 * and halving the others. */
struct span {
    uint32_t tag_bits;
    uint32_t window;
    uint64_t buckets;
    uint64_t fingerprints;
    uint32_t doublings;
};

/* The levels, with the smallest table at the highest, that keep the promise there, and of which the
 * lowest has `least` buckets or more and is not crowded by `now` keys; of equal ones those with the
 * lowest rate. */
enum guira_status guira__choose_span(const struct promise *promise, uint64_t now, uint64_t least,
                                     struct span *out);

/* The lowest level with the widest tags, which leave the most doublings: at least `least` buckets,
 * not crowded by the promised capacity. */
enum guira_status guira__choose_first(const struct promise *promise, uint64_t least,
                                      struct span *out);

/* The number of items from which a table is as full as it should get if it can grow. */
uint64_t guira__crowded_from(const struct geometry *g, double chance);

/* The largest number of distinct keys that surely fit, but for the chance of failing. */
uint64_t guira__safe_capacity(const struct geometry *g, double chance);

#endif
