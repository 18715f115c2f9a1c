/*
 * Filters of guira's with a given shape, and of the articles', and the keys that go in.
 */
#ifndef GUIRA_BENCH_SHAPE_H
#define GUIRA_BENCH_SHAPE_H

#include <stdint.h>

#include <guira/guira.h>

#include "../support.h"
#include "classic.h"

/* Tags of f bits, windows of w slots; the buckets have 64 / f slots. */
struct shape {
    unsigned tag_bits;
    unsigned window;
};

static inline unsigned shape_slots(struct shape shape) {
    return 64 / shape.tag_bits;
}

/* Different fingerprints that such tags tell apart, as docs/sizing.md has it. */
uint64_t shape_fingerprints(struct shape shape);

/* Without locks, with so many slots or a few more. */
struct guira_options shape_options(struct shape shape, uint64_t slots, uint64_t seed);
struct guira *filter_of(const struct guira_options *options);
struct guira *shape_filter(struct shape shape, uint64_t slots, uint64_t seed);
struct guira_info shape_info(const struct guira *filter);

/* Key number i of a stream; all of a stream are distinct. */
static inline uint64_t key_of(uint64_t stream, uint64_t i) {
    return mix(mix(stream) + i);
}

/* Insert keys number `from` to `to` - 1 until one fails; its number, or `to`. */
uint64_t fill_guira(struct guira *filter, uint64_t stream, uint64_t from, uint64_t to);
uint64_t fill_classic(struct classic *classic, uint64_t stream, uint64_t from, uint64_t to);

/* How many of the first keys of a stream are found. */
uint64_t found_in_guira(const struct guira *filter, uint64_t stream, uint64_t keys);
uint64_t found_in_classic(const struct classic *classic, uint64_t stream, uint64_t keys);

/* Different elements in the filter. */
uint64_t distinct_in(const struct guira *filter);

#endif
