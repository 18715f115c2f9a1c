/*
 * Saved filters as bytes in memory: writing and reading them piece by piece, changing them, and
 * signing them again, so that a wrong number gets past the checksums.
 */
#ifndef GUIRA_TESTS_TAPE_H
#define GUIRA_TESTS_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters.h"

/* Where the numbers of the format are, and its sizes, from docs/format.md. */
enum {
    TAPE_HEADER = 128,
    TAPE_END = 8,
    TAPE_VERSION = 8,
    TAPE_HEADER_LENGTH = 12,
    TAPE_BUCKETS = 16,
    TAPE_TAG_BITS = 24,
    TAPE_WINDOW = 28,
    TAPE_FINGERPRINTS = 32,
    TAPE_SEED = 40,
    TAPE_HASH = 48,
    TAPE_FLAGS = 52,
    TAPE_ITEMS = 56,
    TAPE_CAPACITY = 64,
    TAPE_BUDGET = 72,
    TAPE_ZEROS = 76, /* if the filter does not grow */
    TAPE_LEVELS = 76,
    TAPE_LEVEL = 80,
    TAPE_FROM = 84,
    TAPE_ZEROS_IF_GROWS = 88,
    TAPE_SIGNATURE = 120
};

struct tape {
    uint8_t *bytes;
    size_t length;
    size_t room;
    size_t at;        /* where reading goes on */
    size_t most;      /* bytes that one read gives; 0: as many as are asked for */
    unsigned calls;   /* of the writer or the reader */
    unsigned fail_at; /* the call that fails, from 1; 0: none */
    ptrdiff_t lie;    /* what a failing read returns instead: added to length, if positive */
    bool misused;     /* a call with length 0, or a read after the end was told */
    bool ended;
};

/* To be given to guira_save and guira_load with a tape as context. */
int tape_write(void *context, const void *bytes, size_t length);
ptrdiff_t tape_read(void *context, void *bytes, size_t length);

/* The filter, saved; the test fails if that does. Freed with tape_free. */
struct tape tape_of(const struct guira *f);
/* A filter of 13 buckets whose words have four unused bits each, with 26 to 29 entries, some of
 * them copies; as bytes. */
struct tape small_tape(void);
struct tape tape_copy(const struct tape *tape);
void tape_free(struct tape *tape);

/* Load from the tape's begin with options (NULL: none). */
enum guira_status tape_load(struct tape *tape, const struct guira_load_options *options,
                            struct guira **out);
/* As that, but the test fails if it fails. */
struct guira *filter_of_tape(struct tape *tape);
/* What a pointer is set to that must not be written to. */
struct guira *no_filter(void);
/* As tape_load, but the test fails if a filter comes of it, or a leak. */
enum guira_status refusal_of(struct tape *tape);

void tape_put_32(struct tape *tape, size_t at, uint32_t value);
void tape_put_64(struct tape *tape, size_t at, uint64_t value);
uint32_t tape_get_32(const struct tape *tape, size_t at);
uint64_t tape_get_64(const struct tape *tape, size_t at);

/* Make the checksums right again: the header's; the words' too. */
void sign_header(uint8_t *header);
void tape_sign(struct tape *tape);

/* The test fails unless both filters hold the same words and all that a file keeps. */
void require_same(const struct guira *a, const struct guira *b);

#endif
