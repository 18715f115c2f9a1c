/*
 * A crew: threads that start together on one piece of work, and what they counted.
 */
#ifndef SHARED_FILTER_CREW_H
#define SHARED_FILTER_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <guira/guira.h>

/* What one thread, or all of a crew together, counted. */
struct tally {
    uint64_t ok;     /* calls that did what was asked */
    uint64_t full;   /* inserts that found no room */
    uint64_t limit;  /* inserts of an element that fills all its slots already */
    uint64_t wrong;  /* any other status: none is expected, ever */
    uint64_t found;  /* look-ups that answered true */
    uint64_t missed; /* look-ups that answered false */
};

void tally_status(struct tally *tally, enum guira_status status);

/* The work of one of `size` threads, number `member`. */
typedef struct tally (*crew_work)(void *shared, unsigned member, unsigned size);

/* Which of `count` things are the member's: from `first` up to, but not with, `end`. */
struct slice {
    uint64_t first;
    uint64_t end;
};

struct slice slice_of(uint64_t count, unsigned member, unsigned size);

/*
 * Run the work on `size` threads and add up what they counted.
 *
 * seconds  receives the wall time from the common start to the end of the last
 * stop     NULL, or what is set to true `limit` seconds after the start
 *
 * False if the system gave too few threads; then none of them did anything.
 */
bool crew_run(unsigned size, crew_work work, void *shared, struct tally *total, double *seconds);
bool crew_run_for(unsigned size, crew_work work, void *shared, double limit, atomic_bool *stop,
                  struct tally *total, double *seconds);

#endif
