/*
 * Threads that start together. A thread must not call cmocka: it counts what went wrong, and the
 * main thread asserts after the join.
 */
#ifndef GUIRA_TESTS_THREADS_H
#define GUIRA_TESTS_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_THREADS = 16 };

struct crew {
    pthread_t thread[MAX_THREADS];
    unsigned size;
    pthread_barrier_t start;
    unsigned expected;
};

/* `size` threads will be hired; none runs before all are. */
void crew_begin(struct crew *crew, unsigned size);
/* Runs work(context) in a thread of its own, once the crew is complete. */
void crew_hire(struct crew *crew, void *(*work)(void *), void *context);
/* Waits for all. */
void crew_end(struct crew *crew);

/* Lets other threads run for a millisecond or so. */
void nap(void);

#endif
