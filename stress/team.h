/*
 * A team of threads that torture one filter, watched: who finds a broken promise reports it, who
 * makes no progress for long ends the program with the state of all.
 */
#ifndef GUIRA_STRESS_TEAM_H
#define GUIRA_STRESS_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <guira/guira.h>

enum { MAX_THREADS = 256 };

struct team;

/* A table to torture. */
struct table_kind {
    const char *name;
    uint64_t buckets;
    uint32_t tag_bits;
    uint32_t window;
    uint32_t stripes;
    uint64_t max_capacity; /* 0: it does not grow */
    double load;           /* that the threads keep it at; 0: what they do decides */
};

struct worker {
    struct team *team;
    unsigned index;              /* 0 .. threads - 1 */
    uint64_t random;             /* state of this worker's generator */
    _Atomic uint64_t calls;      /* finished calls: its sign of life */
    _Atomic(const char *) doing; /* for the watchdog's report */
};

struct team {
    const char *scenario;
    const char *table;
    struct guira *filter;
    struct guira_options options; /* that it was made with */
    unsigned threads;
    double seconds;
    uint64_t seed;
    void *context;    /* the scenario's own */
    char remark[300]; /* what it reports besides violations */
    atomic_bool stop;
    _Atomic uint64_t violations;
    _Atomic uint64_t look_ups[2]; /* with no growth under way, and beside one */
    struct worker worker[MAX_THREADS];
};

/* The worker that runs on this thread; NULL on threads that are not in a team. */
extern _Thread_local struct worker *this_worker;

/* Give the team an empty filter of this kind, with the team's seed. False, and a violation, if that
 * fails. */
bool team_create_filter(struct team *team, const struct table_kind *kind, bool single_writer);

/* Run `body` on every worker until the time is over, or all bodies have returned before. */
void team_run(struct team *team, void (*body)(struct worker *));

/* As team_run, but bodies end by themselves however long it takes. */
void team_run_to_end(struct team *team, void (*body)(struct worker *));

/* The next random number of a worker, and one below a bound. */
uint64_t next_random(struct worker *worker);
uint64_t random_below(struct worker *worker, uint64_t bound);

/* One more call is done; false when the time is over. */
static inline bool go_on(struct worker *worker, const char *doing) {
    atomic_store_explicit(&worker->doing, doing, memory_order_relaxed);
    atomic_fetch_add_explicit(&worker->calls, 1, memory_order_relaxed);
    return !atomic_load_explicit(&worker->team->stop, memory_order_relaxed);
}

/* Report a broken promise. */
__attribute__((format(printf, 2, 3))) void violation(struct team *team, const char *format, ...);

/* Require that a condition holds. */
#define REQUIRE(team, condition, ...)                                                              \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            violation(team, __VA_ARGS__);                                                          \
        }                                                                                          \
    } while (0)

#endif
