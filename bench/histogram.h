/*
 * Counts of durations, in buckets that are exact below 64 ticks and then a 32nd of their value
 * wide, so quantiles are right to about 3 %, from nanoseconds to hours.
 */
#ifndef GUIRA_BENCH_HISTOGRAM_H
#define GUIRA_BENCH_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 64 * 32 };

struct histogram {
    uint64_t total;
    uint64_t most; /* exactly */
    uint64_t count[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *histogram, uint64_t value);

/* The value that `fraction` of all are not above, in the middle of its bucket; 1: the most. */
double histogram_quantile(const struct histogram *histogram, double fraction);

#endif
