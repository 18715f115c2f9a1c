/*
 * One kind of filter, filled, as a point in the plane of false-positive rate and bits per item.
 */
#ifndef GUIRA_BENCH_POINT_H
#define GUIRA_BENCH_POINT_H

#include <stddef.h>

#include "shape.h"
#include "tables.h"

struct point {
    unsigned tag_bits;
    unsigned side;   /* slots a side, or bits that a Bloom filter sets for an item */
    double load;     /* of the slots */
    double expected; /* rate: of guira's exactly distinct elements / U */
    double rate;     /* measured; the one expected if nearly nothing was found */
    double bits;     /* an item, of memory */
    double tag_only; /* an item, of tags alone: less where a word has bits left over */
};

/* Filled until an insert fails; the mean of some fills. */
struct point point_of_guira(struct tables *t, struct shape shape, uint64_t slots);
struct point point_of_classic(struct tables *t, unsigned tag_bits, uint64_t slots);

/* Of libbloom, filled with what it was made for. */
struct point point_of_bloom(struct tables *t, double rate, uint64_t items);

/* Of what guira_size_for chooses; nothing is filled. */
struct point point_promised(double rate, uint64_t items);

/* Bits an item of an optimal Bloom filter. */
double optimal_bits(double rate);

/* The rate at which the points, whose tags get wider, come to need fewer bits than an optimal Bloom
 * filter, by a line between two points; 0 if they never do. */
double break_even(const struct point *points, size_t count, bool of_tags);

#endif
