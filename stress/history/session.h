/*
 * Record, check, export, report: what guira_history does with one table.
 */
#ifndef GUIRA_STRESS_HISTORY_SESSION_H
#define GUIRA_STRESS_HISTORY_SESSION_H

#include <stdio.h>

#include "../team.h"
#include "checker.h"
#include "files.h"

struct session {
    unsigned threads;
    uint64_t seed;
    uint64_t hot;             /* elements that half of the calls are for */
    uint64_t round;           /* operations between two quiescent moments: bounds the memory */
    uint64_t calls_per_batch; /* in every other round one call in so many is a batch; 0: none */
    unsigned disturbance;     /* microseconds between two held-up threads; 0: none */
    const char *svg;          /* where the first violation is drawn, or NULL */

    FILE *lines;    /* or NULL */
    struct edn edn; /* its file may be NULL */
    struct checker *checker;
    uint64_t skew;     /* of the clock, nanoseconds */
    uint64_t elements; /* declared until now: numbers go through all tables */

    uint64_t operations;
    uint64_t violations;
    uint64_t undecided;
    double recording; /* seconds */
    double checking;
};

/* Torture a table of this kind for so many seconds (recording and checking), or until so many
 * operations are recorded; 0 is no bound. */
void session_run(struct session *session, const struct table_kind *kind, double seconds,
                 uint64_t operations);

/* Check a history that comes from elsewhere, and take it into the exports. */
void session_check(struct session *session, struct history *history);

#endif
