/*
 * Clones of a filter at its maximum load that all other threads write to, and filters that it is
 * merged into: each must be the filter at one instant.
 *
 * What tells: a writer has tokens, which it goes through in a circle, and inserts the next one
 * before it removes the last one. So at every instant one or two of them are there, neighbours in
 * the circle; and a table put together from two instants has none, or two that are apart, as soon
 * as the writer has gone on between them by some steps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "growths.h"
#include "oracle.h"
#include "scenario.h"

enum {
    TOKENS = 8,
    KEYS_PER_TOKEN = 8,   /* so that tokens are few among all keys */
    CLONES_PER_MERGE = 4, /* which takes long at this load */
    MOST_RUNS = 100
};

struct snapshots {
    struct oracle keys;
    struct owned_key **shuffled; /* tokens, a writer's together; then keys that stay and others */
    uint64_t token_writers;      /* of so many writers there are tokens; the rest churn only */
    uint64_t writers;
    uint64_t first_staying;
    uint64_t first_churned;
    unsigned at[MAX_THREADS];     /* the token that is in; its writer's own */
    struct guira_options options; /* of filters to merge into */
    uint64_t clones;
    uint64_t merges;
    uint64_t refused;   /* merges that found no room */
    uint64_t last;      /* the mark of the clone before */
    uint64_t differing; /* from it, in the tokens that are there */
};

static struct owned_key *token_of(const struct snapshots *s, uint64_t writer, unsigned token) {
    return s->shuffled[writer * TOKENS + token % TOKENS];
}

/* ---- Writers -------------------------------------------------------------------------------- */

static bool insert_key(struct team *team, struct owned_key *key) {
    enum guira_status status = guira_insert_uniform(team->filter, key->hash);
    REQUIRE(team, status == GUIRA_OK || status == GUIRA_FULL, "insert: %s",
            guira_status_text(status));
    key->copies += status == GUIRA_OK;
    return status == GUIRA_OK;
}

static void remove_key(struct team *team, struct owned_key *key) {
    enum guira_status status = guira_remove_uniform(team->filter, key->hash);
    REQUIRE(team, status == GUIRA_OK, "remove: %s", guira_status_text(status));
    key->copies -= status == GUIRA_OK;
}

static void pass_token_on(struct team *team, struct snapshots *s, uint64_t writer) {
    unsigned at = s->at[writer];
    if (insert_key(team, token_of(s, writer, at + 1))) {
        remove_key(team, token_of(s, writer, at));
        s->at[writer] = (at + 1) % TOKENS;
    }
}

/* Writer i of n has every n-th of the keys that come and go. */
static void churn(struct worker *w, struct snapshots *s, uint64_t writer) {
    uint64_t mine = (s->keys.keys - s->first_churned) / s->writers;
    if (mine > 0) {
        uint64_t number = random_below(w, mine) * s->writers + writer;
        struct owned_key *key = s->shuffled[s->first_churned + number];
        if (key->copies > 0) {
            remove_key(w->team, key);
        } else {
            (void)insert_key(w->team, key);
        }
    }
}

/* ---- Clones --------------------------------------------------------------------------------- */

static bool add_copies(void *context, uint64_t element, unsigned multiplicity) {
    uint64_t *sum = context;
    (void)element;
    *sum += multiplicity;
    return true;
}

/* Adds what it sees to a mark, which tells clones apart. */
static void judge_tokens(struct team *team, const struct snapshots *s, const struct guira *clone,
                         uint64_t *mark) {
    for (uint64_t writer = 0; writer < s->token_writers; writer++) {
        bool there[TOKENS];
        unsigned tokens = 0;
        unsigned neighbours = 0;
        for (unsigned i = 0; i < TOKENS; i++) {
            there[i] = guira_contains_uniform(clone, token_of(s, writer, i)->hash);
            tokens += there[i];
            *mark = 31 * *mark + there[i];
        }
        for (unsigned i = 0; i < TOKENS; i++) {
            neighbours += there[i] && there[(i + 1) % TOKENS];
        }
        REQUIRE(team, tokens == 1 || (tokens == 2 && neighbours == 1),
                "a clone has %u tokens of a writer, %u of them neighbours", tokens, neighbours);
    }
}

static void judge_clone(struct team *team, struct snapshots *s, const struct guira *clone,
                        uint64_t *mark) {
    unsigned broken = 0;
    REQUIRE(team, guira_check(clone, &broken) == GUIRA_OK, "invariant %u of a clone is broken",
            broken);
    uint64_t sum = 0;
    (void)guira_visit(clone, add_copies, &sum);
    REQUIRE(team, sum == guira_size(clone), "%" PRIu64 " entries in a clone of size %" PRIu64, sum,
            guira_size(clone));
    for (uint64_t i = s->first_staying; i < s->first_churned; i++) {
        REQUIRE(team, guira_contains_uniform(clone, s->shuffled[i]->hash),
                "a clone misses a key that stays");
    }
    judge_tokens(team, s, clone, mark);
}

