/*
 * What the explorer is run for. Each prints what it found and returns whether all was as it must
 * be. `only` restricts it to names that contain it, and shows the runs that fail; NULL: all, in
 * short.
 */
#ifndef GUIRA_EXPLORE_SUITE_H
#define GUIRA_EXPLORE_SUITE_H

#include <stdbool.h>

/* The explorer itself: small programs whose outcomes are known. */
bool suite_litmus(void);
/* The protocol as it is: no program fails. */
bool suite_protocol(const char *only);
/* Likewise with every program of some kinds. */
bool suite_families(void);
/* Each mutant is killed by a program. */
bool suite_mutants(const char *only);

#endif
