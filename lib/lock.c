/*
 * Waiting for a lock, and backing off after a lost race.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "lock.h"

#include <sched.h>
#include <time.h>

#include <ck_pr.h>

#include "hook.h"

enum {
    PAUSES = 100, /* a critical section is a few stores long: worth a short wait on the processor */
    YIELDS = 20,
    NAP_NANOSECONDS = 50000,
    QUICK_ATTEMPTS = 4
};

/* The n-th wait in a row, from 0. */
static void wait_once(unsigned n) {
    if (n < PAUSES) {
        ck_pr_stall();
    } else if (n < PAUSES + YIELDS) {
        (void)sched_yield();
    } else {
        struct timespec nap = {.tv_sec = 0, .tv_nsec = NAP_NANOSECONDS};
        (void)nanosleep(&nap, NULL);
    }
}

void guira__lock_wait(struct lock *lock) {
    for (unsigned n = 0;; n += n < PAUSES + YIELDS) {
        HOOK(HOOK_WAITING);
        wait_once(n);
        if (!ck_spinlock_locked(&lock->spin) && ck_spinlock_trylock(&lock->spin)) {
            return;
        }
    }
}

void guira__back_off(unsigned attempt) {
    if (attempt >= QUICK_ATTEMPTS) {
        (void)sched_yield();
        return;
    }
    for (unsigned n = 0; n < 8u << attempt; n++) {
        ck_pr_stall();
    }
}
