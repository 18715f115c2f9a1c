/*
 * The linearizability checker for one element's operations.
 *
 * A history is linearizable (Herlihy, Wing, "Linearizability: a correctness condition for
 * concurrent objects", TOPLAS 1990) if each operation can be given one instant inside its interval
 * so that the operations, done one after the other in the order of their instants, answer as they
 * did. The elements of a multiset are objects of their own, none of whose operations looks at
 * another, so a history is linearizable if and only if each element's part is (locality, same
 * paper). Horn and Kroening ("Faster linearizability checking via P-compositionality", FORTE 2015)
 * and the checkers Knossos and Porcupine profit from the same.
 *
 * The search is that of Wing and Gong ("Testing and verifying concurrent objects", JPDC 1993) with
 * what Lowe added to it ("Testing for linearizability", CCPE 2017): a pair of the set of operations
 * that have taken effect and the state is looked at once only, and an operation is given its
 * instant no earlier than somebody needs it, "just in time". It goes through calls and returns in
 * the order of time and keeps all such pairs that explain what happened until then, breadth first.
 * So:
 *
 * - Nothing is ever taken back, and the return at which no pair is left is the end of the smallest
 *   failing prefix.
 * - As all that has returned has taken effect, a set is a bit mask of pending operations, and where
 *   nothing is pending the pairs are just multiplicities. Such a quiescent cut splits the history
 *   into windows, each checked from the multiplicities that the one before leaves possible. Memory
 *   depends on how many operations overlap and not on how many there are.
 *
 * Two reductions keep the pairs few. Neither changes the verdict.
 *
 * - An operation that changes nothing takes effect as soon as it is pending in a state that allows
 *   its answer. Whatever may happen afterwards may happen without it too.
 * - Of pending operations that change the state in the same way (inserts that answered OK, unique
 *   inserts that did, removes that did) the one that returns first goes first. If in some
 *   explanation another goes first, the two can change places: the earlier place is after both
 *   calls and before the return of the other, which came later still, and the later place is before
 *   the earlier return.
 */
#ifndef GUIRA_STRESS_HISTORY_CHECKER_H
#define GUIRA_STRESS_HISTORY_CHECKER_H

#include "configurations.h"
#include "history.h"

enum verdict {
    LINEARIZABLE,
    VIOLATED,
    UNDECIDED /* more than 64 operations overlap, or there were too many pairs */
};

enum { MOST_PENDING = 64, MOST_CONFIGURATIONS = 1 << 22 };

struct judgement {
    enum verdict verdict;
    uint64_t possible; /* LINEARIZABLE: bit m: the element may be there m times in the end */

    /* VIOLATED: operations [window, called) were called since the last cut and until the culprit
     * returned, the first return that nothing explains; at the cut `before` was possible. */
    size_t window;
    size_t called;
    size_t culprit;
    uint64_t before;

    size_t cuts;                /* quiescent cuts */
    size_t most_pending;        /* at one moment */
    size_t most_configurations; /* at one moment */
};

struct checker;

struct checker *checker_create(void);
void checker_destroy(struct checker *checker);

/*
 * Judge the operations of one element, sorted by_call_time. `possible` says how often the element
 * may be there at first. If `after` is not NULL it receives for each operation the multiplicities
 * possible just after its return; those that return after the culprit get 0.
 */
struct judgement checker_judge(struct checker *checker, const struct operation *operation,
                               size_t operations, unsigned capacity, uint64_t possible,
                               uint64_t *after);

#endif
