/*
 * Lines on the terminal, as the results come in.
 */
#ifndef GUIRA_BENCH_REPORT_H
#define GUIRA_BENCH_REPORT_H

#include "series.h"

/* Print a series, and its ratio to another unless that is NULL or the series itself. The same pair
 * will be in the files of results. */
void report(struct series *series, const struct series *baseline);

#endif
