/*
 * The slots inside one bucket's word: pure functions of a value, no memory.
 *
 * A set of slots is a word with the top bit of each slot in the set; so the lowest bit of a set
 * finds a slot, and the number of bits counts them.
 */
#ifndef GUIRA_LIB_BUCKET_H
#define GUIRA_LIB_BUCKET_H

#include <stdint.h>

#include "arith.h"
#include "geometry.h"
#include "place.h"

/* What the slots of one window hold if they all hold one element. */
struct pattern {
    uint64_t tags; /* the element's tag for each slot of the window, 0 elsewhere */
    uint64_t top;  /* the window as a set of slots */
};

static inline struct pattern pattern_of(const struct geometry *g, uint64_t fingerprint,
                                        unsigned side, uint32_t lane) {
    const struct window *window = &g->window[lane];
    return (struct pattern){
        .tags = fingerprint * window->step + window->first[side],
        .top = window->top,
    };
}

/*
 * The slots in `among` that are zero in `word`. Exact, slot by slot: adding the largest value below
 * the top bit to the bits below it carries into the top bit unless those bits are all zero, and
 * never leaves the slot.
 */
static inline uint64_t zero_slots(const struct geometry *g, uint64_t word, uint64_t among) {
    uint64_t carried = (word & shape_of(g)->below_top) + shape_of(g)->below_top;
    return ~(carried | word) & among;
}

/* The slots of the window that hold the element. */
static inline uint64_t matching_slots(const struct geometry *g, uint64_t word, struct pattern p) {
    return zero_slots(g, word ^ p.tags, p.top);
}

static inline uint64_t empty_slots(const struct geometry *g, uint64_t word, struct pattern p) {
    return zero_slots(g, word, p.top);
}

/* How many slots of the bucket hold an entry. */
static inline unsigned used_slots(const struct geometry *g, uint64_t word) {
    return shape_of(g)->slots - bits_set(zero_slots(g, word, shape_of(g)->all_top));
}

/* All bits of the lowest slot in a set, which must not be empty. */
static inline uint64_t lowest_slot_mask(const struct geometry *g, uint64_t set) {
    return shape_of(g)->tag_mask << (lowest_bit(set) - (shape_of(g)->tag_bits - 1));
}

static inline uint64_t slot_tag(const struct geometry *g, uint64_t word, uint32_t slot) {
    return (word >> (slot * shape_of(g)->tag_bits)) & shape_of(g)->tag_mask;
}

static inline uint64_t slot_mask(const struct geometry *g, uint32_t slot) {
    return shape_of(g)->tag_mask << (slot * shape_of(g)->tag_bits);
}

#endif
