/*
 * What the examples share: the same work on several threads, and what ends one that cannot go on.
 */
#ifndef EXAMPLES_THREADS_H
#define EXAMPLES_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <pthread.h>

#include <guira/guira.h>

enum { MOST_THREADS = 64, COULD_NOT_RUN = 2 };

static inline void require(bool done, const char *what) {
    if (!done) {
        fprintf(stderr, "cannot: %s\n", what);
        exit(COULD_NOT_RUN);
    }
}

static inline void require_ok(enum guira_status status, const char *what) {
    if (status != GUIRA_OK) {
        fprintf(stderr, "%s: %s\n", what, guira_status_text(status));
        exit(COULD_NOT_RUN);
    }
}

/* Run work(context of thread i) for i = 0 ... threads - 1; the contexts are an array of things of
 * that size. Returns when all are done. */
static inline void run_threads(unsigned threads, void *(*work)(void *), void *contexts,
                               size_t size) {
    pthread_t thread[MOST_THREADS];
    require(threads >= 1 && threads <= MOST_THREADS, "so many threads");
    for (unsigned i = 0; i < threads; i++) {
        require(pthread_create(&thread[i], NULL, work, (char *)contexts + i * size) == 0,
                "start a thread");
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
    }
}

/* A random sequence (SplitMix64), the same for the same start. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A number that an argument names; `otherwise` if there is none. */
static inline uint64_t number_or(char **argv, int index, int argc, uint64_t otherwise) {
    if (index >= argc) {
        return otherwise;
    }
    char *end;
    unsigned long long number = strtoull(argv[index], &end, 10);
    require(argv[index][0] >= '0' && argv[index][0] <= '9' && *end == '\0', "read that number");
    return number;
}

#endif
