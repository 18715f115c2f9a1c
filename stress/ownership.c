/*
 * Exact answers under contention: each key is one thread's at a time.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"
#include "filter.h"
#include "growths.h"
#include "owned.h"
#include "scenario.h"

struct ownership {
    struct oracle keys;
    struct rules rules;
    unsigned wanted_copies; /* insert no more, so that the others have room */
    struct owned_key **hot; /* the keys to call on; NULL: all */
    uint64_t hot_keys;
};

static void one_call(struct worker *w, struct ownership *o, struct owned_key *key) {
    enum call call = draw_call(w);
    if (call != CALL_INSERT || key->copies < o->wanted_copies) {
        unsigned answer = call_one(w->team->filter, call, key->hash);
        judge_answer(w->team, &o->rules, key, call, answer);
    }
}

static struct owned_key *take_hot_key(struct ownership *o, struct worker *w) {
    struct owned_key *key = o->hot[random_below(w, o->hot_keys)];
    return try_key(key) ? key : NULL;
}

static void work(struct worker *w) {
    struct ownership *o = w->team->context;
    while (go_on(w, "calling on a key of its own")) {
        struct owned_key *key = o->hot == NULL ? take_key(&o->keys, w) : take_hot_key(o, w);
        if (key != NULL) {
            one_call(w, o, key);
            give_key_back(key);
        }
    }
}

static void run_owned(struct team *team, struct ownership *o) {
    team->context = o;
    team_run(team, work);
    oracle_compare(&o->keys, team);
    team->context = NULL;
}

static struct guira_info info_of(const struct team *team) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    return info;
}

/* With copies allowed a key is there more than once on average: the load goes past `load`. */
static void run(struct team *team, double load, bool with_copies) {
    struct guira_info info = info_of(team);
    uint64_t keys = (uint64_t)((double)most_slots(team->filter) * load) + 1;
    struct ownership o = {
        .keys = oracle_create(team->filter, keys, team->seed),
        .rules = {.most_copies = 2 * info.sizing.window, .may_be_full = with_copies},
        .wanted_copies = with_copies ? UINT_MAX : 1};
    run_owned(team, &o);
    oracle_destroy(&o.keys);
}

void scenario_ownership(struct team *team) {
    run(team, 0.6, true);
}

void scenario_brim(struct team *team) {
    run(team, 3.0, true);
}

void scenario_low_load(struct team *team) {
    run(team, 0.3, false);
}

/* With two copies of a hot key at most, one on average, the load of a small table stays below its
 * maximum: refused inserts are not what hot buckets are about. */
enum { MOST_HOT_KEYS = 256, SLOTS_PER_HOT_KEY = 8, HOT_COPIES = 2 };

static bool is_in_hot_bucket(const struct guira *filter, uint64_t hash, unsigned side) {
    const struct geometry *g = &filter->table.geometry;
    return place_of(g, element_of_hash(g, hash), side).bucket == g->buckets / 2;
}

static bool uses_hot_bucket(const struct guira *filter, uint64_t hash) {
    return is_in_hot_bucket(filter, hash, 0) || is_in_hot_bucket(filter, hash, 1);
}

/* Take the hot keys out of all; returns how many of them start in the bucket. The others are
 * inserted to stay, and make inserts of hot keys move entries. */
static uint64_t set_up_hot_bucket(struct team *team, struct ownership *o) {
    uint64_t starting = 0;
    for (uint64_t i = 0; i < o->keys.keys; i++) {
        struct owned_key *key = &o->keys.key[i];
        if (uses_hot_bucket(team->filter, key->hash)) {
            o->hot[o->hot_keys++] = key;
            starting += is_in_hot_bucket(team->filter, key->hash, 0);
        } else {
            key->copies = guira_insert_uniform(team->filter, key->hash) == GUIRA_OK;
            REQUIRE(team, key->copies == 1, "a key at a load of 0.7 did not fit");
        }
    }
    return starting;
}

void scenario_hot_bucket(struct team *team) {
    struct guira_info info = info_of(team);
    uint64_t hot_keys = info.slots / SLOTS_PER_HOT_KEY;
    hot_keys = hot_keys < MOST_HOT_KEYS ? hot_keys : MOST_HOT_KEYS;
    uint64_t others = info.slots * 7 / 10;
    const struct key_maker hot = {.special = hot_keys, .is_special = uses_hot_bucket};
    struct ownership o = {.keys = oracle_create_with(team->filter, others, team->seed, &hot),
                          .rules = {.most_copies = 2 * info.sizing.window, .may_be_full = true},
                          .wanted_copies = HOT_COPIES};
    o.hot = calloc(o.keys.keys, sizeof(struct owned_key *));
    if (o.hot == NULL) {
        violation(team, "out of memory");
    } else {
        uint64_t starting = set_up_hot_bucket(team, &o);
        uint64_t before = entries_moved(team->filter);
        run_owned(team, &o);
        uint64_t moves = entries_moved(team->filter) - before;
        REQUIRE(team, starting > 0 && starting < o.hot_keys && moves > 0,
                "no start, no partner or no moves: the run proves little");
        (void)snprintf(team->remark, sizeof team->remark,
                       "%" PRIu64 " elements start in the bucket, %" PRIu64
                       " have it as partner; %" PRIu64 " moves meanwhile",
                       starting, o.hot_keys - starting, moves);
    }
    free(o.hot);
    oracle_destroy(&o.keys);
}
