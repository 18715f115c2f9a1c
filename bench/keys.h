/*
 * Which keys a contender's operations are about.
 */
#ifndef GUIRA_BENCH_KEYS_H
#define GUIRA_BENCH_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "contender.h"

/* Present keys are asked for in steps: those asked for one after the other were inserted far
 * apart, and each is asked for once before any is asked for again. */
uint64_t keys_stride(uint64_t items);

/* Look-ups number `from` and on of present keys. */
void keys_present(const struct contender *contender, uint64_t stride, uint64_t from, uint64_t *keys,
                  size_t count);

/* The same, but a few keys are asked for often: the k-th most popular one with a chance
 * proportional to 1 / k^0.99. keys_make_skewed comes first. */
void keys_make_skewed(struct contender *contender);
void keys_skewed(const struct contender *contender, uint64_t from, uint64_t *keys, size_t count);

/* Keys that are never inserted. */
void keys_absent(const struct contender *contender, uint64_t from, uint64_t *keys, size_t count);

/* Keys from `number` on, of those that are inserted and removed in this order. */
void keys_from(const struct contender *contender, uint64_t number, uint64_t *keys, size_t count);

/* The same of one of the parts that the mix of operations has for itself. */
void keys_of_part(const struct contender *contender, unsigned part, uint64_t number, uint64_t *keys,
                  size_t count);

/* Blow up integers to records of `bytes` bytes, a multiple of 8. */
void keys_to_records(const uint64_t *keys, size_t count, unsigned bytes, uint64_t *records);

#endif
