/*
 * A sequential cuckoo filter as textbooks describe it: buckets of four 12-bit tags, packed in six
 * bytes; a power of two of buckets; the partner bucket by XOR with a hash of the tag; and random
 * kicks, at most 500, to make room. It stands for the filters that users have today.
 *
 * It is a translation unit of its own and called key by key, as a library is, so that no compiler
 * overlaps the work of two keys.
 */
#ifndef GUIRA_BENCH_TEXTBOOK_H
#define GUIRA_BENCH_TEXTBOOK_H

#include <stdbool.h>
#include <stdint.h>

struct textbook;

struct textbook *textbook_create(unsigned log2_slots, uint64_t seed);
void textbook_destroy(struct textbook *filter);
void textbook_clear(struct textbook *filter);
bool textbook_insert(struct textbook *filter, uint64_t key);
bool textbook_contains(const struct textbook *filter, uint64_t key);
bool textbook_remove(struct textbook *filter, uint64_t key);
uint64_t textbook_size(const struct textbook *filter);

#endif
