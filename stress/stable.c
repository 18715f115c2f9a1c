/*
 * Keys that stay are never missed while others come and go around them.
 */
#include "oracle.h"
#include "scenario.h"

struct stable {
    struct oracle keys;
    uint64_t staying; /* keys [0, staying) are inserted once and stay; the others come and go */
    unsigned writers;
    bool may_count; /* count takes locks, so without them it may not run beside the writer */
};

static void read_staying(struct worker *w) {
    struct stable *s = w->team->context;
    while (go_on(w, "looking up a key that stays")) {
        const struct owned_key *key = &s->keys.key[random_below(w, s->staying)];
        REQUIRE(w->team, guira_contains_uniform(w->team->filter, key->hash),
                "a key that stays was missed");
        if (s->may_count && random_below(w, 64) == 0) {
            unsigned copies = guira_count_uniform(w->team->filter, key->hash);
            REQUIRE(w->team, copies == 1, "a key that stays is there %u times", copies);
        }
    }
}

/* Writer i of n has every n-th of the keys that come and go. */
static void churn(struct worker *w) {
    struct stable *s = w->team->context;
    uint64_t mine = (s->keys.keys - s->staying) / s->writers;
    while (mine > 0 && go_on(w, "churning")) {
        uint64_t number = random_below(w, mine) * s->writers + w->index;
        struct owned_key *key = &s->keys.key[s->staying + number];
        if (key->copies > 0) {
            enum guira_status status = guira_remove_uniform(w->team->filter, key->hash);
            REQUIRE(w->team, status == GUIRA_OK, "remove: %s", guira_status_text(status));
            key->copies -= status == GUIRA_OK;
        } else {
            enum guira_status status = guira_insert_uniform(w->team->filter, key->hash);
            REQUIRE(w->team, status == GUIRA_OK || status == GUIRA_FULL, "insert: %s",
                    guira_status_text(status));
            key->copies += status == GUIRA_OK;
        }
    }
}

static void read_or_write(struct worker *w) {
    struct stable *s = w->team->context;
    if (w->index < s->writers) {
        churn(w);
    } else {
        read_staying(w);
    }
}

/* The keys that come and go are there about half of the time, so what is inserted in all has to
 * exceed the slots for the load to come near the brim. */
static void run(struct team *team, unsigned writers) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    struct stable s = {.keys = oracle_create(team->filter, info.slots * 5 / 4, team->seed),
                       .writers = writers,
                       .may_count = !info.single_writer};
    team->context = &s;
    s.staying = s.keys.keys / 2;
    for (uint64_t i = 0; i < s.staying; i++) {
        struct owned_key *key = &s.keys.key[i];
        key->copies = guira_insert_uniform(team->filter, key->hash) == GUIRA_OK;
        REQUIRE(team, key->copies == 1, "a key at a load of 0.6 did not fit");
    }
    team_run(team, read_or_write);
    oracle_compare(&s.keys, team);
    (void)guira_get_info(team->filter, &info);
    REQUIRE(team, info.moves > 0 || team->seconds < 0.01, "nothing moved: the run proves nothing");
    oracle_destroy(&s.keys);
    team->context = NULL;
}

void scenario_stable_keys(struct team *team) {
    run(team, (team->threads + 1) / 2);
}

void scenario_single_writer(struct team *team) {
    run(team, 1);
}
