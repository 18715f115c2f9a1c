/*
 * The scenarios. Each gets a team with an empty filter, tortures it, and reports violations.
 */
#ifndef GUIRA_STRESS_SCENARIO_H
#define GUIRA_STRESS_SCENARIO_H

#include "team.h"

/* How many entries inserts have moved by now. */
static inline uint64_t entries_moved(const struct guira *filter) {
    struct guira_info info;
    (void)guira_get_info(filter, &info);
    return info.moves;
}

/* Readers look up keys that stay, while writers churn others at the maximum load, where inserts
 * must move entries: none may be missed. */
void scenario_stable_keys(struct team *team);

/* A key belongs to one thread at a time, which checks the exact answer of every call; in the end
 * the table holds exactly the multiset that the answers imply. */
void scenario_ownership(struct team *team);

/* As ownership, at a load where inserts are refused: a refused insert must lose nothing. */
void scenario_brim(struct team *team);

/* At a low load no contention makes an insert fail. */
void scenario_low_load(struct team *team);

/* As ownership, with all elements in the same bucket: it is the start of some and the partner of
 * the others. */
void scenario_hot_bucket(struct team *team);

/* Batches of keys that the thread holds, beside single calls: exact answers for each key. */
void scenario_batches(struct team *team);

/* One thread clones, the others write: each clone must be of one instant. */
void scenario_snapshots(struct team *team);

/* All threads merge filters of their own into one, which holds the sum, whether they fit or not. */
void scenario_merges(struct team *team);

/* Many threads insert_unique the same keys: exactly one is first, for each key. */
void scenario_unique_race(struct team *team);

/* Many threads insert one key: exactly 2 * window copies get in. Then all of them remove it. */
void scenario_limit_race(struct team *team);

/* A filter that grows: keys that stay are never missed, and none is refused. */
void scenario_growing_keys(struct team *team);

/* The same, beside threads that all insert and remove one key, up to its limit. */
void scenario_growing_limit(struct team *team);

/* The same as the first, with guira_reserve and guira_shrink by all writers. */
void scenario_wishes(struct team *team);

/* One thread writes, without locks; all others read keys that stay. */
void scenario_single_writer(struct team *team);

#endif
