/*
 * What a person needs to see of a violation: the smallest failing prefix of one element's history,
 * from the last moment at which nothing was pending, without the operations that the contradiction
 * does not need.
 */
#ifndef GUIRA_STRESS_HISTORY_EXCERPT_H
#define GUIRA_STRESS_HISTORY_EXCERPT_H

#include "partition.h"

struct excerpt {
    uint64_t number; /* the element's */
    unsigned capacity;
    uint64_t before; /* the multiplicities that are possible when it begins */
    struct operation *operation;
    uint64_t *after; /* the multiplicities possible just after each return; 0 from the culprit on */
    size_t operations;
    size_t culprit;  /* the operation whose return nothing explains */
    size_t left_out; /* operations of the window that the contradiction does not need */
};

/*
 * Take the excerpt of the violation found. An operation that changed nothing is left out if the
 * rest still is a contradiction: then the whole was one as well, as leaving such an operation out
 * of a linearization leaves a linearization. Those that changed something stay.
 */
struct excerpt excerpt_create(const struct history *history, const struct findings *findings,
                              struct checker *checker);
void excerpt_destroy(struct excerpt *excerpt);

#endif
