/*
 * Checking whole histories: each element's operations by themselves.
 */
#ifndef GUIRA_STRESS_HISTORY_PARTITION_H
#define GUIRA_STRESS_HISTORY_PARTITION_H

#include "checker.h"

struct findings {
    size_t violated;  /* elements whose operations nothing explains */
    size_t undecided; /* elements that were too much for the checker */

    /* Of the first violated element: which, its judgement, and its part of the history's
     * operations, sorted. */
    size_t element;
    struct judgement judgement;
    const struct operation *operation;
    size_t operations;

    /* Over all elements. */
    size_t cuts;
    size_t most_pending;
    size_t most_configurations;
};

/*
 * Judge a history. Its operations are sorted on the way: by element, then by time. Each element's
 * `possible` becomes what is possible in the end, so that a history that was recorded in rounds,
 * with a quiescent moment between them, can be checked round by round; after a violation, anything.
 */
struct findings history_check(struct history *history, struct checker *checker);

#endif
