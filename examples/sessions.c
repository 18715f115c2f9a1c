/*
 * A set of sessions that end by themselves after a number of ticks: one filter a tick.
 *
 *     sessions [THREADS] [LOGINS]
 *
 * A login goes into the filter of the current tick; a session is valid if one of the last VALID
 * filters has it. One filter more than that is kept: the one whose sessions are all over is cleared
 * and becomes the next tick's. So memory stays what it is, and no list of sessions is needed. (A
 * filter that is built anew each time can take its place by guira/seat.h; but what a seat retires
 * keeps address space, so that is for a change of options now and then and not for every tick.)
 *
 * Claimed is that a session is never refused before its end, whatever threads do at a tick, and is
 * refused afterwards but for the rate that was promised; the status is 1 if that is not so. Time
 * goes by logins here, so that a run is short.
 */
#include <math.h>
#include <stdatomic.h>

#include "threads.h"

enum { VALID = 4, FILTERS = VALID + 1, TICKS = 40 };

#define RATE 0.001 /* of each filter, so a look-up is wrong with VALID * RATE at most */

/* ---- The set --------------------------------------------------------------------------------- */

struct sessions {
    struct guira *filter[FILTERS];
    _Atomic uint64_t now; /* the tick; its sessions are in filter[now % FILTERS] */
    pthread_mutex_t ticking;
    uint64_t cleared; /* for which tick the last filter was cleared; guarded by the lock */
};

/* The filters grow, as nobody knows how many will log in during a tick. */
static void sessions_begin(struct sessions *s, uint64_t expected) {
    struct guira_options options = {
        .capacity = expected, .max_capacity = 64 * expected, .false_positive_rate = RATE};
    for (uint64_t i = 0; i < FILTERS; i++) {
        options.seed = 1 + i; /* their own, so that a wrong answer of one is not one of another */
        require_ok(guira_create(&options, &s->filter[i]), "create a filter");
    }
    require(pthread_mutex_init(&s->ticking, NULL) == 0, "make a lock");
}

static void sessions_end(struct sessions *s) {
    for (int i = 0; i < FILTERS; i++) {
        guira_destroy(s->filter[i]);
    }
    pthread_mutex_destroy(&s->ticking);
}

/* Returns in which tick the session began. If a tick went by meanwhile the filter may be an old
 * one, or about to be cleared, so the session goes into the new one as well. */
static uint64_t sessions_login(struct sessions *s, uint64_t id) {
    uint64_t tick;
    do {
        tick = atomic_load(&s->now);
        enum guira_status status = guira_insert_unique_u64(s->filter[tick % FILTERS], id);
        if (status != GUIRA_EXISTS) { /* which is as good */
            require_ok(status, "log in");
        }
    } while (tick != atomic_load(&s->now));
    return tick;
}

/* After a tick look again: who is late may have seen a filter that was cleared meanwhile, of a
 * session that was renewed in time. */
static bool sessions_has(struct sessions *s, uint64_t id) {
    uint64_t tick;
    do {
        tick = atomic_load(&s->now);
        for (uint64_t age = 0; age < VALID && age <= tick; age++) {
            if (guira_contains_u64(s->filter[(tick - age) % FILTERS], id)) {
                return true;
            }
        }
    } while (tick != atomic_load(&s->now));
    return false;
}

/* The lock is held. Nobody looks for sessions, or adds any, where it is cleared. */
static void clear_next(struct sessions *s) {
    uint64_t next = atomic_load(&s->now) + 1;
    if (s->cleared != next) {
        require_ok(guira_clear(s->filter[next % FILTERS]), "clear");
        s->cleared = next;
    }
}

/* At any time before the tick, which then takes no time. May be left out. */
static void sessions_prepare_tick(struct sessions *s) {
    pthread_mutex_lock(&s->ticking);
    clear_next(s);
    pthread_mutex_unlock(&s->ticking);
}

static void sessions_tick(struct sessions *s) {
    pthread_mutex_lock(&s->ticking);
    clear_next(s);
    atomic_store(&s->now, s->cleared);
    pthread_mutex_unlock(&s->ticking);
}

