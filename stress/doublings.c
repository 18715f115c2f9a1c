/*
 * Scenarios on a filter that begins small and grows while all threads use it.
 *
 * Writers insert keys, each its own, most of which stay; readers look up keys that stay and are in.
 * Look-ups are told apart by whether a growth was under way meanwhile or not; there must be some
 * beside one, or a run proves nothing. So many keys come as the filter promises room for, so none
 * may be refused; but for one scenario, in which others hold as many copies of one key as there may
 * be. A key that shares both windows with that one has no room, nor has the growth an end, until
 * they take copies away, as they do then.
 */
#define _POSIX_C_SOURCE 200809L /* sched_yield */

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>

#include "growths.h"
#include "oracle.h"
#include "scenario.h"

enum {
    ONE_IN_LEAVES = 4, /* of a writer's keys, after so many more as: */
    INSERTS_BEFORE_LEAVING = 9,
    ONE_IN_WISHES = 32,   /* inserts */
    ONE_IN_YIELDS = 32,   /* inserts */
    ONE_IN_UNIQUE = 2,    /* inserts */
    ONE_IN_COUNTS = 16,   /* look-ups, by count */
    MOST_TRIES = 1 << 20, /* to insert a key, while the racers take copies away */
    MOST_IN_BATCH = 40,
    CHANGES_TO_THE_END = 1 << 22 /* more than there are buckets in any table */
};

struct doublings {
    struct oracle keys;
    struct owned_key **key; /* writer i of n has every n-th; the first is the racers' */
    unsigned writers;
    bool wishes; /* the writers also call guira_reserve and guira_shrink */
    bool races;  /* the others insert and remove the first key, instead of looking up */
    unsigned most_copies;
    _Atomic unsigned started;
    _Atomic unsigned writing;
    _Atomic unsigned refused; /* writers that have found no room, and wait for the racers */
    _Atomic uint64_t there[MAX_THREADS]; /* so many keys of a writer were inserted */
    _Atomic int64_t copies;              /* of the first key, by the answers */
};

static struct owned_key *key_of(const struct doublings *d, unsigned writer, uint64_t number) {
    return d->key[1 + number * d->writers + writer];
}

static bool leaves(uint64_t number) {
    return number % ONE_IN_LEAVES == 0;
}

/* ---- Writers -------------------------------------------------------------------------------- */

static enum guira_status insert_either_way(struct worker *w, uint64_t hash) {
    struct guira *f = w->team->filter;
    return random_below(w, ONE_IN_UNIQUE) == 0 ? guira_insert_unique_uniform(f, hash)
                                               : guira_insert_uniform(f, hash);
}

static enum guira_status insert_after_removes(struct worker *w, struct doublings *d,
                                              uint64_t hash) {
    enum guira_status status = GUIRA_FULL;
    atomic_fetch_add(&d->refused, 1);
    for (unsigned tries = 0; tries < MOST_TRIES && status == GUIRA_FULL; tries++) {
        (void)sched_yield(); /* to the racers */
        status = insert_either_way(w, hash);
    }
    atomic_fetch_sub(&d->refused, 1);
    return status;
}

static void insert_key(struct worker *w, struct doublings *d, struct owned_key *key) {
    enum guira_status status = insert_either_way(w, key->hash);
    if (status == GUIRA_FULL && d->races) {
        status = insert_after_removes(w, d, key->hash);
    }
    REQUIRE(w->team, status == GUIRA_OK, "insert of a new key: %s", guira_status_text(status));
    key->copies = status == GUIRA_OK;
}

static void remove_key(struct worker *w, struct owned_key *key) {
    if (key->copies > 0) {
        enum guira_status status = guira_remove_uniform(w->team->filter, key->hash);
        REQUIRE(w->team, status == GUIRA_OK, "remove: %s", guira_status_text(status));
        key->copies -= status == GUIRA_OK;
    }
}

/* For a larger table, or for a smaller one. */
static void wish(struct worker *w) {
    struct guira *f = w->team->filter;
    uint64_t items = random_below(w, guira_capacity(f) + 1);
    enum guira_status status = random_below(w, 2) == 0 ? guira_reserve(f, items) : guira_shrink(f);
    REQUIRE(w->team, status == GUIRA_OK, "reserve or shrink: %s", guira_status_text(status));
}

static void write_keys(struct worker *w, struct doublings *d, unsigned writer) {
    uint64_t mine = (d->keys.keys - 1) / d->writers;
    for (uint64_t i = 0; i < mine; i++) {
        (void)go_on(w, "inserting keys");
        if (d->wishes && random_below(w, ONE_IN_WISHES) == 0) {
            wish(w);
        }
        if (random_below(w, ONE_IN_YIELDS) == 0) {
            (void)sched_yield(); /* with many threads on few processors, all take part */
        }
        insert_key(w, d, key_of(d, writer, i));
        atomic_store_explicit(&d->there[writer], i + 1, memory_order_release);
        if (i >= INSERTS_BEFORE_LEAVING && leaves(i - INSERTS_BEFORE_LEAVING)) {
            remove_key(w, key_of(d, writer, i - INSERTS_BEFORE_LEAVING));
        }
    }
    atomic_fetch_sub(&d->writing, 1);
}

/* ---- Readers -------------------------------------------------------------------------------- */

/* A key that stays; NULL if the chosen writer has inserted none as yet. */
static const struct owned_key *staying_key(struct worker *w, struct doublings *d) {
    unsigned writer = (unsigned)random_below(w, d->writers);
    uint64_t there = atomic_load_explicit(&d->there[writer], memory_order_acquire);
    uint64_t number = there == 0 ? 0 : random_below(w, there);
    return leaves(number) ? NULL : key_of(d, writer, number);
}