/* NULL if that fails. */
static struct guira *clone_of(struct team *team) {
    struct guira *clone = NULL;
    enum guira_status status = guira_clone(team->filter, &clone);
    REQUIRE(team, status == GUIRA_OK, "clone: %s", guira_status_text(status));
    return clone;
}

/* All that is in the filter, merged into an empty one; NULL if there was no room, which in another
 * order there may not be. */
static struct guira *merged(struct team *team, struct snapshots *s) {
    struct guira *into = NULL;
    enum guira_status status = guira_create(&s->options, &into);
    REQUIRE(team, status == GUIRA_OK, "create: %s", guira_status_text(status));
    if (status != GUIRA_OK) {
        return NULL;
    }
    status = guira_merge(into, team->filter);
    s->merges += status == GUIRA_OK;
    s->refused += status == GUIRA_FULL;
    REQUIRE(team, status == GUIRA_OK || (status == GUIRA_FULL && guira_size(into) == 0),
            "merge: %s, %" PRIu64 " entries", guira_status_text(status), guira_size(into));
    if (status != GUIRA_OK) {
        guira_destroy(into);
        return NULL;
    }
    return into;
}

/* In turn, and not at random, as on a slow machine a run may have time for one alone. */
static void make_clones(struct worker *w, struct snapshots *s) {
    while (go_on(w, "cloning")) {
        uint64_t made = s->clones + s->merges + s->refused;
        bool merge = made % (CLONES_PER_MERGE + 1) == CLONES_PER_MERGE;
        struct guira *clone = merge ? merged(w->team, s) : clone_of(w->team);
        if (clone != NULL) {
            uint64_t mark = 0;
            judge_clone(w->team, s, clone, &mark);
            guira_destroy(clone);
            s->differing += s->clones > 0 && mark != s->last;
            s->clones += !merge;
            s->last = mark;
        }
    }
}

/* ---- The scenario --------------------------------------------------------------------------- */

static void work(struct worker *w) {
    struct snapshots *s = w->team->context;
    if (w->index == 0) {
        make_clones(w, s);
        return;
    }
    uint64_t writer = w->index - 1;
    while (go_on(w, "churning")) {
        if (writer < s->token_writers) {
            pass_token_on(w->team, s, writer);
        }
        churn(w, s, writer);
    }
}

/* One token each, all that stays, and, if it does not grow, of the others as many as there is room
 * for. */
static void fill(struct team *team, struct snapshots *s, bool grows) {
    for (uint64_t writer = 0; writer < s->token_writers; writer++) {
        REQUIRE(team, insert_key(team, token_of(s, writer, 0)), "no room for a token");
    }
    for (uint64_t i = s->first_staying; i < s->first_churned; i++) {
        REQUIRE(team, insert_key(team, s->shuffled[i]), "a key at a load of 0.6 did not fit");
    }
    uint64_t i = s->first_churned;
    while (!grows && i < s->keys.keys && insert_key(team, s->shuffled[i])) {
        i++;
    }
    REQUIRE(team, i < s->keys.keys, "the table never got full");
}

void scenario_snapshots(struct team *team) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    uint64_t keys = most_slots(team->filter) * 5 / 4;
    bool grows = team->options.max_capacity > 0;
    struct snapshots s = {.keys = oracle_create(team->filter, keys, team->seed),
                          .writers = team->threads - 1,
                          .options = team->options};
    uint64_t most = s.keys.keys / ((uint64_t)TOKENS * KEYS_PER_TOKEN);
    s.token_writers = s.writers < most ? s.writers : most;
    s.first_staying = s.token_writers * TOKENS;
    s.first_churned = s.first_staying + (s.keys.keys - s.first_staying) / 2;
    if (grows) { /* while it is cloned, so it begins with little */
        s.first_churned = s.first_staying + info.slots / 4;
    }
    s.shuffled = oracle_shuffled(&s.keys, team->seed);
    team->context = &s;
    fill(team, &s, grows);
    uint64_t before = entries_moved(team->filter);
    for (int i = 0; i < MOST_RUNS && s.differing == 0; i++) {
        team_run(team, work);
    }
    uint64_t moves = entries_moved(team->filter) - before;
    REQUIRE(team, s.differing > 0 && (moves > 0 || grows),
            "no clone differs, or nothing moved: the run proves little");
    (void)snprintf(team->remark, sizeof team->remark,
                   "%" PRIu64 " clones, %" PRIu64 " merges, %" PRIu64 " without room, %" PRIu64
                   " differ from the one before; %" PRIu64 " moves meanwhile",
                   s.clones, s.merges, s.refused, s.differing, moves);
    oracle_compare(&s.keys, team);
    free(s.shuffled);
    oracle_destroy(&s.keys);
    team->context = NULL;
}
