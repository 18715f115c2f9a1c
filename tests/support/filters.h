/*
 * Making filters for tests, and comparing their tables.
 */
#ifndef GUIRA_TESTS_FILTERS_H
#define GUIRA_TESTS_FILTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter.h"
#include "reference.h"

/* A seed for filters that follows from the test's seed. */
uint64_t filter_seed(void);

/* A filter of explicit geometry; the test fails if there is none. */
struct guira *filter_of(uint64_t buckets, uint32_t tag_bits, uint32_t window);
struct guira *filter_for(uint64_t capacity, double rate);
/* As guira_create, with the test's seed if the options have none; the test fails if it fails. */
struct guira *filter_with(struct guira_options options);

/* The filter's geometry, computed the slow way. */
struct ref_shape shape_of_filter(const struct guira *f);

/* The words of the tables in use, copied, of the one that is filled first; freed with free. */
uint64_t *words_of(const struct guira *f);
bool words_equal(const struct guira *f, const uint64_t *words);

/* The test fails unless guira_check finds nothing. */
void require_sound(const struct guira *f);

/* Insert distinct pseudo-random u64 keys, from number `first` on, until one does not fit or
 * `limit` are in. Returns how many are in. */
uint64_t fill(struct guira *f, uint64_t first, uint64_t limit);

#endif
