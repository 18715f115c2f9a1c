#include "series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static struct series **all;
static size_t all_count;

static void *grown(void *array, size_t count, size_t size) {
    /* Powers of two, so that growing one by one takes linear time. */
    if ((count & (count - 1)) != 0) {
        return array;
    }
    void *larger = realloc(array, (count == 0 ? 1 : 2 * count) * size);
    if (larger == NULL) {
        fail("no memory for results");
    }
    return larger;
}

const struct series *series_find(const char *experiment, unsigned log2_slots, const char *operation,
                                 const char *contender, unsigned threads) {
    for (size_t i = 0; i < all_count; i++) {
        const struct series *s = all[i];
        if (s->log2_slots == log2_slots && s->threads == threads &&
            strcmp(s->experiment, experiment) == 0 && strcmp(s->operation, operation) == 0 &&
            strcmp(s->contender, contender) == 0) {
            return s;
        }
    }
    return NULL;
}

static void set_name(char *name, size_t size, const char *value) {
    if ((size_t)snprintf(name, size, "%s", value) >= size) {
        fail("name too long: %s", value);
    }
}

struct series *series_of(const char *experiment, unsigned log2_slots, const char *operation,
                         const char *contender, unsigned threads, const char *unit) {
    for (size_t i = 0; i < all_count; i++) {
        if (all[i] == series_find(experiment, log2_slots, operation, contender, threads)) {
            return all[i];
        }
    }
    struct series *series = zeroed(1, sizeof *series);
    set_name(series->experiment, sizeof series->experiment, experiment);
    set_name(series->operation, sizeof series->operation, operation);
    set_name(series->contender, sizeof series->contender, contender);
    set_name(series->unit, sizeof series->unit, unit);
    series->log2_slots = log2_slots;
    series->threads = threads;
    all = grown(all, all_count, sizeof *all);
    all[all_count++] = series;
    return series;
}

void series_add(struct series *series, double sample) {
    series->samples = grown(series->samples, series->count, sizeof *series->samples);
    series->samples[series->count++] = sample;
}

size_t series_count(void) {
    return all_count;
}

const struct series *series_at(size_t index) {
    return all[index];
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
