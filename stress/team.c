#define _POSIX_C_SOURCE 200809L

#include "team.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    WATCH_MILLISECONDS = 20,
    PATIENCE_SECONDS = 60, /* without one finished call: far beyond what scheduling explains */
    MOST_REPORTS = 10
};

struct start {
    struct worker *worker;
    void (*body)(struct worker *);
    _Atomic unsigned *running;
};

_Thread_local struct worker *this_worker;

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

uint64_t next_random(struct worker *worker) {
    uint64_t z = worker->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t random_below(struct worker *worker, uint64_t bound) {
    return next_random(worker) % bound;
}

void violation(struct team *team, const char *format, ...) {
    if (atomic_fetch_add(&team->violations, 1) >= MOST_REPORTS) {
        return;
    }
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "VIOLATION in %s on %s: %s\n", team->scenario, team->table, text);
}

bool team_create_filter(struct team *team, const struct table_kind *kind, bool single_writer) {
    struct guira_options options = {.buckets = kind->buckets,
                                    .tag_bits = kind->tag_bits,
                                    .window = kind->window,
                                    .stripes = kind->stripes,
                                    .max_capacity = kind->max_capacity,
                                    .seed = team->seed,
                                    .single_writer = single_writer};
    team->table = kind->name;
    team->options = options;
    enum guira_status status = guira_create(&options, &team->filter);
    REQUIRE(team, status == GUIRA_OK, "create: %s", guira_status_text(status));
    return status == GUIRA_OK;
}

static void *run_worker(void *argument) {
    struct start *start = argument;
    this_worker = start->worker;
    start->body(start->worker);
    atomic_fetch_sub(start->running, 1);
    return NULL;
}

/* Every worker stands still: say where, and end the program. */
static void report_standstill(struct team *team) {
    (void)fprintf(stderr, "STANDSTILL in %s on %s\n", team->scenario, team->table);
    for (unsigned i = 0; i < team->threads; i++) {
        struct worker *w = &team->worker[i];
        (void)fprintf(stderr, "  thread %u: %s, %llu calls\n", i, atomic_load(&w->doing),
                      (unsigned long long)atomic_load(&w->calls));
    }
    exit(3);
}

static void watch(struct team *team, const _Atomic unsigned *running, double until) {
    uint64_t seen = 0;
    double last_progress = now();
    const struct timespec pause = {.tv_nsec = WATCH_MILLISECONDS * 1000000L};
    while (atomic_load(running) > 0) {
        (void)nanosleep(&pause, NULL);
        uint64_t calls = 0;
        for (unsigned i = 0; i < team->threads; i++) {
            calls += atomic_load_explicit(&team->worker[i].calls, memory_order_relaxed);
        }
        if (calls != seen) {
            seen = calls;
            last_progress = now();
        } else if (now() - last_progress > PATIENCE_SECONDS) {
            report_standstill(team);
        }
        if (now() > until) {
            atomic_store(&team->stop, true);
        }
    }
}

static void run_until(struct team *team, void (*body)(struct worker *), double until) {
    pthread_t thread[MAX_THREADS] = {0};
    struct start start[MAX_THREADS];
    _Atomic unsigned running = team->threads;
    atomic_store(&team->stop, false);
    for (unsigned i = 0; i < team->threads; i++) {
        struct worker *w = &team->worker[i];
        w->team = team;
        w->index = i;
        w->random = team->seed + i * UINT64_C(0xd1342543de82ef95);
        atomic_store(&w->calls, 0);
        atomic_store(&w->doing, "starting");
    }
    for (unsigned i = 0; i < team->threads; i++) {
        start[i] = (struct start){&team->worker[i], body, &running};
        if (pthread_create(&thread[i], NULL, run_worker, &start[i]) != 0) {
            (void)fprintf(stderr, "cannot start thread %u\n", i);
            exit(2);
        }
    }
    watch(team, &running, until);
    for (unsigned i = 0; i < team->threads; i++) {
        (void)pthread_join(thread[i], NULL);
    }
}

void team_run(struct team *team, void (*body)(struct worker *)) {
    run_until(team, body, now() + team->seconds);
}

void team_run_to_end(struct team *team, void (*body)(struct worker *)) {
    run_until(team, body, 1e300);
}
