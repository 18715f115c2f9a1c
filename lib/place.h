/*
 * Where an element may be, and what a tag says: pure functions of the geometry.
 *
 * A uniform hash is cut, from the top, into digits: bucket in [0, M), lane in [0, P), fingerprint
 * in [0, Q). That is the element's place on side 0. Its place on side 1 is a shift away by amounts
 * that the fingerprint alone decides, at least one bucket and less than M, so the two buckets
 * differ:
 *
 *     bucket1 = (bucket0 + 1 + D) mod M     D in [0, M - 1)
 *     lane1   = (lane0 + E) mod P           E in [0, P)
 *
 * An entry's tag says its fingerprint, its side, and how far from its window's start it sits:
 *
 *     tag = 1 + (fingerprint * 2 + side) * O + offset          0 = empty
 *
 * so from a tag and where it sits the element, and with it the other place, can be read back.
 */
#ifndef GUIRA_LIB_PLACE_H
#define GUIRA_LIB_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "arith.h"
#include "geometry.h"
#include "hash.h"

/* A window of one bucket. */
struct place {
    uint64_t bucket;
    uint32_t lane;
};

/* An element: its place on side 0, and its fingerprint. */
struct element {
    struct place home;
    uint64_t fingerprint;
};

/* How far side 1 is from side 0. */
struct shift {
    uint64_t buckets;
    uint32_t lanes;
};

static inline struct element element_of_hash(const struct geometry *g, uint64_t hash) {
    struct element e;
    e.home.bucket = next_digit(&hash, g->buckets);
    uint32_t lanes = shape_of(g)->lanes;
    e.home.lane = lanes == 1 ? 0 : (uint32_t)next_digit(&hash, lanes);
    e.fingerprint = next_digit(&hash, g->fingerprints);
    return e;
}

/* The integer x that the element is, in [0, U). */
static inline uint64_t element_number(const struct geometry *g, struct element e) {
    return (e.home.bucket * shape_of(g)->lanes + e.home.lane) * g->fingerprints + e.fingerprint;
}

/* The least hash that means the element, in any table with as many elements as this one. */
static inline uint64_t hash_of_element(const struct geometry *g, struct element e) {
    return least_fraction(element_number(g, e), g->universe);
}

static inline struct shift shift_of(const struct geometry *g, uint64_t fingerprint) {
    uint64_t mixed = mix_bits(fingerprint + GOLDEN); /* 0 is a fixed point of the mixer */
    uint32_t lanes = shape_of(g)->lanes;
    struct shift shift;
    shift.buckets = 1 + next_digit(&mixed, g->buckets - 1);
    shift.lanes = lanes == 1 ? 0 : (uint32_t)next_digit(&mixed, lanes);
    return shift;
}

static inline struct place place_after(const struct geometry *g, struct place from,
                                       struct shift by) {
    uint32_t lanes = shape_of(g)->lanes;
    struct place to = {from.bucket + by.buckets, from.lane + by.lanes};
    to.bucket -= to.bucket >= g->buckets ? g->buckets : 0;
    to.lane -= to.lane >= lanes ? lanes : 0;
    return to;
}

static inline struct place place_before(const struct geometry *g, struct place from,
                                        struct shift by) {
    struct place to = {from.bucket - by.buckets, from.lane - by.lanes};
    to.bucket += from.bucket < by.buckets ? g->buckets : 0;
    to.lane += from.lane < by.lanes ? shape_of(g)->lanes : 0;
    return to;
}

/* The element's place on a side. */
static inline struct place place_of(const struct geometry *g, struct element e, unsigned side) {
    return side == 0 ? e.home : place_after(g, e.home, shift_of(g, e.fingerprint));
}

/* What a tag says. */
struct entry {
    uint64_t fingerprint;
    unsigned side;
    uint32_t offset;
};

/* tag must not be 0. For O > 1, f is at most 21, so the product is exact and fits. */
static inline struct entry entry_of_tag(const struct geometry *g, uint64_t tag) {
    uint64_t rest = tag - 1;
    uint64_t numbered = (rest * shape_of(g)->offset_reciprocal) >> 32;
    return (struct entry){
        .fingerprint = numbered >> 1,
        .side = (unsigned)(numbered & 1),
        .offset = (uint32_t)(rest - numbered * shape_of(g)->offsets),
    };
}

/* The window that an entry belongs to, from the bucket and slot it sits in. */
static inline struct place place_of_entry(const struct geometry *g, uint64_t bucket, uint32_t slot,
                                          struct entry entry) {
    const struct shape *s = shape_of(g);
    uint32_t lane = slot - entry.offset + (slot < entry.offset ? s->slots : 0);
    return (struct place){bucket, s->lanes == 1 ? 0 : lane};
}

/* The element whose entry sits in that bucket and slot. */
static inline struct element element_of_entry(const struct geometry *g, uint64_t bucket,
                                              uint32_t slot, struct entry entry) {
    struct place here = place_of_entry(g, bucket, slot, entry);
    if (entry.side == 1) {
        here = place_before(g, here, shift_of(g, entry.fingerprint));
    }
    return (struct element){here, entry.fingerprint};
}

#endif
