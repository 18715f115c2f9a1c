/*
 * Filters in the middle of a growth: with entries in two tables, some elements in both.
 */
#ifndef GUIRA_TESTS_MIDDLE_H
#define GUIRA_TESTS_MIDDLE_H

#include "filters.h"

/* A filter and what must be in it. */
struct middle {
    struct guira *filter;
    size_t count;
    uint64_t *hashes; /* of distinct elements */
    unsigned *copies; /* that are in: one or two each, and 0 from some number on */
    size_t in;        /* the first that is not in */
};

/* Of a filter that these options make, with keys until it grows, and then so many more: the test
 * fails if it does not grow any more after those. To be ended with middle_end. */
struct middle middle_of(struct guira_options options, size_t more);
void middle_end(struct middle *m);

/* With small tables of windows of two slots, a quarter of the way from one table to the other. */
struct middle some_middle(void);
struct guira_options middle_options(void);

bool is_growing(const struct guira *f);

/* Whether a filter holds just what the middle should. */
bool holds_middle(const struct guira *f, const struct middle *m);

/* Change a filter of the middle's elements, in vain, until it grows no more; then it must hold the
 * same, and all others of the middle's elements must have room. They are taken out again. */
void require_goes_on(struct guira *f, const struct middle *m);

/* How many elements have copies in both tables. */
size_t in_both_tables(const struct middle *m);

#endif
