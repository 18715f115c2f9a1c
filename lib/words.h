/*
 * The words of a table: which can be a table's, and their bytes in a file, order and checksum.
 */
#ifndef GUIRA_LIB_WORDS_H
#define GUIRA_LIB_WORDS_H

#include "format.h"
#include "whole.h"

/* From the file's order of bytes to the machine's and back, in place. Where they are the same,
 * compilers make nothing of it. */
void guira__words_reorder(void *words, size_t count);

/*
 * The invariants of a table that no call is changing, as docs/design.md numbers them.
 */
enum invariant {
    NONE_BROKEN = 0,
    UNUSED_BITS_ARE_ZERO = 1, /* above the slots of a bucket */
    TAGS_ARE_POSSIBLE = 2,    /* an entry's fingerprint is below Q */
    ENTRIES_ARE_FINDABLE = 3, /* an entry's element has that slot among its windows */
    COUNTS_AGREE_WITH_SLOTS =
        4,                   /* the stripes' counts add up to the occupied slots, of both tables */
    EMPTIED_STAYS_EMPTY = 5, /* buckets of the old table before their stripe's cursor */
    COPIES_FIT_ONE_TABLE = 6 /* an element has at most 2w copies in both tables together */
};

/* Which of the first two, which can be seen in a word alone, any word at all breaks. */
enum invariant guira__word_breaks(const struct geometry *g, uint64_t word);

/*
 * How many entries the buckets from `from` to before `to` hold, whose words nobody may change
 * meanwhile. GUIRA_IMPOSSIBLE_TAG if a word breaks one of these two invariants.
 */
enum guira_status guira__words_count(const struct table *t, uint64_t from, uint64_t to,
                                     uint64_t *entries);

/* Whether no element in a bucket of the old table has too many copies; nobody may change words
 * meanwhile. */
bool guira__copies_fit(const struct whole *all, uint64_t bucket);

/* Whether the tables of a filter that has come in bytes, and is nobody's yet, can be a filter's and
 * have so many entries: GUIRA_OK, GUIRA_IMPOSSIBLE_TAG or GUIRA_WRONG_COUNT. */
enum guira_status guira__words_verify(const struct guira *f, uint64_t items);

#endif
