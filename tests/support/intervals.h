/*
 * Judging rates: whether a number of hits is believable under a probability.
 */
#ifndef GUIRA_TESTS_INTERVALS_H
#define GUIRA_TESTS_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

/* False if so few, or so many, hits in that many trials come about with a chance below 3e-7 (that
 * of 5 sigma), as when the probability lies outside the Clopper-Pearson interval for the hits. */
bool believable(uint64_t hits, uint64_t trials, double probability);

#endif
