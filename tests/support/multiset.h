/*
 * What a filter holds, as a sorted list of its elements with their multiplicities.
 */
#ifndef GUIRA_TESTS_MULTISET_H
#define GUIRA_TESTS_MULTISET_H

#include "filters.h"

struct member {
    uint64_t element;
    unsigned copies;
};

struct multiset {
    size_t size; /* distinct elements */
    struct member *member;
    uint64_t total; /* entries */
};

/* Of a filter that nobody changes; the test fails unless its size and its table agree with it. To
 * be ended with multiset_end. */
struct multiset multiset_of(const struct guira *f);
void multiset_end(struct multiset *m);

/* Each element as often as in both together, or as in `unique`: once if only b has it. */
struct multiset multiset_sum(const struct multiset *a, const struct multiset *b, bool unique);

bool multisets_equal(const struct multiset *a, const struct multiset *b);

/* Whether the filter holds exactly that. */
bool holds_multiset(const struct guira *f, const struct multiset *m);

#endif
