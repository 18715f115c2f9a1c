/*
 * Bits for an item when a filter is as full as it is made for, beside the formula for classic
 * cuckoo filters: four slots a bucket, tags of as many bits as the rate takes, filled to 95.5 %.
 */
#include "experiments.h"

#include <math.h>
#include <stdio.h>

#include <guira/guira.h>

#include "../report.h"
#include "../series.h"
#include "../support.h"

static struct series *series_for(const char *title, double rate) {
    char name[32];
    (void)snprintf(name, sizeof name, "%s %g%%", title, 100 * rate);
    return series_of("sizes", 0, "a million items", name, 1, "bits/item");
}

void experiment_sizes(const struct settings *settings) {
    const double items = 1e6;
    for (size_t i = 0; i < settings->rates_count; i++) {
        double rate = settings->rates[i];
        struct guira_options options = {.capacity = (uint64_t)items, .false_positive_rate = rate};
        struct guira_sizing sizing;
        if (guira_size_for(&options, &sizing) != GUIRA_OK) {
            fail("no geometry for %g", rate);
        }
        struct series *ours = series_for("guira", rate);
        struct series *formula = series_for("formula", rate);
        series_add(ours, 8 * (double)sizing.allocated_bytes / items);
        series_add(formula, (log2(1 / rate) + 3) / 0.955);
        report(ours, formula);
    }
}
