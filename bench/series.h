/*
 * Samples and what is said of them. A series is one figure of one contender, sampled once in each
 * round. The i-th samples of two series were taken side by side, so their ratios are formed one by
 * one, and the median of the ratios is what counts: what disturbs a round disturbs both.
 */
#ifndef GUIRA_BENCH_SERIES_H
#define GUIRA_BENCH_SERIES_H

#include <stdbool.h>
#include <stddef.h>

struct series {
    char experiment[16];
    unsigned log2_slots; /* 0: of no table */
    char operation[32];
    char contender[32];
    unsigned threads;
    char unit[16];
    double *samples; /* NAN where a round gave none */
    size_t count;
    const struct series *baseline; /* what it is to be compared with; NULL: nothing */
};

struct spread {
    size_t count;             /* of samples that are numbers; 0: the rest is NAN */
    double median, low, high; /* low and high: the quartiles */
    double least, most;
};

/* The series with these five names, made when it is first asked for. */
struct series *series_of(const char *experiment, unsigned log2_slots, const char *operation,
                         const char *contender, unsigned threads, const char *unit);
void series_add(struct series *series, double sample);

/* NULL if there is no such series. */
const struct series *series_find(const char *experiment, unsigned log2_slots, const char *operation,
                                 const char *contender, unsigned threads);
size_t series_count(void);
const struct series *series_at(size_t index);

struct spread series_spread(const struct series *series);

/* Of one's samples over the other's; nothing if one of them is NULL. */
struct spread series_ratio(const struct series *one, const struct series *other);

#endif
