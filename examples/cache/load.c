/*
 * Of a hundred operations 90 are reads, 5 puts and 5 deletes. The key of rank r is used with a
 * chance of about 1 / r. Ranks are scattered over the keys, so popular ones are in every shard.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "load.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "../threads.h"

enum { READS = 90, PUTS = 5, HUNDRED = 100 };
#define SKEW 0.99

enum kind { READ, PUT, DELETE };

struct operation {
    uint32_t key;
    enum kind kind;
};

struct worker {
    struct service *service;
    const struct store *store;
    struct operation *operations; /* made beforehand, so that the time is the service's */
    uint64_t count;
    uint32_t *nanoseconds; /* of each read */
    uint64_t reads;
    struct load load;
};

static uint64_t now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail with this clock */
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A rank in [0, keys) whose density falls as 1 / rank^SKEW: the power law of Zipf, continuous. */
static uint32_t skewed_rank(uint64_t *random, uint32_t keys) {
    double u = (double)(next_random(random) >> 11) * 0x1p-53;
    double most = pow(keys + 1.0, 1 - SKEW);
    uint32_t rank = (uint32_t)pow(1 + u * (most - 1), 1 / (1 - SKEW)) - 1;
    return rank < keys ? rank : keys - 1;
}

static struct operation any_operation(uint64_t *random, uint32_t keys) {
    uint64_t percent = next_random(random) % HUNDRED;
    uint32_t key = skewed_rank(random, keys) * 0x9E3779B1u & (keys - 1); /* odd: each key once */
    enum kind kind = percent < READS ? READ : percent < READS + PUTS ? PUT : DELETE;
    return (struct operation){key, kind};
}

/* The claim. If the witness did not change the store had the key during the whole call. */
static void read_key(struct worker *w, uint32_t key) {
    struct value value;
    uint32_t before = store_witness(w->store, key);
    uint64_t start = now();
    enum answer answer = service_get(w->service, key, &value);
    uint64_t taken = now() - start;
    bool was_there = before % 2 == 1 && before == store_witness(w->store, key);
    bool found = answer == FROM_MEMORY || answer == FROM_STORE;
    w->load.surely_there += was_there;
    w->load.refused_wrongly += was_there && !found;
    w->load.wrong_values += found && value.key != key;
    w->load.answers[answer]++;
    w->nanoseconds[w->reads++] = taken < UINT32_MAX ? (uint32_t)taken : UINT32_MAX;
}

static void *work(void *context) {
    struct worker *w = context;
    for (uint64_t i = 0; i < w->count; i++) {
        struct value value = {.key = w->operations[i].key, .version = (uint32_t)i, .text = "put"};
        switch (w->operations[i].kind) {
        case READ:
            read_key(w, value.key);
            break;
        case PUT:
            w->load.outcomes[service_put(w->service, &value)]++;
            break;
        case DELETE:
            w->load.outcomes[service_delete(w->service, value.key)]++;
            break;
        }
    }
    return NULL;
}

static void make_operations(struct worker *w, uint32_t keys, uint64_t random) {
    w->operations = malloc(w->count * sizeof *w->operations);
    w->nanoseconds = malloc(w->count * sizeof *w->nanoseconds);
    require(w->operations != NULL && w->nanoseconds != NULL, "get memory");
    for (uint64_t i = 0; i < w->count; i++) {
        w->operations[i] = any_operation(&random, keys);
    }
}

/* ---- Adding up ------------------------------------------------------------------------------- */

static int smaller(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void add(struct load *total, const struct load *one) {
    for (int i = 0; i < ANSWERS; i++) {
        total->answers[i] += one->answers[i];
    }
    for (int i = 0; i < OUTCOMES; i++) {
        total->outcomes[i] += one->outcomes[i];
    }
    total->surely_there += one->surely_there;
    total->refused_wrongly += one->refused_wrongly;
    total->wrong_values += one->wrong_values;
}

static void find_percentiles(struct load *total, struct worker *workers, unsigned threads) {
    uint64_t reads = 0;
    for (unsigned i = 0; i < threads; i++) {
        reads += workers[i].reads;
    }
    uint32_t *times = malloc((reads + 1) * sizeof *times);
    require(times != NULL, "get memory");
    uint64_t first = 0;
    for (unsigned i = 0; i < threads; i++) {
        memcpy(&times[first], workers[i].nanoseconds, workers[i].reads * sizeof *times);
        first += workers[i].reads;
    }
    times[reads] = 0; /* if there was none at all */
    qsort(times, reads, sizeof *times, smaller);
    uint64_t middle = reads / 2;
    uint64_t last = reads - reads / HUNDRED - (reads > 0);
    total->p50 = times[middle] / 1e3;
    total->p99 = times[last] / 1e3;
    free(times);
}

struct load load_run(struct service *service, const struct store *store, uint32_t keys,
                     unsigned threads, uint64_t operations) {
    struct worker *workers = calloc(threads, sizeof *workers);
    require(workers != NULL, "get memory");
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (struct worker){.service = service, .store = store, .count = operations};
        make_operations(&workers[i], keys, i);
    }
    struct load total = {0};
    uint64_t start = now();
    run_threads(threads, work, workers, sizeof *workers);
    total.seconds = (double)(now() - start) / 1e9;
    find_percentiles(&total, workers, threads);
    for (unsigned i = 0; i < threads; i++) {
        add(&total, &workers[i].load);
        free(workers[i].operations);
        free(workers[i].nanoseconds);
    }
    free(workers);
    return total;
}
