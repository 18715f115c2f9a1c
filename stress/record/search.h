/*
 * The search for room, node by node.
 */
#ifndef GUIRA_STRESS_RECORD_SEARCH_H
#define GUIRA_STRESS_RECORD_SEARCH_H

#include "recorder.h"

/* Write the steps of the search that the library has just made, as events that begin so, and the
 * path that it found. */
void search_print(const struct guira *f, uint64_t hash, const char *begin);

#endif
