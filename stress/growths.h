/*
 * How far a filter has grown, read beside its threads without passing a hook: for programs that
 * have to know what was beside a growth. A step is odd while two tables are in use.
 */
#ifndef GUIRA_STRESS_GROWTHS_H
#define GUIRA_STRESS_GROWTHS_H

#include "filter.h"
#include "growth.h"

/* The view's step; of a filter that does not grow always 0. */
static inline uint64_t step_now(const struct guira *filter) {
    return filter->growth == NULL
               ? 0
               : view_step(word_load(filter->growth->tables.view, memory_order_acquire));
}

/* How many growths have begun by a step. */
static inline uint64_t growths_by(uint64_t step) {
    return (step + 1) / 2;
}

/* Whether what began at one step and ended at another was beside a growth. */
static inline bool beside_growth(uint64_t first, uint64_t last) {
    return first != last || first % 2 != 0;
}

/* The slots of the largest table that the filter may get. */
static inline uint64_t most_slots(const struct guira *filter) {
    const struct geometry *g =
        filter->growth == NULL ? &filter->table.geometry
                               : &filter->growth->tables.level[filter->growth->levels - 1].geometry;
    return g->buckets * g->shape.slots;
}

/* Whether it is the largest table that is in use, alone. */
static inline bool has_grown_up(const struct guira *filter) {
    uint64_t word = word_load(filter->growth->tables.view, memory_order_acquire);
    return view_step(word) % 2 == 0 && view_to(word) + 1 == filter->growth->levels;
}

#endif
