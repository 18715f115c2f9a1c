/*
 * summary.md but for the targets: the machine, and a table for each experiment and operation.
 */
#include "output.h"

#include <string.h>

#include "experiments/experiments.h"
#include "machine.h"
#include "series.h"

void summary_head(FILE *file, const struct settings *settings) {
    (void)fputs("# Benchmark\n\n", file);
    machine_rows(file);
    (void)fprintf(file, "| seed, rounds, seconds | %llu, %u, %g |\n",
                  (unsigned long long)settings->seed, settings->rounds, settings->seconds);
    machine_load_row(file);
    (void)fputs("\nFigures are medians over the rounds, with quartiles in brackets. Ratios are "
                "formed in each round between turns that follow each other.\n\n",
                file);
}

static bool same_row(const struct series *a, const struct series *b) {
    return strcmp(a->contender, b->contender) == 0 && a->threads == b->threads;
}

static bool same_table(const struct series *a, const struct series *b) {
    return strcmp(a->experiment, b->experiment) == 0 && strcmp(a->operation, b->operation) == 0;
}

/* Is none of the series before number i in the same table and, if asked for, the same row? */
static bool is_first(size_t i, bool row) {
    for (size_t j = 0; j < i; j++) {
        if (same_table(series_at(j), series_at(i)) &&
            (!row || same_row(series_at(j), series_at(i)))) {
            return false;
        }
    }
    return true;
}

static void write_cell(FILE *file, const struct series *s) {
    struct spread spread = series_spread(s);
    if (spread.count == 0) {
        (void)fputs(" -", file);
        return;
    }
    (void)fprintf(file, " %.4g [%.4g %.4g]", spread.median, spread.low, spread.high);
    if (s->baseline != NULL) {
        struct spread ratio = series_ratio(s, s->baseline);
        (void)fprintf(file, ", **%.2f** [%.2f %.2f]", ratio.median, ratio.low, ratio.high);
    }
}

/* What is compared with nothing is either the first of a table, or all of it. */
static const struct series *baseline_of_table(const struct series *first) {
    for (size_t i = 0; i < series_count(); i++) {
        const struct series *s = series_at(i);
        if (same_table(s, first) && s->baseline != NULL) {
            return s->baseline;
        }
    }
    return NULL;
}

static void write_table(FILE *file, const struct settings *settings, size_t first) {
    const struct series *head = series_at(first);
    const struct series *baseline = baseline_of_table(head);
    (void)fprintf(file, "### %s, %s: %s", head->experiment, head->operation, head->unit);
    if (baseline != NULL) {
        (void)fprintf(file, ", and the ratio to %s",
                      same_table(baseline, head) ? baseline->contender : baseline->operation);
    }
    (void)fputs("\n\n| contender | threads |", file);
    for (size_t i = 0; i < settings->slots_count && head->log2_slots != 0; i++) {
        (void)fprintf(file, " 2^%u slots |", settings->log2_slots[i]);
    }
    (void)fputs(head->log2_slots == 0 ? " |\n|---|---|---|\n" : "\n|---|---|", file);
    for (size_t i = 0; i < settings->slots_count && head->log2_slots != 0; i++) {
        (void)fputs(i + 1 < settings->slots_count ? "---|" : "---|\n", file);
    }
    for (size_t i = first; i < series_count(); i++) {
        const struct series *row = series_at(i);
        if (!same_table(row, head) || !is_first(i, true)) {
            continue;
        }
        (void)fprintf(file, "| %s | %u |", row->contender, row->threads);
        for (size_t j = 0; j < (row->log2_slots == 0 ? 1 : settings->slots_count); j++) {
            const struct series *cell =
                series_find(row->experiment, row->log2_slots == 0 ? 0 : settings->log2_slots[j],
                            row->operation, row->contender, row->threads);
            if (cell != NULL) {
                write_cell(file, cell);
            }
            (void)fputs(" |", file);
        }
        (void)fputc('\n', file);
    }
    (void)fputc('\n', file);
}

void summary_tables(FILE *file, const struct settings *settings) {
    for (const struct experiment *e = experiments; e->name != NULL; e++) {
        bool headed = false;
        for (size_t i = 0; i < series_count(); i++) {
            if (strcmp(series_at(i)->experiment, e->name) != 0 || !is_first(i, false)) {
                continue;
            }
            if (!headed) {
                (void)fprintf(file, "## %s\n\n", e->about);
                headed = true;
            }
            write_table(file, settings, i);
        }
    }
}
