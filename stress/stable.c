/*
 * Keys that stay are never missed while others come and go around them.
 *
 * Look-ups are told apart by whether inserts moved entries meanwhile, and there must be some beside
 * moves: with nothing moving a reader cannot lose sight of a key, and the run would prove nothing.
 * Moves are counted when their insert ends, so one that began before and ends after a batch of
 * look-ups is not seen: "nothing moved" means that no move ended meanwhile.
 */
#include <inttypes.h>
#include <stdio.h>

#include "oracle.h"
#include "protocol.h"
#include "scenario.h"

enum {
    LOOK_UPS_A_BATCH = 32, /* between two questions how many entries were moved */
    LOOK_UPS_A_COUNT = 64,
    MOST_RUNS = 20
};

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
    _Atomic uint64_t made[2]; /* look-ups with nothing moved meanwhile, and beside moves */
};

static void look_up(struct worker *w, struct stable *s, struct tally *batch) {
    const struct owned_key *key = &s->keys.key[2 * random_below(w, s->pairs)];
    batch->made++;
    batch->missed += !guira_contains_uniform(w->team->filter, key->hash);
    if (s->may_count && random_below(w, LOOK_UPS_A_COUNT) == 0) {
        unsigned copies = guira_count_uniform(w->team->filter, key->hash);
        REQUIRE(w->team, copies == 1, "a key that stays is there %u times", copies);
    }
}

static void end_batch(struct worker *w, struct stable *s, const struct tally *batch, bool moved) {
    atomic_fetch_add(&s->made[moved], batch->made);
    REQUIRE(w->team, batch->missed == 0, "%" PRIu64 " of %" PRIu64 " look-ups %s missed their key",
            batch->missed, batch->made, moved ? "beside moves" : "with nothing moved");
}

static void read_staying(struct worker *w) {
    struct stable *s = w->team->context;
    uint64_t before = entries_moved(w->team->filter);
    struct tally batch = {0};
    bool more = true;
    while (more) {
        more = go_on(w, "looking up a key that stays");
        look_up(w, s, &batch);
        if (batch.made == LOOK_UPS_A_BATCH || !more) {
            uint64_t after = entries_moved(w->team->filter);
            end_batch(w, s, &batch, after > before);
            batch = (struct tally){0};
            before = after;
        }
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

/* A path has at most MAX_MOVES moves, which says how many inserts moved something at least. */
static void report(struct stable *s, struct team *team, uint64_t moves) {
    uint64_t quiet = atomic_load(&s->made[false]);
    uint64_t beside = atomic_load(&s->made[true]);
    REQUIRE(team, moves > 0, "nothing moved: the run proves nothing");
    REQUIRE(team, beside > 0, "no look-up was beside a move: the run proves nothing");
    (void)snprintf(team->remark, sizeof team->remark,
                   "%" PRIu64 " inserts, %" PRIu64 " or more moved entries; look-ups: %" PRIu64
                   " beside moves, %" PRIu64 " not",
                   atomic_load(&s->inserts), (moves + MAX_MOVES - 1) / MAX_MOVES, beside, quiet);
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
    for (int i = 0; i < MOST_RUNS && atomic_load(&s.made[true]) == 0; i++) {
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
