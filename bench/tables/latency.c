/*
 * How long one insert takes, by load. All filters take their turn in each round; what is given is
 * the median of the rounds, with quartiles.
 */
#include <math.h>
#include <stdio.h>

#include "../clock.h"
#include "../histogram.h"
#include "../series.h"
#include "../targets/textbook.h"
#include "shape.h"
#include "tables.h"

enum { SUBJECTS = 4, QUANTILES = 4 };

struct subject {
    const char *name;
    struct shape shape; /* no tags: the textbook's */
    bool locks;
};

static const struct subject subjects[SUBJECTS] = {
    {"textbook", {0, 0}, false},
    {"guira 12 2", {12, 2}, false},
    {"guira 12 2 locks", {12, 2}, true},
    {"guira 16 4", {16, 4}, false},
};

static const struct {
    const char *name;
    double fraction; /* 0: the mean */
} quantiles[QUANTILES] = {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"mean", 0}};

/* Ends of slices, in percent of the slots. */
static const unsigned ends[] = {10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80,
                                82, 84, 86, 88, 90, 92, 93, 94, 95, 96, 97};

enum { ENDS = sizeof ends / sizeof ends[0] };

/* A filter under measurement. */
struct table {
    struct textbook *textbook; /* or */
    struct guira *guira;
    uint64_t slots;
};

static struct table make(const struct tables *t, const struct subject *s, unsigned log2_slots) {
    uint64_t slots = UINT64_C(1) << log2_slots;
    if (s->shape.tag_bits == 0) {
        return (struct table){.textbook = textbook_create(log2_slots, t->seed), .slots = slots};
    }
    struct guira_options options = shape_options(s->shape, slots, t->seed);
    options.single_writer = !s->locks;
    struct guira *guira = filter_of(&options);
    return (struct table){.guira = guira, .slots = shape_info(guira).slots};
}

static void end(struct table *table) {
    if (table->textbook != NULL) {
        textbook_destroy(table->textbook);
    }
    guira_destroy(table->guira);
}

static bool insert(const struct table *table, uint64_t key) {
    return table->textbook != NULL ? textbook_insert(table->textbook, key)
                                   : guira_insert_u64(table->guira, key) == GUIRA_OK;
}

static struct series *series_for(const char *quantile, unsigned load, const char *subject) {
    char operation[32];
    (void)snprintf(operation, sizeof operation, "%s %u", quantile, load);
    return series_of("latency", 0, operation, subject, 1, "ns");
}

static void add(const struct histogram *h, double ticks, unsigned load, const char *subject) {
    for (unsigned q = 0; q < QUANTILES; q++) {
        double figure = quantiles[q].fraction > 0 ? histogram_quantile(h, quantiles[q].fraction)
                                                  : ticks / (double)h->total;
        series_add(series_for(quantiles[q].name, load, subject),
                   figure / clock_ticks_per_nanosecond());
    }
}

/* One fill, until an insert fails. */
static void fill(const struct tables *t, const struct subject *s, unsigned log2_slots,
                 unsigned round) {
    struct table table = make(t, s, log2_slots);
    uint64_t in = 0;
    bool full = false;
    for (unsigned i = 0; i < ENDS && !full; i++) {
        struct histogram h = {0};
        uint64_t sum = 0;
        uint64_t to = ends[i] * table.slots / 100;
        while (in < to && !full) {
            uint64_t key = key_of(t->seed + round, in++);
            uint64_t start = clock_ticks();
            full = !insert(&table, key);
            uint64_t ticks = clock_ticks() - start;
            histogram_add(&h, ticks);
            sum += ticks;
        }
        if (!full) {
            add(&h, (double)sum, ends[i], s->name);
        }
    }
    end(&table);
}

/* How long an empty measurement takes. */
static double overhead(void) {
    struct histogram h = {0};
    for (int i = 0; i < 100000; i++) {
        uint64_t start = clock_ticks();
        histogram_add(&h, clock_ticks() - start);
    }
    return histogram_quantile(&h, 0.5) / clock_ticks_per_nanosecond();
}

static void keep(FILE *data) {
    (void)fputs("filter,load,quantile,median,quartile_1,quartile_3\n", data);
    for (unsigned s = 0; s < SUBJECTS; s++) {
        for (unsigned i = 0; i < ENDS; i++) {
            for (unsigned q = 0; q < QUANTILES; q++) {
                struct spread spread =
                    series_spread(series_for(quantiles[q].name, ends[i], subjects[s].name));
                if (spread.count > 0) {
                    (void)fprintf(data, "%s,%.2f,%s,%.1f,%.1f,%.1f\n", subjects[s].name,
                                  ends[i] / 100.0, quantiles[q].name, spread.median, spread.low,
                                  spread.high);
                }
            }
        }
    }
}

static void say_rows(struct tables *t) {
    static const unsigned shown[] = {50, 80, 90, 92, 94, 95};
    for (unsigned s = 0; s < SUBJECTS; s++) {
        for (unsigned q = 0; q < QUANTILES; q++) {
            say(t, "| %s | %s |", subjects[s].name, quantiles[q].name);
            for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
                struct spread spread =
                    series_spread(series_for(quantiles[q].name, shown[i], subjects[s].name));
                if (spread.count == 0) {
                    say(t, " - |");
                } else {
                    say(t, " %.0f [%.0f %.0f] |", spread.median, spread.low, spread.high);
                }
            }
            say(t, "\n");
        }
    }
}

void tables_latency(struct tables *t) {
    unsigned log2_slots = t->smoke ? 14 : 20;
    for (unsigned round = 0; round < t->rounds; round++) {
        for (unsigned s = 0; s < SUBJECTS; s++) {
            fill(t, &subjects[(s + round) % SUBJECTS], log2_slots, round);
        }
    }
    say(t,
        "## How long an insert takes\n\n"
        "Nanoseconds, single inserts into 2^%u slots on one thread, in the slice before the load "
        "named; medians of %u rounds, in which the filters take turns, with quartiles. Reading the "
        "clock is in it: %.0f ns. The textbook has four tags of 12 bits and up to 500 random "
        "kicks; "
        "guira is named by bits and window, and is for a single writer unless it says locks.\n\n"
        "| filter | | 0.50 | 0.80 | 0.90 | 0.92 | 0.94 | 0.95 "
        "|\n|---|---|---|---|---|---|---|---|\n",
        log2_slots, t->rounds, overhead());
    say_rows(t);
    FILE *data = tables_data(t, "latency.csv");
    keep(data);
    (void)fclose(data);
    say(t, "\nNone published. Up to 0.75 most inserts find room at once. Beyond, time follows "
           "the "
           "entries that are tried, see above; one tried by the search costs more than a kick "
           "(docs/benchmarks.md), but none is written before there is a path.\n\n"
           "![latency](plots/tables_latency.svg)\n\n");
}
