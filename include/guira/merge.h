/*
 * Filters from filters: a copy of one, and one that takes in another. guira.h includes this and
 * explains the labels.
 */
#ifndef GUIRA_MERGE_H
#define GUIRA_MERGE_H

#include "api.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Make a filter that is what this one is at one instant inside the call: geometry, options, seed,
 * and every element. What was growing does so in the copy too; a wish of guira_reserve that still
 * waits is not copied. From then on they are strangers. The copy's statistics start at 0. A copy of
 * a mapped filter is in memory and can be changed, with locks and stripes as by default.
 *
 * out  receives the copy; written only on success
 *
 * Returns GUIRA_OK, GUIRA_NULL_ARGUMENT, GUIRA_NO_MEMORY, or GUIRA_BAD_ALLOCATOR if the allocator
 * returned misaligned memory; of a mapped filter that was not verified also what guira_verify
 * returns. Nothing is leaked.
 * Threads: any; of a filter made with single_writer no call that changes it may run meanwhile. The
 * copy is handed to other threads by the caller's own means.
 * Progress: blocking; all locks are held while the table is copied. The memory for it is got, and
 * written to, before. Readers do not wait.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_clone(const struct guira *filter,
                                                      struct guira **out);

/*
 * Whether two filters mean the same elements by the same keys, so that one can be merged into the
 * other: seed, hash identity and universe U are equal. Buckets, tags and windows may differ, as
 * long as U does not; growing does not change it.
 *
 * Returns GUIRA_OK, or why they do not: GUIRA_OTHER_HASH, GUIRA_OTHER_SEED, GUIRA_OTHER_UNIVERSE,
 * or GUIRA_NULL_ARGUMENT.
 */
GUIRA_API enum guira_status guira_compatible(const struct guira *a, const struct guira *b);

/*
 * Insert into `into` every element of `from`, as often as it is there: all that `from` holds at one
 * instant inside the call. The two may be one filter, and others may merge the other way meanwhile.
 *
 * Returns GUIRA_OK; what guira_compatible says; GUIRA_READ_ONLY if `into` is mapped; what
 * guira_verify returns if `from` is, and was not verified; GUIRA_NO_MEMORY or GUIRA_BAD_ALLOCATOR
 * for a copy of the table of `from`, which its allocator must provide for the time of the call, or
 * because `into` had to grow and could not;
 * GUIRA_FULL or GUIRA_LIMIT, as guira_insert answers, when an element could not be inserted.
 * After a failure `into` holds what it held before: what this call inserted is removed again; if it
 * has grown for that it stays so. As equal elements are not told apart, that takes away no other
 * thread's keys, provided that nobody removes keys that he did not insert, or relies on
 * GUIRA_EXISTS, see guira_merge_unique.
 * Threads: any; of an `into` or a `from` made with single_writer no other call that changes it may
 * run meanwhile.
 * Order: not one step: elements come one by one, and if the call fails they go one by one.
 * Progress: blocking; all locks of `from` are held while its table is copied, then those of `into`
 * as by guira_insert. Never both. Readers of neither wait.
 * Guarantee: after GUIRA_OK every key that was in `from` when the call began, and was not removed
 * meanwhile, is in `into`.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_merge(struct guira *into, const struct guira *from);

/*
 * The union: as guira_merge, but each element of `from` is inserted once, and only if it is not in
 * `into`, as guira_insert_unique does. It never answers GUIRA_EXISTS or GUIRA_LIMIT.
 *
 * Elements that are there already are not inserted, so do not remove keys that came this way, see
 * guira_insert_unique. That a failure removes what the call inserted is such a removal: if another
 * thread was told GUIRA_EXISTS of one of these elements meanwhile, or merged it by this call, its
 * key is gone. So where GUIRA_FULL can happen, nothing else may insert uniquely at the same time.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_merge_unique(struct guira *into,
                                                             const struct guira *from);

#ifdef __cplusplus
}
#endif

#endif