/* ---- The test of it -------------------------------------------------------------------------- */

struct client {
    struct sessions *sessions;
    _Atomic uint64_t *logins; /* of all clients */
    uint64_t a_tick;          /* so many logins are one tick */
    uint64_t number;
    uint64_t count;
    uint64_t *began; /* the tick of each of this client's sessions, by number */
    uint64_t valid;  /* look-ups of sessions that were not over afterwards */
    uint64_t refused;
    uint64_t over; /* look-ups of sessions that were over before */
    uint64_t found;
};

static uint64_t session_id(const struct client *c, uint64_t i) {
    return c->number << 40 | i;
}

static void look_up(struct client *c, uint64_t i) {
    uint64_t before = atomic_load(&c->sessions->now);
    bool found = sessions_has(c->sessions, session_id(c, i));
    uint64_t after = atomic_load(&c->sessions->now);
    if (after < c->began[i] + VALID) {
        c->valid++;
        c->refused += !found;
    } else if (before >= c->began[i] + VALID) {
        c->over++;
        c->found += found;
    }
}

/* Log in, and look up one session that began lately and one of long ago. */
static void *visit(void *context) {
    struct client *c = context;
    uint64_t random = c->number;
    uint32_t few = (uint32_t)(c->count / TICKS * VALID); /* so many begin while one is valid */
    for (uint64_t i = 0; i < c->count; i++) {
        c->began[i] = sessions_login(c->sessions, session_id(c, i));
        uint64_t logins = atomic_fetch_add(c->logins, 1) + 1;
        if (logins % c->a_tick == c->a_tick / 2) {
            sessions_prepare_tick(c->sessions);
        } else if (logins % c->a_tick == 0) {
            sessions_tick(c->sessions);
        }
        uint64_t age = next_random(&random) % (few + 1u);
        look_up(c, i - (age < i ? age : i));
        look_up(c, i / 2);
    }
    return NULL;
}

/* No more of them than chance and the promise allow: that many, and six standard deviations. */
static bool judge(const struct client *all, unsigned threads, const struct sessions *s) {
    struct client sum = {0};
    for (unsigned i = 0; i < threads; i++) {
        sum.valid += all[i].valid;
        sum.refused += all[i].refused;
        sum.over += all[i].over;
        sum.found += all[i].found;
    }
    double most = (double)sum.over * VALID * RATE;
    printf("%llu ticks; %llu look-ups of valid sessions, %llu refused\n",
           (unsigned long long)atomic_load(&s->now), (unsigned long long)sum.valid,
           (unsigned long long)sum.refused);
    printf("%llu look-ups of sessions that were over, %llu found (the rate allows %.0f)\n",
           (unsigned long long)sum.over, (unsigned long long)sum.found, most);
    return sum.refused == 0 && (double)sum.found <= most + 12 * sqrt(most) + 12;
}

int main(int argc, char **argv) {
    uint64_t threads = number_or(argv, 1, argc, 4);
    uint64_t logins = number_or(argv, 2, argc, 400000);
    if (argc > 3 || threads < 1 || threads > MOST_THREADS || logins < TICKS * threads) {
        fprintf(stderr, "usage: sessions [1..%d THREADS] [LOGINS]\n", MOST_THREADS);
        return COULD_NOT_RUN;
    }
    struct sessions sessions = {0};
    _Atomic uint64_t done = 0;
    struct client client[MOST_THREADS];
    sessions_begin(&sessions, logins / TICKS);
    for (uint64_t i = 0; i < threads; i++) {
        uint64_t count = logins / threads;
        client[i] = (struct client){.sessions = &sessions,
                                    .logins = &done,
                                    .number = i,
                                    .count = count,
                                    .a_tick = logins / TICKS,
                                    .began = calloc(count, sizeof(uint64_t))};
        require(client[i].began != NULL, "get memory");
    }
    run_threads((unsigned)threads, visit, client, sizeof *client);
    bool good = judge(client, (unsigned)threads, &sessions);
    for (uint64_t i = 0; i < threads; i++) {
        free(client[i].began);
    }
    sessions_end(&sessions);
    return good ? 0 : 1;
}
