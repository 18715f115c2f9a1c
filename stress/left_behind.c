/*
 * guira_left_behind: a call that stands still between two of its steps while the filter grows.
 *
 * At each step at which a call holds no lock, as many growths begin and end as a trial asks for,
 * and the last may be half done. In every other trial each second growth is a shrinking, so that
 * the same tables are in use again. Then the call goes on, and must answer as if it had not waited;
 * and nothing that was ever inserted may be lost. One thread does it all, so what happens is always
 * the same: the hook of the waiting call makes the calls that the others would make.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"
#include "growths.h"
#include "oracle.h"

enum {
    KEYS = 700,
    MOST_STEPS = 6,
    MOST_MORE = 6,
    PASSES = 2,
#ifdef FEWER_SEEDS
    SEEDS = 1,
#else
    SEEDS = 3,
#endif
    AT_LIMIT = 4,
    MOST_TRIES = 1000
};

/* A call on a key that is there so often, what it must answer, and how many copies that leaves. */
struct trial {
    enum call call;
    unsigned before;
    unsigned answer;
    unsigned after;
};

static const struct trial trials[] = {
    {CALL_CONTAINS, 0, false, 0},
    {CALL_CONTAINS, 1, true, 1},
    {CALL_COUNT, 2, 2, 2},
    {CALL_INSERT, 0, GUIRA_OK, 1},
    {CALL_INSERT, AT_LIMIT - 1, GUIRA_OK, AT_LIMIT},
    {CALL_INSERT, AT_LIMIT, GUIRA_LIMIT, AT_LIMIT},
    {CALL_INSERT_UNIQUE, 0, GUIRA_OK, 1},
    {CALL_INSERT_UNIQUE, 1, GUIRA_EXISTS, 1},
    {CALL_REMOVE, 0, GUIRA_NOT_FOUND, 0},
    {CALL_REMOVE, 1, GUIRA_OK, 0},
    {CALL_REMOVE, AT_LIMIT, GUIRA_OK, AT_LIMIT - 1},
};

/* Not so small that equal keys and few others leave no room for a copy more. */
static const struct guira_options tables[] = {
    {.buckets = 9, .tag_bits = 32, .window = 2, .stripes = 1, .max_capacity = 400},
    {.buckets = 16, .tag_bits = 32, .window = 2, .stripes = 8, .max_capacity = 400},
};

/* Where a call may stand still, as no lock is held there. */
static const enum hook points[] = {HOOK_VIEW_READ, HOOK_COUNTERS_READ, HOOK_HOME_READ,
                                   HOOK_WORDS_READ, HOOK_SLOT_CHOSEN};

enum {
    TRIALS = sizeof trials / sizeof trials[0],
    TABLES = sizeof tables / sizeof tables[0],
    POINTS = sizeof points / sizeof points[0]
};

static struct team team = {.scenario = "left behind"};
static struct oracle oracle;
static struct owned_key **order; /* the first key is the trial's, the others fill the filter */
static uint64_t filled;          /* so many of the others are there */
static int stop_at = -1;         /* the point to stand still at; -1: at none */
static unsigned passes_left;     /* before that */
static uint64_t steps;           /* of the view that pass meanwhile */
static uint64_t more;            /* inserts after those */
static bool to_and_fro;          /* the steps go up a level and down again, else always up */
static uint64_t stopped[HOOK_KINDS];

/* The next of the others, which may not fit beside many copies of the trial's key. */
static bool insert_another(void) {
    if (1 + filled == oracle.keys) {
        return false;
    }
    struct owned_key *key = order[1 + filled++];
    key->copies = guira_insert_uniform(team.filter, key->hash) == GUIRA_OK;
    return true;
}

static void let_steps_pass(uint64_t number) {
    struct guira_info info;
    (void)guira_get_info(team.filter, &info);
    uint64_t last = 2 * (uint64_t)info.sizing.doublings;
    uint64_t end = step_now(team.filter) + number;
    end = end < last ? end : last;
    while (step_now(team.filter) < end && insert_another()) {
        /* each insert empties buckets, or fills what will be too small */
    }
}

/* A change that finds nothing, but does its share of the work. */
static void change_nothing(void) {
    const struct owned_key *absent = order[oracle.keys - 1];
    enum guira_status status = guira_remove_uniform(team.filter, absent->hash);
    REQUIRE(&team, status == GUIRA_NOT_FOUND, "remove of an absent key: %s",
            guira_status_text(status));
}

