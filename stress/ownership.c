/*
 * Exact answers under contention: each key is one thread's at a time.
 */
#include "oracle.h"
#include "scenario.h"

struct ownership {
    struct oracle keys;
    unsigned most_copies; /* 2 * window */
    bool may_be_full;     /* otherwise there is at most one copy of a key, so that all have room */
};

static void insert_owned(struct worker *w, struct ownership *o, struct owned_key *key) {
    if (key->copies > 0 && !o->may_be_full) {
        return;
    }
    enum guira_status status = guira_insert_uniform(w->team->filter, key->hash);
    bool right = status == GUIRA_OK      ? key->copies < o->most_copies
                 : status == GUIRA_LIMIT ? key->copies == o->most_copies
                                         : status == GUIRA_FULL && o->may_be_full;
    REQUIRE(w->team, right, "insert at %u copies: %s", key->copies, guira_status_text(status));
    key->copies += status == GUIRA_OK;
}

static void insert_owned_unique(struct worker *w, struct ownership *o, struct owned_key *key) {
    enum guira_status status = guira_insert_unique_uniform(w->team->filter, key->hash);
    bool right = status == GUIRA_OK       ? key->copies == 0
                 : status == GUIRA_EXISTS ? key->copies > 0
                                          : status == GUIRA_FULL && o->may_be_full;
    REQUIRE(w->team, right, "insert_unique at %u copies: %s", key->copies,
            guira_status_text(status));
    key->copies += status == GUIRA_OK;
}

static void remove_owned(struct worker *w, struct owned_key *key) {
    enum guira_status status = guira_remove_uniform(w->team->filter, key->hash);
    REQUIRE(w->team, status == (key->copies > 0 ? GUIRA_OK : GUIRA_NOT_FOUND),
            "remove at %u copies: %s", key->copies, guira_status_text(status));
    key->copies -= status == GUIRA_OK;
}

static void one_call(struct worker *w, struct ownership *o, struct owned_key *key) {
    switch (random_below(w, 8)) {
    case 0:
    case 1:
        insert_owned(w, o, key);
        break;
    case 2:
        insert_owned_unique(w, o, key);
        break;
    case 3:
    case 4:
        remove_owned(w, key);
        break;
    case 5: {
        unsigned copies = guira_count_uniform(w->team->filter, key->hash);
        REQUIRE(w->team, copies == key->copies, "count is %u, not %u", copies, key->copies);
        break;
    }
    default: {
        bool there = guira_contains_uniform(w->team->filter, key->hash);
        REQUIRE(w->team, there == (key->copies > 0), "contains is %d at %u copies", there,
                key->copies);
    }
    }
}

static void work(struct worker *w) {
    struct ownership *o = w->team->context;
    while (go_on(w, "calling on a key of its own")) {
        struct owned_key *key = take_key(&o->keys, w);
        if (key != NULL) {
            one_call(w, o, key);
            give_key_back(key);
        }
    }
}

/* With copies allowed a key is there more than once on average: the load goes past `load`. */
static void run(struct team *team, double load, bool may_be_full) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    uint64_t keys = (uint64_t)((double)info.slots * load) + 1;
    struct ownership o = {.keys = oracle_create(team->filter, keys, team->seed),
                          .most_copies = 2 * info.sizing.window,
                          .may_be_full = may_be_full};
    team->context = &o;
    team_run(team, work);
    oracle_compare(&o.keys, team);
    oracle_destroy(&o.keys);
    team->context = NULL;
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
