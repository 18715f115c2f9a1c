/*
 * The calls on keys chosen by number, one key or many: for programs that draw what to call.
 */
#ifndef GUIRA_STRESS_CALLS_H
#define GUIRA_STRESS_CALLS_H

#include <guira/guira.h>

#include "history/history.h" /* enum call */

enum { MOST_IN_BATCH = 600 };

/* What a batch answered: the member that fits the call. */
union answers {
    bool found[MOST_IN_BATCH];
    unsigned copies[MOST_IN_BATCH];
    enum guira_status status[MOST_IN_BATCH];
};

static inline unsigned call_one(struct guira *filter, enum call call, uint64_t hash) {
    switch (call) {
    case CALL_CONTAINS:
        return guira_contains_uniform(filter, hash);
    case CALL_INSERT:
        return guira_insert_uniform(filter, hash);
    case CALL_INSERT_UNIQUE:
        return guira_insert_unique_uniform(filter, hash);
    case CALL_REMOVE:
        return guira_remove_uniform(filter, hash);
    default:
        return guira_count_uniform(filter, hash);
    }
}

static inline enum guira_status call_many(struct guira *filter, enum call call,
                                          struct guira_keys keys, union answers *answers) {
    switch (call) {
    case CALL_CONTAINS:
        return guira_contains_batch(filter, keys, answers->found);
    case CALL_INSERT:
        return guira_insert_batch(filter, keys, answers->status);
    case CALL_INSERT_UNIQUE:
        return guira_insert_unique_batch(filter, keys, answers->status);
    case CALL_REMOVE:
        return guira_remove_batch(filter, keys, answers->status);
    default:
        return guira_count_batch(filter, keys, answers->copies);
    }
}

/* The answer for one key of the batch, as call_one would give it. */
static inline unsigned answer_of(const union answers *answers, enum call call, size_t at) {
    return call == CALL_CONTAINS ? answers->found[at]
           : call == CALL_COUNT  ? answers->copies[at]
                                 : (unsigned)answers->status[at];
}

#endif
