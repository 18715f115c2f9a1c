/*
 * Keys that stay are never missed while others come and go around them.
 *
 * Look-ups are told apart by whether inserts moved entries meanwhile, and there must be some beside
 * moves: with nothing moving a reader cannot lose sight of a key, and the run would prove nothing.
 * Moves are counted when their insert ends, so one that began before and ends after some
 * look-ups is not seen: "nothing moved" means that no move ended meanwhile.
 */
#include <inttypes.h>
#include <stdio.h>

#include "oracle.h"
#include "protocol.h"
#include "scenario.h"

enum {
    LOOK_UPS_A_TALLY = 32, /* one by one between two questions how many entries were moved */
    MOST_IN_BATCH = 80,    /* so that some take each way that batches of look-ups have */
    LOOK_UPS_A_COUNT = 64,
    MOST_RUNS = 100
};

enum way { ONE_BY_ONE, IN_BATCHES, WAYS };

/* Look-ups of keys that stay. */
struct tally {
    uint64_t made;
    uint64_t missed;
};

/* Keys with an even number are inserted once and stay; the others come and go. */
struct stable {
    struct oracle keys;
    uint64_t pairs; /* of a key that stays and one that does not */
    unsigned writers;
    bool may_count; /* count takes locks, so without them it may not run beside the writer */
    _Atomic uint64_t inserts;
    _Atomic uint64_t made[WAYS][2]; /* look-ups with nothing moved meanwhile, and beside moves */
};

static uint64_t staying_hash(struct worker *w, const struct stable *s) {
    return s->keys.key[2 * random_below(w, s->pairs)].hash;
}

static bool look_up_one_by_one(struct worker *w, const struct stable *s, struct tally *tally) {
    bool more = true;
    while (more && tally->made < LOOK_UPS_A_TALLY) {
        more = go_on(w, "looking up a key that stays");
        uint64_t hash = staying_hash(w, s);
        tally->made++;
        tally->missed += !guira_contains_uniform(w->team->filter, hash);
        if (s->may_count && random_below(w, LOOK_UPS_A_COUNT) == 0) {
            unsigned copies = guira_count_uniform(w->team->filter, hash);
            REQUIRE(w->team, copies == 1, "a key that stays is there %u times", copies);
        }
    }
    return more;
}

static void count_batch(struct worker *w, struct guira_keys keys) {
    unsigned copies[MOST_IN_BATCH] = {0};
    enum guira_status status = guira_count_batch(w->team->filter, keys, copies);
    REQUIRE(w->team, status == GUIRA_OK, "count_batch: %s", guira_status_text(status));
    for (size_t i = 0; i < keys.count; i++) {
        REQUIRE(w->team, copies[i] == 1, "a key that stays is there %u times", copies[i]);
    }
}

static bool look_up_batch(struct worker *w, const struct stable *s, struct tally *tally) {
    uint64_t hash[MOST_IN_BATCH];
    bool found[MOST_IN_BATCH] = {false};
    tally->made = 1 + random_below(w, MOST_IN_BATCH);
    for (uint64_t i = 0; i < tally->made; i++) {
        hash[i] = staying_hash(w, s);
    }
    struct guira_keys keys = guira_keys_uniform(hash, (size_t)tally->made);
    bool more = go_on(w, "looking up a batch of keys that stay");
    enum guira_status status = guira_contains_batch(w->team->filter, keys, found);
    REQUIRE(w->team, status == GUIRA_OK, "contains_batch: %s", guira_status_text(status));
    for (uint64_t i = 0; i < tally->made; i++) {
        tally->missed += !found[i];
    }
    if (s->may_count && random_below(w, LOOK_UPS_A_COUNT) == 0) {
        count_batch(w, keys);
    }
    return more;
}

static void read_staying(struct worker *w) {
    static const char *const names[WAYS] = {"one by one", "in batches"};
    struct stable *s = w->team->context;
    uint64_t before = entries_moved(w->team->filter);
    bool more = true;
    while (more) {
        struct tally tally = {0};
        enum way way = random_below(w, 2) == 0 ? ONE_BY_ONE : IN_BATCHES;
        more = way == ONE_BY_ONE ? look_up_one_by_one(w, s, &tally) : look_up_batch(w, s, &tally);
        uint64_t after = entries_moved(w->team->filter);
        bool moved = after > before;
        before = after;
        atomic_fetch_add(&s->made[way][moved], tally.made);
        REQUIRE(w->team, tally.missed == 0,
                "%" PRIu64 " of %" PRIu64 " look-ups %s missed their key %s", tally.missed,
                tally.made, names[way], moved ? "beside moves" : "with nothing moved");
    }
}

