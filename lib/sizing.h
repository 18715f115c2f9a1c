/*
 * Which geometry keeps a promise, and what a geometry promises. docs/sizing.md derives the rule.
 */
#ifndef GUIRA_LIB_SIZING_H
#define GUIRA_LIB_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

struct promise {
    uint64_t capacity; /* distinct keys that must fit */
    double rate;       /* false-positive rate when they are there, in (0, 1) */
    double chance;     /* of failing to take them all, in (0, 1) */
    bool compact;      /* prefer few bytes to quick inserts near capacity */
};

/* The smallest geometry that keeps the promise; GUIRA_TOO_LARGE if none can be expressed. */
enum guira_status guira__choose_geometry(const struct promise *promise, struct geometry *out);

/* The largest number of distinct keys that surely fit, but for the chance of failing. */
uint64_t guira__safe_capacity(const struct geometry *g, double chance);

#endif
