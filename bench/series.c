#include "series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MAX_SERIES = 8192 };

static struct series all[MAX_SERIES];
static size_t all_count;

static struct series *lookup(const char *experiment, unsigned log2_slots, const char *operation,
                             const char *contender, unsigned threads) {
    for (size_t i = 0; i < all_count; i++) {
        struct series *s = &all[i];
        if (s->log2_slots == log2_slots && s->threads == threads &&
            strcmp(s->experiment, experiment) == 0 && strcmp(s->operation, operation) == 0 &&
            strcmp(s->contender, contender) == 0) {
            return s;
        }
    }
    return NULL;
}

const struct series *series_find(const char *experiment, unsigned log2_slots, const char *operation,
                                 const char *contender, unsigned threads) {
    return lookup(experiment, log2_slots, operation, contender, threads);
}

static void set_name(char *name, size_t size, const char *value) {
    if ((size_t)snprintf(name, size, "%s", value) >= size) {
        fail("name too long: %s", value);
    }
}

struct series *series_of(const char *experiment, unsigned log2_slots, const char *operation,
                         const char *contender, unsigned threads, const char *unit) {
    struct series *series = lookup(experiment, log2_slots, operation, contender, threads);
    if (series != NULL) {
        return series;
    }
    if (all_count == MAX_SERIES) {
        fail("no place for more results");
    }
    series = &all[all_count++];
    set_name(series->experiment, sizeof series->experiment, experiment);
    set_name(series->operation, sizeof series->operation, operation);
    set_name(series->contender, sizeof series->contender, contender);
    set_name(series->unit, sizeof series->unit, unit);
    series->log2_slots = log2_slots;
    series->threads = threads;
    return series;
}

void series_add(struct series *series, double sample) {
    /* Room doubles, so that adding one by one takes linear time. */
    if ((series->count & (series->count - 1)) == 0) {
        size_t room = series->count == 0 ? 1 : 2 * series->count;
        series->samples = realloc(series->samples, room * sizeof *series->samples);
        if (series->samples == NULL) {
            fail("no memory for results");
        }
    }
    series->samples[series->count++] = sample;
}

size_t series_count(void) {
    return all_count;
}

const struct series *series_at(size_t index) {
    return &all[index];
}

static int compare(const void *one, const void *other) {
    double a = *(const double *)one;
    double b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Between the two nearest of the sorted numbers. */
static double quantile(const double *sorted, size_t count, double fraction) {
    double position = fraction * (double)(count - 1);
    size_t below = (size_t)position;
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

/* Sorts in place. */
static struct spread spread_of(double *numbers, size_t count) {
    if (count == 0) {
        return (struct spread){0, NAN, NAN, NAN, NAN, NAN};
    }
    qsort(numbers, count, sizeof *numbers, compare);
    return (struct spread){
        .count = count,
        .median = quantile(numbers, count, 0.5),
        .low = quantile(numbers, count, 0.25),
        .high = quantile(numbers, count, 0.75),
        .least = numbers[0],
        .most = numbers[count - 1],
    };
}

/* With other NULL, of the samples themselves. */
static struct spread spread_over(const struct series *one, const struct series *other) {
    size_t rounds = other == NULL || one->count < other->count ? one->count : other->count;
    double *numbers = zeroed(rounds + 1, sizeof *numbers);
    size_t count = 0;
    for (size_t i = 0; i < rounds; i++) {
        double number = one->samples[i] / (other == NULL ? 1 : other->samples[i]);
        if (!isnan(number)) {
            numbers[count++] = number;
        }
    }
    struct spread spread = spread_of(numbers, count);
    free(numbers);
    return spread;
}

struct spread series_spread(const struct series *series) {
    return spread_over(series, NULL);
}

struct spread series_ratio(const struct series *one, const struct series *other) {
    if (one == NULL || other == NULL) {
        return spread_of(NULL, 0);
    }
    return spread_over(one, other);
}
