/*
 * Filters that grow: making them, and what a test may know of their tables.
 */
#ifndef GUIRA_TESTS_GROWN_H
#define GUIRA_TESTS_GROWN_H

#include "filters.h"
#include "growth.h"

/* A filter of explicit geometry that grows; GUIRA_NO_MAXIMUM: as far as its tags allow. */
struct guira *growing_of(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                         uint64_t max_capacity);
/* One that is chosen for a rate. */
struct guira *growing_for(uint64_t capacity, uint64_t max_capacity, double rate);

/* The level that is filled, and whether another one is being emptied into it. */
uint32_t level_of(const struct guira *f);
bool is_migrating(const struct guira *f);

/* The level's table; its words are NULL if it was never used. */
const struct table *table_of_level(const struct guira *f, uint32_t level);

/* Entries in a table. */
uint64_t entries_in(const struct table *t);

/* The test fails unless the tables in use hold as many entries as the filter says, and those that
 * are not in use hold nothing. */
void require_entries_add_up(const struct guira *f);

/* A hash of the element. */
uint64_t hash_of_number(const struct guira *f, uint64_t element);

/* An element's places in a level's table. */
struct candidates places_in_level(const struct guira *f, uint32_t level, uint64_t element);

/* Have the filter begin to grow to the next level; the test fails if it does not. */
void begin_growth(struct guira *f);

/* Insert and remove a key of no other use until one table is left; false if it stays with two. */
bool finish_growth(struct guira *f);

#endif