static uint64_t misses_in_batch(struct worker *w, const uint64_t *hash, uint64_t size) {
    bool found[MOST_IN_BATCH] = {false};
    (void)guira_contains_batch(w->team->filter, guira_keys_uniform(hash, size), found);
    uint64_t missed = 0;
    for (uint64_t i = 0; i < size; i++) {
        missed += !found[i];
    }
    return missed;
}

static uint64_t misses_one_by_one(struct worker *w, const uint64_t *hash, uint64_t size) {
    uint64_t missed = 0;
    for (uint64_t i = 0; i < size; i++) {
        missed += random_below(w, ONE_IN_COUNTS) == 0
                      ? guira_count_uniform(w->team->filter, hash[i]) != 1
                      : !guira_contains_uniform(w->team->filter, hash[i]);
    }
    return missed;
}

/* Until the last writer is done. */
static void read_keys(struct worker *w, struct doublings *d) {
    while (atomic_load(&d->writing) > 0) {
        (void)go_on(w, "looking up keys that stay");
        (void)sched_yield(); /* to the writers */
        uint64_t hash[MOST_IN_BATCH] = {0};
        uint64_t size = 0;
        uint64_t wanted = 1 + random_below(w, MOST_IN_BATCH);
        for (uint64_t i = 0; i < wanted; i++) {
            const struct owned_key *key = staying_key(w, d);
            if (key != NULL) {
                hash[size++] = key->hash;
            }
        }
        uint64_t step = step_now(w->team->filter);
        uint64_t missed = random_below(w, 2) == 0 ? misses_in_batch(w, hash, size)
                                                  : misses_one_by_one(w, hash, size);
        bool beside = beside_growth(step, step_now(w->team->filter));
        atomic_fetch_add(&w->team->look_ups[beside], size);
        REQUIRE(w->team, missed == 0, "%" PRIu64 " of %" PRIu64 " look-ups missed their key %s",
                missed, size, beside ? "beside a growth" : "with none under way");
    }
}

/* ---- Racers --------------------------------------------------------------------------------- */

/* All have the same key, of which there must never be more copies than one table has slots for. */
static void race(struct worker *w, struct doublings *d) {
    struct guira *f = w->team->filter;
    uint64_t hash = d->key[0]->hash;
    while (atomic_load(&d->writing) > 0 && go_on(w, "racing")) {
        (void)sched_yield(); /* to the writers */
        uint64_t step = step_now(f);
        enum guira_status status = GUIRA_OK;
        switch (atomic_load(&d->refused) > 0 ? 0 : random_below(w, 8)) {
        case 0:
            status = guira_remove_uniform(f, hash);
            atomic_fetch_sub(&d->copies, status == GUIRA_OK);
            break;
        case 1:
            status = guira_insert_unique_uniform(f, hash);
            atomic_fetch_add(&d->copies, status == GUIRA_OK);
            break;
        default:
            status = guira_insert_uniform(f, hash);
            atomic_fetch_add(&d->copies, status == GUIRA_OK);
        }
        unsigned copies = guira_count_uniform(f, hash);
        REQUIRE(w->team, copies <= d->most_copies, "%u copies, and %u may be", copies,
                d->most_copies);
        atomic_fetch_add(&w->team->look_ups[beside_growth(step, step_now(f))], 1);
    }
}

/* ---- The scenarios -------------------------------------------------------------------------- */

static void wait_for_all(struct worker *w, struct doublings *d) {
    atomic_fetch_add(&d->started, 1);
    while (atomic_load(&d->started) < w->team->threads) {
        (void)sched_yield();
    }
}

static void work(struct worker *w) {
    struct doublings *d = w->team->context;
    wait_for_all(w, d);
    if (w->index % 2 == 0) {
        write_keys(w, d, w->index / 2);
    } else if (d->races) {
        race(w, d);
    } else {
        read_keys(w, d);
    }
}

/* Changes that find nothing, which do their share of the work, must bring the largest table. */
static void grow_to_the_end(struct team *team, const struct doublings *d) {
    enum guira_status status = guira_reserve(team->filter, guira_capacity(team->filter));
    REQUIRE(team, status == GUIRA_OK, "reserve: %s", guira_status_text(status));
    const struct owned_key *absent = key_of(d, 0, 0);
    for (uint64_t i = 0; i < CHANGES_TO_THE_END && !has_grown_up(team->filter); i++) {
        status = guira_remove_uniform(team->filter, absent->hash);
        REQUIRE(team, status == GUIRA_NOT_FOUND, "remove of an absent key: %s",
                guira_status_text(status));
    }
    REQUIRE(team, has_grown_up(team->filter), "the growth that was asked for has not ended");
}

static void run(struct team *team, struct doublings *d) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    d->keys = oracle_create(team->filter, info.sizing.capacity, team->seed);
    d->key = oracle_shuffled(&d->keys, team->seed);
    d->writers = (team->threads + 1) / 2;
    d->most_copies = 2 * info.sizing.window;
    atomic_store(&d->writing, d->writers);
    team->context = d;
    team_run_to_end(team, work);
    d->key[0]->copies = (unsigned)atomic_load(&d->copies);
    oracle_compare(&d->keys, team);
    if (d->wishes) {
        grow_to_the_end(team, d);
        oracle_compare(&d->keys, team);
    }
    free(d->key);
    oracle_destroy(&d->keys);
    team->context = NULL;
}

void scenario_growing_keys(struct team *team) {
    struct doublings d = {.wishes = false};
    run(team, &d);
}

void scenario_growing_limit(struct team *team) {
    struct doublings d = {.races = true};
    run(team, &d);
}

void scenario_wishes(struct team *team) {
    struct doublings d = {.wishes = true};
    run(team, &d);
}
