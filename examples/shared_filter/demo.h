/*
 * What the phases of the demo share: the filter, the words, and what came out.
 */
#ifndef SHARED_FILTER_DEMO_H
#define SHARED_FILTER_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include <guira/guira.h>

#include "words.h"

/* The rate that the filter is asked for, and how long the churn lasts. */
#define DEMO_RATE 0.01
#define DEMO_CHURN_SECONDS 2.0

/* How a promise came out. */
enum verdict { NOT_RUN, PASS, FAIL };

struct demo {
    struct guira *filter;
    struct words words;
    unsigned threads;

    struct guira_info full; /* once all words are in */
    uint64_t elements;      /* different ones at that moment: two words may share one */

    uint64_t missing;
    uint64_t probes;
    uint64_t false_positives;
    uint64_t churn_lookups;
    uint64_t churn_missed;

    enum verdict all_fit;
    enum verdict none_missing;
    enum verdict rate_kept;
    enum verdict rate_predicted;
    enum verdict none_missed;
    enum verdict counts_exact;
    enum verdict invariants_hold;
};

/*
 * The phases, in their order. Each prints its progress and sets its verdicts. False if the system
 * had no thread or memory left; then it has said so.
 */
bool demo_insert(struct demo *demo);
bool demo_look_up(struct demo *demo);
bool demo_absent(struct demo *demo);
bool demo_churn(struct demo *demo);
bool demo_copies(struct demo *demo);
bool demo_limit(struct demo *demo);

/* The size and every invariant of the quiet table; prints only what is wrong. */
void demo_verify(struct demo *demo, uint64_t size);

#endif
