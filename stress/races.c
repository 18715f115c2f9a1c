/*
 * All threads want the same: to be the first with a key, or to have their copy of it in.
 */
#include "oracle.h"
#include "scenario.h"

#include <stdlib.h>

struct race {
    struct oracle keys;
    struct owned_key **key;
    _Atomic uint64_t *winners; /* for each key, how many inserts succeeded */
};

static bool race_begin(struct race *race, struct team *team, uint64_t keys) {
    race->keys = oracle_create(team->filter, keys, team->seed);
    race->key = oracle_shuffled(&race->keys, team->seed);
    race->winners = calloc(race->keys.keys, sizeof *race->winners);
    team->context = race;
    return race->winners != NULL;
}

static void race_end(struct race *race, struct team *team) {
    free(race->winners);
    free(race->key);
    oracle_destroy(&race->keys);
    team->context = NULL;
}

/* Everyone goes through the keys in the same order, so that they meet at each. */
static void insert_all_unique(struct worker *w) {
    struct race *race = w->team->context;
    for (uint64_t i = 0; i < race->keys.keys && go_on(w, "inserting uniquely"); i++) {
        enum guira_status status = guira_insert_unique_uniform(w->team->filter, race->key[i]->hash);
        atomic_fetch_add(&race->winners[i], status == GUIRA_OK);
        REQUIRE(w->team, status == GUIRA_OK || status == GUIRA_EXISTS, "insert_unique: %s",
                guira_status_text(status));
    }
}

void scenario_unique_race(struct team *team) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    struct race race;
    uint64_t keys = team->options.max_capacity > 0 ? info.sizing.capacity : info.slots * 4 / 5;
    if (!race_begin(&race, team, keys)) {
        violation(team, "out of memory");
        race_end(&race, team);
        return;
    }
    team_run_to_end(team, insert_all_unique);
    for (uint64_t i = 0; i < race.keys.keys; i++) {
        uint64_t winners = atomic_load(&race.winners[i]);
        REQUIRE(team, winners == 1, "%llu threads were first", (unsigned long long)winners);
        race.key[i]->copies = 1;
    }
    oracle_compare(&race.keys, team);
    race_end(&race, team);
}

enum { LIMIT_KEYS = 16, LIMIT_ROUNDS = 40 };

static void insert_copies(struct worker *w) {
    struct race *race = w->team->context;
    for (uint64_t i = 0; i < LIMIT_ROUNDS * race->keys.keys && go_on(w, "inserting copies"); i++) {
        uint64_t at = i % race->keys.keys;
        enum guira_status status = guira_insert_uniform(w->team->filter, race->key[at]->hash);
        atomic_fetch_add(&race->winners[at], status == GUIRA_OK);
        REQUIRE(w->team, status == GUIRA_OK || status == GUIRA_LIMIT, "insert: %s",
                guira_status_text(status));
    }
}

static void remove_copies(struct worker *w) {
    struct race *race = w->team->context;
    for (uint64_t i = 0; i < LIMIT_ROUNDS * race->keys.keys && go_on(w, "removing copies"); i++) {
        uint64_t at = i % race->keys.keys;
        enum guira_status status = guira_remove_uniform(w->team->filter, race->key[at]->hash);
        atomic_fetch_sub(&race->winners[at], status == GUIRA_OK);
    }
}

void scenario_limit_race(struct team *team) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    unsigned most = 2 * info.sizing.window;
    struct race race;
    /* So few keys that two of them share slots only in the smallest tables; FULL is then right. */
    if (!race_begin(&race, team, info.slots > 10000 ? LIMIT_KEYS : 1)) {
        violation(team, "out of memory");
        race_end(&race, team);
        return;
    }
    team_run_to_end(team, insert_copies);
    for (uint64_t i = 0; i < race.keys.keys; i++) {
        uint64_t copies = atomic_load(&race.winners[i]);
        REQUIRE(team, copies == most, "%llu copies got in, not %u", (unsigned long long)copies,
                most);
        race.key[i]->copies = most;
    }
    oracle_compare(&race.keys, team);
    team_run_to_end(team, remove_copies);
    for (uint64_t i = 0; i < race.keys.keys; i++) {
        REQUIRE(team, atomic_load(&race.winners[i]) == 0, "copies are left after all removes");
        race.key[i]->copies = 0;
    }
    oracle_compare(&race.keys, team);
    race_end(&race, team);
}