/* Up from even levels, so that the same two tables are used again and again. */
static void go_up_or_down(void) {
    const struct growth *g = team.filter->growth;
    uint32_t level = view_to(word_load(g->tables.view, memory_order_relaxed));
    enum guira_status status = level % 2 == 0
                                   ? guira_reserve(team.filter, g->limits[level].crowded_from + 1)
                                   : guira_shrink(team.filter);
    REQUIRE(&team, status == GUIRA_OK, "up or down: %s", guira_status_text(status));
}

static void let_steps_to_and_fro_pass(uint64_t number) {
    uint64_t end = step_now(team.filter) + number;
    for (unsigned tries = 0; tries < MOST_TRIES && step_now(team.filter) < end; tries++) {
        if (step_now(team.filter) % 2 == 0) {
            go_up_or_down();
        } else {
            change_nothing();
        }
    }
}

void guira__hook(enum hook point) {
    if ((int)point != stop_at || passes_left-- > 0) {
        return;
    }
    stop_at = -1;
    stopped[point]++;
    if (to_and_fro) {
        let_steps_to_and_fro_pass(steps);
    } else {
        let_steps_pass(steps);
    }
    for (uint64_t i = 0; i < more && insert_another(); i++) {
    }
}

/* A small filter that holds the trial's key so often and is at a step. */
static bool begin(const struct guira_options *options, uint64_t first_step, unsigned copies) {
    if (guira_create(options, &team.filter) != GUIRA_OK) {
        violation(&team, "cannot create");
        return false;
    }
    for (; filled > 0; filled--) {
        order[filled]->copies = 0;
    }
    order[0]->copies = 0;
    for (unsigned i = 0; i < copies; i++) {
        order[0]->copies += guira_insert_uniform(team.filter, order[0]->hash) == GUIRA_OK;
    }
    let_steps_pass(first_step);
    return true;
}

static void run(const struct guira_options *options, uint64_t first_step, const struct trial *t,
                enum hook point, unsigned pass) {
    if (!begin(options, first_step, t->before)) {
        return;
    }
    stop_at = (int)point;
    passes_left = pass;
    unsigned answer = call_one(team.filter, t->call, order[0]->hash);
    stop_at = -1;
    /* The last slot of many copies may be held by what has no other slot. */
    bool full = answer == GUIRA_FULL && t->call == CALL_INSERT && t->after == AT_LIMIT;
    REQUIRE(&team, answer == t->answer || full,
            "%s at %u copies: %u, not %u, left behind at hook %d by %" PRIu64 " steps and %" PRIu64
            " inserts from step %" PRIu64,
            call_name(t->call), t->before, answer, t->answer, (int)point, steps, more, first_step);
    order[0]->copies = full ? t->before : t->after;
    let_steps_pass(2); /* what was left in a table that is emptied is lost now */
    oracle_compare(&oracle, &team);
    guira_destroy(team.filter);
}

/* All ways of being left behind with this table and keys. */
static void run_all(const struct guira_options *options) {
    for (uint64_t first_step = 0; first_step < 3; first_step++) {
        for (steps = 1; steps <= MOST_STEPS; steps++) {
            for (more = 0; more <= MOST_MORE; more += 3) {
                for (unsigned i = 0; i < TRIALS * POINTS * PASSES; i++) {
                    to_and_fro = !to_and_fro; /* of the trials there is an odd number */
                    run(options, first_step, &trials[i % TRIALS], points[i / TRIALS % POINTS],
                        i / TRIALS / POINTS);
                }
            }
        }
    }
}

static bool run_with_seed(struct guira_options options, uint64_t seed) {
    options.seed = seed;
    if (guira_create(&options, &team.filter) != GUIRA_OK) {
        return false;
    }
    oracle = oracle_create(team.filter, KEYS, seed);
    order = oracle_shuffled(&oracle, seed);
    guira_destroy(team.filter);
    run_all(&options);
    free(order);
    oracle_destroy(&oracle);
    return true;
}

int main(void) {
    team.table = "a table that grows";
    for (size_t i = 0; i < TABLES; i++) {
        for (uint64_t seed = 1; seed <= SEEDS && atomic_load(&team.violations) == 0; seed++) {
            if (!run_with_seed(tables[i], seed)) {
                return 2;
            }
        }
    }
    uint64_t all = 0;
    for (size_t i = 0; i < POINTS; i++) {
        (void)printf("left behind at hook %d: %" PRIu64 " calls\n", (int)points[i],
                     stopped[points[i]]);
        REQUIRE(&team, stopped[points[i]] > 0, "no call was: the run proves little");
        all += stopped[points[i]];
    }
    uint64_t violations = atomic_load(&team.violations);
    (void)printf("%s: %" PRIu64 " calls, %" PRIu64 " violations\n",
                 violations == 0 ? "PASS" : "FAIL", all, violations);
    return violations == 0 ? 0 : 1;
}
