/*
 * Files of results: results.csv, one line a series; results.json, the same with every sample; and
 * summary.md, for people.
 */
#ifndef GUIRA_BENCH_OUTPUT_H
#define GUIRA_BENCH_OUTPUT_H

#include <stdio.h>

#include "settings.h"

/* Make the folder if it is not there, and see that it can be written to before the work begins. */
void output_prepare(const char *folder);

/* Write all of them into settings->folder. */
void output_write(const struct settings *settings);

/* The parts of summary.md: the machine and the run; the targets; all figures. */
void summary_head(FILE *file, const struct settings *settings);
void summary_goals(FILE *file, const struct settings *settings);
void summary_tables(FILE *file, const struct settings *settings);

#endif