static enum guira_status insert_key(struct stable *s, struct team *team, struct owned_key *key) {
    enum guira_status status = guira_insert_uniform(team->filter, key->hash);
    REQUIRE(team, status == GUIRA_OK || status == GUIRA_FULL, "insert: %s",
            guira_status_text(status));
    key->copies += status == GUIRA_OK;
    atomic_fetch_add_explicit(&s->inserts, status == GUIRA_OK, memory_order_relaxed);
    return status;
}

static void remove_key(struct team *team, struct owned_key *key) {
    enum guira_status status = guira_remove_uniform(team->filter, key->hash);
    REQUIRE(team, status == GUIRA_OK, "remove: %s", guira_status_text(status));
    key->copies -= status == GUIRA_OK;
}

/* Writer i of n has every n-th of the keys that come and go. */
static void churn(struct worker *w) {
    struct stable *s = w->team->context;
    uint64_t mine = s->pairs / s->writers;
    while (mine > 0 && go_on(w, "churning")) {
        uint64_t number = random_below(w, mine) * s->writers + w->index;
        struct owned_key *key = &s->keys.key[2 * number + 1];
        if (key->copies > 0) {
            remove_key(w->team, key);
        } else {
            (void)insert_key(s, w->team, key);
        }
    }
}

static void read_or_write(struct worker *w) {
    const struct stable *s = w->team->context;
    if (w->index < s->writers) {
        churn(w);
    } else {
        read_staying(w);
    }
}

/* Insert all that stays, and then so many of the others that the table is at its maximum load. */
static void fill_to_the_brim(struct stable *s, struct team *team) {
    for (uint64_t i = 0; i < s->pairs; i++) {
        struct owned_key *key = &s->keys.key[2 * i];
        REQUIRE(team, insert_key(s, team, key) == GUIRA_OK, "a key at a load of 0.6 did not fit");
    }
    struct worker chance = {.random = ~team->seed};
    enum guira_status status = GUIRA_OK;
    for (uint64_t i = 0; i < 4 * s->pairs && status == GUIRA_OK; i++) {
        struct owned_key *key = &s->keys.key[2 * random_below(&chance, s->pairs) + 1];
        if (key->copies == 0) {
            status = insert_key(s, team, key);
        }
    }
    REQUIRE(team, status == GUIRA_FULL, "the table never got full");
}

static bool has_looked_beside_moves(struct stable *s) {
    return atomic_load(&s->made[ONE_BY_ONE][true]) > 0 &&
           atomic_load(&s->made[IN_BATCHES][true]) > 0;
}

/* A path has at most MAX_MOVES moves, which says how many inserts moved something at least. */
static void report(struct stable *s, struct team *team, uint64_t moves) {
    REQUIRE(team, moves > 0, "nothing moved: the run proves nothing");
    REQUIRE(team, has_looked_beside_moves(s),
            "no look-up or no batch of them was beside a move: the run proves nothing");
    (void)snprintf(
        team->remark, sizeof team->remark,
        "%" PRIu64 " inserts, %" PRIu64 " or more moved entries; look-ups: %" PRIu64
        " beside moves, %" PRIu64 " not; in batches: %" PRIu64 " and %" PRIu64,
        atomic_load(&s->inserts), (moves + MAX_MOVES - 1) / MAX_MOVES,
        atomic_load(&s->made[ONE_BY_ONE][true]), atomic_load(&s->made[ONE_BY_ONE][false]),
        atomic_load(&s->made[IN_BATCHES][true]), atomic_load(&s->made[IN_BATCHES][false]));
}

/* The keys that come and go are there about half of the time, so what is inserted in all has to
 * exceed the slots for the load to stay near the brim. */
static void run(struct team *team, unsigned writers) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    struct stable s = {.keys = oracle_create(team->filter, info.slots * 5 / 4, team->seed),
                       .writers = writers,
                       .may_count = !info.single_writer};
    team->context = &s;
    s.pairs = s.keys.keys / 2;
    fill_to_the_brim(&s, team);
    atomic_store(&s.inserts, 0);
    uint64_t before = entries_moved(team->filter);
    /* With many threads on few processors all moves of a short run may come before the look-ups. */
    for (int i = 0; i < MOST_RUNS && !has_looked_beside_moves(&s); i++) {
        team_run(team, read_or_write);
    }
    report(&s, team, entries_moved(team->filter) - before);
    oracle_compare(&s.keys, team);
    oracle_destroy(&s.keys);
    team->context = NULL;
}

void scenario_stable_keys(struct team *team) {
    run(team, (team->threads + 1) / 2);
}

void scenario_single_writer(struct team *team) {
    run(team, 1);
}
