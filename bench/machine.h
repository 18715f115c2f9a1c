/*
 * What figures were made with, for people who compare them.
 */
#ifndef GUIRA_BENCH_MACHINE_H
#define GUIRA_BENCH_MACHINE_H

#include <stdio.h>

/* Head and rows of a table in Markdown: machine, system, compiler, flags, version, date. */
void machine_rows(FILE *file);

/* One row more: the load average now. */
void machine_load_row(FILE *file);

#endif
