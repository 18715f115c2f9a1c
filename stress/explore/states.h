/*
 * The set of states that were reached, each as a 128-bit hash.
 */
#ifndef GUIRA_EXPLORE_STATES_H
#define GUIRA_EXPLORE_STATES_H

#include "machine.h"

struct states;

struct states *states_create(void);
void states_destroy(struct states *states);

/* Returns false if the state was in the set before. */
bool states_add(struct states *states, const struct machine *m);

#endif
