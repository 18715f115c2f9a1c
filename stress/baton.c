#define _POSIX_C_SOURCE 200809L

#include "baton.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

/* So many hand-overs in a row by threads that wait for a lock mean that nobody holds one. */
enum { DEADLOCK_AFTER = 10000 };

struct runner {
    sem_t turn;
    bool ended;
};

/* All but the semaphores belongs to the thread that has the baton. */
static struct {
    struct runner runner[BATON_THREADS];
    struct worker *chance;
    uint64_t reluctance;
    uint64_t waiting_in_a_row;
    void (*body)(void *context);
    void *context;
} baton;

uint64_t baton_passed[HOOK_KINDS];

static _Thread_local struct runner *self; /* NULL on threads that are not in a run */

static void wait_for_turn(struct runner *runner) {
    while (sem_wait(&runner->turn) != 0) {
        /* interrupted by a signal */
    }
}

/* Wake a random one of the others that have not ended; false if there is none. */
static bool wake_another(void) {
    struct runner *other[BATON_THREADS];
    size_t others = 0;
    for (size_t i = 0; i < BATON_THREADS; i++) {
        struct runner *runner = &baton.runner[i];
        if (runner != self && !runner->ended) {
            other[others++] = runner;
        }
    }
    if (others == 0) {
        return false;
    }
    (void)sem_post(&other[random_below(baton.chance, others)]->turn);
    return true;
}

void guira__hook(enum hook point) {
    if (self == NULL) {
        return;
    }
    baton_passed[point]++;
    baton.waiting_in_a_row = point == HOOK_WAITING ? baton.waiting_in_a_row + 1 : 0;
    if (baton.waiting_in_a_row > DEADLOCK_AFTER) {
        (void)fprintf(stderr, "DEADLOCK: every thread waits for a lock\n");
        exit(3);
    }
    if (point != HOOK_WAITING && random_below(baton.chance, baton.reluctance) != 0) {
        return;
    }
    if (wake_another()) {
        wait_for_turn(self);
    }
}

static void *run(void *argument) {
    self = argument;
    wait_for_turn(self);
    baton.body(baton.context);
    self->ended = true;
    (void)wake_another();
    return NULL;
}

void baton_run(struct worker *chance, uint64_t reluctance, void (*body)(void *context),
               void *context) {
    pthread_t thread[BATON_THREADS];
    baton.chance = chance;
    baton.reluctance = reluctance;
    baton.body = body;
    baton.context = context;
    for (size_t i = 0; i < BATON_THREADS; i++) {
        baton.runner[i].ended = false;
        (void)sem_init(&baton.runner[i].turn, 0, 0);
    }
    for (size_t i = 0; i < BATON_THREADS; i++) {
        if (pthread_create(&thread[i], NULL, run, &baton.runner[i]) != 0) {
            (void)fprintf(stderr, "cannot start a thread\n");
            exit(2);
        }
    }
    (void)sem_post(&baton.runner[0].turn);
    for (size_t i = 0; i < BATON_THREADS; i++) {
        (void)pthread_join(thread[i], NULL);
        (void)sem_destroy(&baton.runner[i].turn);
    }
}
