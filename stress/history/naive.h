/*
 * The checker's checker: the definition of linearizability tried out, in all orders, with a second
 * writing of the specification. For a handful of operations only.
 */
#ifndef GUIRA_STRESS_HISTORY_NAIVE_H
#define GUIRA_STRESS_HISTORY_NAIVE_H

#include "history.h"

enum { MOST_NAIVE = 10 };

/*
 * Which multiplicities can be there in the end: bit m is set if in some order that respects what
 * returned before what was called, beginning from one of `possible`, all operations answer as they
 * did and m copies are left. 0: not linearizable. Operations that are called after `end` do not
 * count, those that return after it need not have taken effect.
 */
uint64_t naive_check(const struct operation *operation, size_t operations, unsigned capacity,
                     uint64_t possible, uint64_t end);

#endif
