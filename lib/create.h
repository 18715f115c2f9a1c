/*
 * Making a filter from a plan, for all that makes one: guira_create, and what brings one back.
 */
#ifndef GUIRA_LIB_CREATE_H
#define GUIRA_LIB_CREATE_H

#include "options.h"

/*
 * An empty filter with that plan and that seed, which must not be 0. Of the options only hash,
 * single_writer and allocator are read, and must be sound. GUIRA_OK, or what the allocator's
 * failure is, and then nothing is leaked and *out is as it was.
 */
enum guira_status guira__create_planned(const struct plan *plan,
                                        const struct guira_options *options, uint64_t seed,
                                        struct guira **out);

/* The words of the one or two tables that a filter begins with. */
struct begin_with {
    void *filled;
    void *emptied; /* into it; NULL if the plan has none */
};

/* Likewise, around tables of the plan's levels that the caller has. guira_destroy gives them back
 * to the allocator; after a failure they are still the caller's. */
enum guira_status guira__create_around(const struct plan *plan, const struct guira_options *options,
                                       uint64_t seed, struct begin_with tables, struct guira **out);

/* Give the pages of the filter's tables back to the system, if they are its. What is then read
 * there is 0; the tables stay where they are. */
void guira__drop_tables(struct guira *f);

#endif
