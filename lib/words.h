/*
 * The words of a table and their bytes in a file: order, checksum, and which can be a table's.
 */
#ifndef GUIRA_LIB_WORDS_H
#define GUIRA_LIB_WORDS_H

#include "format.h"
#include "protocol.h"

/* From the file's order of bytes to the machine's and back, in place. Where they are the same,
 * compilers make nothing of it. */
void guira__words_reorder(void *words, size_t count);

/* The checksum of words as they are in a file, which binds them to their header. */
uint64_t guira__words_checksum(const struct header *header, const void *words);

/*
 * How many entries the buckets from `from` to before `to` hold, whose words nobody may change
 * meanwhile. GUIRA_IMPOSSIBLE_TAG if a word has bits above its slots, or a tag that no key can
 * have; any words at all may be looked at.
 */
enum guira_status guira__words_count(const struct table *t, uint64_t from, uint64_t to,
                                     uint64_t *entries);

#endif
