#include "histogram.h"

#include <math.h>

enum { EXACT = 64, STEP_BITS = 5 };

/* Above EXACT: the position of the top bit, and the five bits below it. */
static unsigned bucket_of(uint64_t value) {
    if (value < EXACT) {
        return (unsigned)value;
    }
    unsigned top = 63 - (unsigned)__builtin_clzll(value);
    unsigned steps = (unsigned)(value >> (top - STEP_BITS)) & ((1U << STEP_BITS) - 1);
    return EXACT + ((top - STEP_BITS - 1) << STEP_BITS) + steps;
}

static double middle_of(unsigned bucket) {
    if (bucket < EXACT) {
        return bucket;
    }
    unsigned shift = ((bucket - EXACT) >> STEP_BITS) + 1;
    unsigned steps = (bucket - EXACT) & ((1U << STEP_BITS) - 1);
    return ldexp((1U << STEP_BITS) + steps + 0.5, (int)shift);
}

void histogram_add(struct histogram *histogram, uint64_t value) {
    histogram->count[bucket_of(value)]++;
    histogram->total++;
    histogram->most = value > histogram->most ? value : histogram->most;
}

double histogram_quantile(const struct histogram *histogram, double fraction) {
    uint64_t wanted = (uint64_t)ceil(fraction * (double)histogram->total);
    uint64_t seen = 0;
    for (unsigned bucket = 0; bucket < HISTOGRAM_BUCKETS && fraction < 1; bucket++) {
        seen += histogram->count[bucket];
        if (seen >= wanted && seen > 0) {
            return middle_of(bucket);
        }
    }
    return (double)histogram->most;
}
