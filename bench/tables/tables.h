/*
 * The parts of guira_tables, and how they say what they found. Each part does some of the work of
 * the articles on guira, and on a filter such as theirs, writes Markdown with the published and the
 * measured figures side by side, and checks what must hold whatever the machine.
 */
#ifndef GUIRA_BENCH_TABLES_H
#define GUIRA_BENCH_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tables {
    uint64_t seed; /* of all keys and filters */
    unsigned rounds;
    bool smoke;         /* everything small */
    const char *folder; /* NULL: only the terminal */
    FILE *summary;      /* in the folder */
    unsigned broken;    /* claims that did not hold */
};

/* Print to the terminal and to summary.md. */
void say(struct tables *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Something that must hold; the message says what, if it does not. */
void claim(struct tables *t, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A file of data for the plots; it goes nowhere if there is no folder. */
FILE *tables_data(const struct tables *t, const char *name);

void tables_load(struct tables *t);
void tables_space(struct tables *t);
void tables_removal(struct tables *t);
void tables_bounds(struct tables *t);
void tables_cost(struct tables *t);
void tables_latency(struct tables *t);

#endif
