/*
 * The calls that are recorded: half of them on a few hot elements, on which all kinds of calls meet
 * and whose multiplicity goes up and down between nothing and the limit; the other half insert and
 * remove elements all over the table and keep it so full that inserts have to move entries about,
 * the hot ones among them. Some are made in batches. All are recorded and checked.
 */
#ifndef GUIRA_STRESS_HISTORY_MIX_H
#define GUIRA_STRESS_HISTORY_MIX_H

#include "../oracle.h"
#include "disturb.h"
#include "recorder.h"

struct mix {
    struct team *team;
    struct oracle keys; /* an element of the history is the index of a key here */
    uint64_t hot;
    unsigned capacity; /* copies that an element can have */
    double entries;    /* that each thread tries to have in the table */
    uint64_t rounds;
    struct recorder recorder;
    struct recorder counts;   /* one log, of the counts that end a round */
    struct writer *writer;    /* one a thread */
    uint64_t calls_per_batch; /* one call in so many is a batch; 0: none */
    unsigned disturbance;     /* microseconds between two signals, see disturb.h; 0: none */
    struct disturber disturber;
};

struct mix mix_create(struct team *team, uint64_t hot, double load, uint64_t round);
void mix_destroy(struct mix *mix);

/* Let all threads make calls: `operations` together, or until team->seconds are over if they are
 * not 0. Then, when all are quiet, count every element, which is recorded too, and check the
 * table. */
void mix_record(struct mix *mix, uint64_t operations);

/* How many operations were recorded, and move them out. */
size_t mix_recorded(const struct mix *mix);
size_t mix_collect(struct mix *mix, uint64_t skew, struct operation *out);

/* Of all operations ever recorded, how many were in batches. */
uint64_t mix_in_batches(const struct mix *mix);

#endif
