/*
 * Writers of whose keys a whole filter tells whether it is seen at one instant: each goes through
 * its tokens in a circle and inserts the next one before it removes the last one. So at any instant
 * there are one or two, neighbours in the circle.
 */
#ifndef GUIRA_TESTS_TOKENS_H
#define GUIRA_TESTS_TOKENS_H

#include <stdatomic.h>

#include "filters.h"

enum { TOKENS = 12, LOOSE = 40, OF_ONE_WRITER = TOKENS + LOOSE };

struct token_writer {
    struct guira *filter;
    const uint64_t *hashes; /* OF_ONE_WRITER, no other's: tokens, then keys that come and go */
    const atomic_bool *stop;
    unsigned at; /* the token that is in */
    unsigned copies[OF_ONE_WRITER];
    unsigned wrong; /* answers that cannot be */
};

/* Put the first token in, before any thread runs. */
void tokens_begin(struct token_writer *writer);

/* Go on until told to stop; then copies[] is what is in. For a thread. */
void *tokens_write(void *writer);

/* Whether a filter that nobody changes holds tokens of one instant of this writer. */
bool tokens_are_of_one_instant(const struct guira *f, const uint64_t *hashes);

#endif
