/*
 * What takes keys of a number that is not known at the start: a filter that grows, one made for all
 * of them at once, and a chain of textbook filters.
 */
#ifndef GUIRA_BENCH_GROWERS_H
#define GUIRA_BENCH_GROWERS_H

#include <stdbool.h>
#include <stdint.h>

/* How many keys are expected, how many will come, and the rate of false positives. */
struct expectation {
    uint64_t first;
    uint64_t all;
    double rate;
    uint64_t seed;
};

struct grower {
    const char *name;
    void *(*create)(const struct expectation *expectation);
    void (*destroy)(void *table);
    bool (*insert)(void *table, uint64_t key);
    bool (*contains)(const void *table, uint64_t key);
    bool (*remove)(void *table, uint64_t key);
};

enum { GROWERS = 3 };

/* The one made at full size, with which the others are compared, is the first, the one that grows
 * the second. */
extern const struct grower growers[GROWERS];

#endif
