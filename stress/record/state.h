/*
 * What of a filter can be seen from outside at one moment: all that other threads share.
 */
#ifndef GUIRA_STRESS_RECORD_STATE_H
#define GUIRA_STRESS_RECORD_STATE_H

#include "recorder.h"

enum { MOST_STRIPES = 8 };

struct state {
    uint64_t words[MOST_LEVELS][MOST_BUCKETS];
    uint64_t removals[MOST_STRIPES];
    bool locked[MOST_STRIPES];
    bool emptied[MOST_BUCKETS]; /* buckets of the old table that its stripe's cursor has passed */
    uint64_t view;
};

/* The table of a level; one without words was not made yet. */
uint32_t levels_of(const struct guira *f);
const struct table *table_of_level(const struct guira *f, uint32_t level);
uint32_t level_of(const struct guira *f, const struct table *t);

/* The view now, read without passing a hook. */
struct view view_unhooked(const struct guira *f);

void state_read(const struct guira *f, struct state *now);

/* Write the members of a JSON object that tell the state, or the changes since another one. */
void state_print(const struct guira *f, const struct state *now);
void state_print_changes(const struct guira *f, const struct state *last, const struct state *now);

#endif
