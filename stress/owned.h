/*
 * Calls on a key that the thread holds: it knows how many copies there are, so it knows each answer
 * exactly, whatever other threads do to the table.
 */
#ifndef GUIRA_STRESS_OWNED_H
#define GUIRA_STRESS_OWNED_H

#include "history/history.h"
#include "oracle.h"

struct rules {
    unsigned most_copies; /* 2 * window */
    bool may_be_full;     /* else all have room */
};

/* A call drawn at random, by its share of all. */
enum call draw_call(struct worker *worker);

/* Report an answer that is wrong, and take note of what the call did. */
void judge_answer(struct team *team, const struct rules *rules, struct owned_key *key,
                  enum call call, unsigned answer);

#endif
