/*
 * Keys with distinct elements, so that each belongs to one thread alone, and what a whole filter
 * must hold in the end.
 */
#ifndef GUIRA_TESTS_ELEMENTS_H
#define GUIRA_TESTS_ELEMENTS_H

#include "filters.h"

/* Uniform hashes whose elements in the filter are all different; freed with free. */
uint64_t *distinct_hashes(const struct guira *f, size_t count, uint64_t stream);

/* Inserts distinct elements, one, two or three times each, as far as there is room; copies[i] says
 * how often. Returns hashes of them; freed with free. */
uint64_t *insert_some_copies(struct guira *f, unsigned *copies, size_t count, uint64_t stream);

/* Whether the filter holds each hash's element copies[i] times and nothing else. */
bool holds_exactly(const struct guira *f, const uint64_t *hashes, const unsigned *copies,
                   size_t count);

#endif
