/*
 * Verifies insert_unique between threads: of eight threads that insert one absent key exactly one
 * hears OK, also while others move entries about and fill the slots of the key, with any stripes.
 */
#include "elements.h"
#include "test.h"
#include "threads.h"

enum { RACERS = 8, KEYS = 200, MOVERS = 2, CHURNED = 150 };

struct race {
    struct guira *filter;
    const uint64_t *hashes; /* KEYS raced for, then CHURNED a mover */
    atomic_uint won[KEYS];  /* who heard OK */
    atomic_uint full[KEYS]; /* or FULL */
    atomic_uint wrong;      /* other answers that cannot be */
    atomic_uint racing;
    pthread_barrier_t start; /* of each batch of keys */
};

enum { BATCH = 20 };

static void *race_for_keys(void *context) {
    struct race *r = context;
    for (int i = 0; i < KEYS; i++) {
        if (i % BATCH == 0) {
            (void)pthread_barrier_wait(&r->start);
        }
        enum guira_status status = guira_insert_unique_uniform(r->filter, r->hashes[i]);
        (void)atomic_fetch_add(&r->won[i], status == GUIRA_OK);
        (void)atomic_fetch_add(&r->full[i], status == GUIRA_FULL);
        bool there = status == GUIRA_OK || status == GUIRA_EXISTS;
        bool seen = guira_contains_uniform(r->filter, r->hashes[i]);
        (void)atomic_fetch_add(&r->wrong, there ? !seen : status != GUIRA_FULL);
    }
    (void)atomic_fetch_sub(&r->racing, 1);
    return NULL;
}

struct mover {
    struct race *race;
    const uint64_t *own;
};

/* Inserts and removes keys of its own near the brim, so that entries move all the time. */
static void *move_entries(void *context) {
    const struct mover *m = context;
    bool in[CHURNED] = {false};
    for (uint64_t i = 0; atomic_load(&m->race->racing) > 0; i++) {
        uint64_t k = scrambled(i) % CHURNED;
        enum guira_status status = in[k] ? guira_remove_uniform(m->race->filter, m->own[k])
                                         : guira_insert_uniform(m->race->filter, m->own[k]);
        (void)atomic_fetch_add(&m->race->wrong, in[k] && status != GUIRA_OK);
        in[k] = in[k] ? false : status == GUIRA_OK;
    }
    return NULL;
}

static void run_race(struct race *r, unsigned movers) {
    struct crew crew;
    struct mover mover[MOVERS];
    atomic_store(&r->racing, RACERS);
    assert_int_equal(pthread_barrier_init(&r->start, NULL, RACERS), 0);
    crew_begin(&crew, RACERS + movers);
    for (int i = 0; i < RACERS; i++) {
        crew_hire(&crew, race_for_keys, r);
    }
    for (unsigned i = 0; i < movers; i++) {
        mover[i] = (struct mover){r, r->hashes + KEYS + (size_t)i * CHURNED};
        crew_hire(&crew, move_entries, &mover[i]);
    }
    crew_end(&crew);
    (void)pthread_barrier_destroy(&r->start);
}

static void require_one_winner(const struct race *r) {
    assert_int_equal(r->wrong, 0);
    for (int i = 0; i < KEYS; i++) {
        unsigned count = guira_count_uniform(r->filter, r->hashes[i]);
        require(count == r->won[i] && (count == 1 || (count == 0 && r->full[i] == RACERS)),
                "key %d: %u won, %u heard FULL, %u copies", i, r->won[i], r->full[i], count);
    }
}

static void race(uint64_t buckets, uint32_t tag_bits, uint32_t window, uint32_t stripes,
                 unsigned movers) {
    uint64_t rounds = scaled(40);
    for (uint64_t round = 0; round < rounds; round++) {
        struct race r = {
            .filter = filter_with((struct guira_options){
                .buckets = buckets, .tag_bits = tag_bits, .window = window, .stripes = stripes})};
        uint64_t *hashes = distinct_hashes(r.filter, KEYS + MOVERS * CHURNED, round);
        r.hashes = hashes;
        run_race(&r, movers);
        require_one_winner(&r);
        require_sound(r.filter);
        free(hashes);
        guira_destroy(r.filter);
    }
}

static void exactly_one_of_eight_threads_wins_a_key(void **state) {
    (void)state;
    race(4000, 12, 2, 0, 0);
    race(4000, 16, 4, 64, 0);
}

static void exactly_one_wins_while_entries_move(void **state) {
    (void)state;
    race(80, 12, 2, 0, MOVERS); /* 400 slots for 200 keys and 300 that come and go */
    race(80, 12, 2, 80, MOVERS);
    race(80, 12, 2, 2, MOVERS);
    race(50, 8, 8, 50, MOVERS);
}

static void exactly_one_wins_in_a_table_that_gets_full(void **state) {
    (void)state;
    race(36, 12, 2, 36, 0); /* 180 slots for 200 keys */
    race(48, 16, 4, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_one_of_eight_threads_wins_a_key),
        cmocka_unit_test(exactly_one_wins_while_entries_move),
        cmocka_unit_test(exactly_one_wins_in_a_table_that_gets_full),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
