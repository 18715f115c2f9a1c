/*
 * guira_stalled: a writer stopped for long, at every step between lock and unlock.
 *
 * While it holds its locks, half way through a move, say, readers must answer rightly and without
 * waiting, and writers of other stripes must get on. That no reader waits is seen exactly: none has
 * to look again, since nothing changes. How fast they are beside the stalled writer is measured
 * against the same look-ups without one, in alternation, and printed.
 *
 *     guira_stalled [--seed N] [--rounds R]
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "filter.h"
#include "oracle.h"

enum { MOST_ROUNDS = 101 };

static struct {
    sem_t stalled;  /* posted by the writer when it stops */
    sem_t released; /* posted to let it go on */
} gate;

static _Thread_local int stall_at = -1; /* the hook at which this thread stops once; -1: at none */

void guira__hook(enum hook point) {
    if ((int)point == stall_at) {
        stall_at = -1;
        (void)sem_post(&gate.stalled);
        while (sem_wait(&gate.released) != 0) {
            /* interrupted by a signal */
        }
    }
}

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct scene {
    struct team team;
    struct oracle oracle; /* the first half of the keys stays, the writer has the last eighth */
    enum hook point;
    uint64_t mine; /* the first key of the writer */
};

/* Insert and remove keys at random until the hook is passed and the pause there is over. */
static void *write_and_stall(void *argument) {
    struct scene *s = argument;
    struct worker chance = {.random = s->team.seed++};
    stall_at = (int)s->point;
    while (stall_at >= 0) {
        uint64_t number = s->mine + random_below(&chance, s->oracle.keys - s->mine);
        struct owned_key *key = &s->oracle.key[number];
        if (key->copies > 0) {
            key->copies -= guira_remove_uniform(s->team.filter, key->hash) == GUIRA_OK;
        } else {
            key->copies += guira_insert_uniform(s->team.filter, key->hash) == GUIRA_OK;
        }
    }
    return NULL;
}

/* Look up all keys that stay; returns millions of look-ups per second. */
static double look_all_up(struct scene *s) {
    double start = now();
    for (uint64_t i = 0; i < s->oracle.keys / 2; i++) {
        const struct owned_key *key = &s->oracle.key[i];
        bool there = guira_contains_uniform(s->team.filter, key->hash);
        REQUIRE(&s->team, there || key->copies == 0, "a key that stays was missed");
    }
    uint64_t keys = s->oracle.keys / 2;
    return (double)keys * 1e-6 / (now() - start);
}

static bool is_free(const struct guira *f, uint64_t stripe) {
    return !ck_spinlock_locked(&f->stripes.all[stripe].lock.spin);
}

/* Remove and insert each staying key whose stripes nobody holds: that must not wait. */
static uint64_t write_elsewhere(struct scene *s) {
    struct guira *f = s->team.filter;
    const struct geometry *g = &f->table.geometry;
    uint64_t written = 0;
    for (uint64_t i = 0; i < s->oracle.keys / 2; i++) {
        struct owned_key *key = &s->oracle.key[i];
        struct candidates c = candidates_of(g, element_of_hash(g, key->hash));
        if (key->copies == 0 || !is_free(f, stripe_of(&f->table, c.bucket[0])) ||
            !is_free(f, stripe_of(&f->table, c.bucket[1]))) {
            continue;
        }
        REQUIRE(&s->team, guira_remove_uniform(f, key->hash) == GUIRA_OK, "a remove failed");
        REQUIRE(&s->team, guira_insert_uniform(f, key->hash) == GUIRA_OK, "an insert failed");
        written++;
    }
    return written;
}

static const char *const point_name[HOOK_KINDS] = {
    [HOOK_LOCKED] = "locked",
    [HOOK_MOVE_FILLED] = "destination filled",
    [HOOK_ANNOUNCED] = "announced",
    [HOOK_MOVE_DONE] = "source emptied",
    [HOOK_UNLOCKING] = "about to unlock",
};

/* One stop of the writer; returns the speed of look-ups beside it against that without it. */
static double stall_once(struct scene *s) {
    pthread_t writer;
    double quiet = look_all_up(s);
    if (pthread_create(&writer, NULL, write_and_stall, s) != 0) {
        (void)fprintf(stderr, "cannot start a thread\n");
        exit(2);
    }
    while (sem_wait(&gate.stalled) != 0) {
        /* interrupted by a signal */
    }
    struct guira_info before;
    struct guira_info after;
    (void)guira_get_info(s->team.filter, &before);
    double beside = look_all_up(s);
    (void)guira_get_info(s->team.filter, &after);
    REQUIRE(&s->team, after.reader_retries == before.reader_retries, "a reader had to look again");
    REQUIRE(&s->team, write_elsewhere(s) > 0, "no writer got on");
    (void)sem_post(&gate.released);
    (void)pthread_join(writer, NULL);
    oracle_compare(&s->oracle, &s->team);
    return beside / quiet;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void stall_at_point(struct scene *s, enum hook point, unsigned rounds) {
    double ratio[MOST_ROUNDS] = {0};
    s->point = point;
    for (unsigned i = 0; i < rounds; i++) {
        ratio[i] = stall_once(s);
    }
    qsort(ratio, rounds, sizeof ratio[0], by_value);
    (void)printf("%-20s look-ups beside it against without: median %.2f (%.2f to %.2f)  %s\n",
                 point_name[point], ratio[rounds / 2], ratio[0], ratio[rounds - 1],
                 atomic_load(&s->team.violations) == 0 ? "ok" : "FAILED");
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    unsigned rounds = 11;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
            seed = seed_argument(argv[i + 1]);
        } else if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0) {
            rounds = (unsigned)whole_argument("rounds", argv[i + 1], 1, MOST_ROUNDS);
        } else {
            (void)fprintf(stderr, "usage: guira_stalled [--seed N] [--rounds 1..101]\n");
            return 2;
        }
    }
    (void)printf("replay: guira_stalled --seed %" PRIu64 " --rounds %u\n", seed, rounds);
    static struct scene s = {.team = {.scenario = "stalled", .table = "one large table"}};
    struct guira_options options = {
        .buckets = 20000, .tag_bits = 12, .window = 2, .stripes = 256, .seed = seed};
    if (guira_create(&options, &s.team.filter) != GUIRA_OK) {
        return 2;
    }
    (void)sem_init(&gate.stalled, 0, 0);
    (void)sem_init(&gate.released, 0, 0);
    s.oracle = oracle_create(s.team.filter, 95000, seed);
    s.team.seed = seed;
    s.mine = s.oracle.keys - s.oracle.keys / 8;
    for (uint64_t i = 0; i < s.mine; i++) {
        struct owned_key *key = &s.oracle.key[i];
        key->copies = guira_insert_uniform(s.team.filter, key->hash) == GUIRA_OK;
    }
    for (int point = 0; point < HOOK_KINDS; point++) {
        if (point_name[point] != NULL) {
            stall_at_point(&s, (enum hook)point, rounds);
        }
    }
    oracle_destroy(&s.oracle);
    guira_destroy(s.team.filter);
    (void)printf("%s: %" PRIu64 " violations\n", atomic_load(&s.team.violations) ? "FAIL" : "PASS",
                 atomic_load(&s.team.violations));
    return atomic_load(&s.team.violations) != 0;
}
