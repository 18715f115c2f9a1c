/*
 * Whether the results of a run's calls can be explained by one order of them: linearizability over
 * all elements together. The order keeps each thread's own, and every call that ended before
 * another began, where "before" is happens-before, the only time that C11 knows.
 */
#ifndef GUIRA_EXPLORE_HISTORY_H
#define GUIRA_EXPLORE_HISTORY_H

#include "machine.h"

enum call_kind { CONTAINS, INSERT, INSERT_UNIQUE, REMOVE };

/* What calls return: whether it is there, was done; FULL and LIMIT, which are always allowed. */
enum call_result { NO, YES, REFUSED };

enum { MAX_ELEMENTS = 8 };

/* Copies of each element before and after the run. */
bool history_explained(const struct machine *end, const uint8_t before[MAX_ELEMENTS],
                       const uint8_t after[MAX_ELEMENTS]);

void history_print(const struct machine *end, const char *element_names);

#endif
