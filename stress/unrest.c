#define _POSIX_C_SOURCE 200809L

#include "unrest.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "hook.h"
#include "team.h"

/* One hook in so many. An operation passes a few, so a thread is often stopped inside one. */
enum { HOOKS_PER_YIELD = 16, HOOKS_PER_NAP = 128, MOST_NAP_NANOSECONDS = 20000 };

/* Written once each, so that counting puts no fence between the steps of the library. */
static atomic_bool passed[HOOK_KINDS];
static _Atomic uint64_t yields;
static _Atomic uint64_t naps;

static _Thread_local struct worker dice; /* its team is NULL until the thread has passed a hook */

static void nap(void) {
    struct timespec time = {.tv_nsec = (long)random_below(&dice, MOST_NAP_NANOSECONDS)};
    (void)nanosleep(&time, NULL);
    atomic_fetch_add_explicit(&naps, 1, memory_order_relaxed);
}

void guira__hook(enum hook point) {
    if (this_worker == NULL) {
        return;
    }
    if (dice.team == NULL) {
        dice.team = this_worker->team;
        dice.random = ~(dice.team->seed + this_worker->index * UINT64_C(0xd1342543de82ef95));
    }
    if (!atomic_load_explicit(&passed[point], memory_order_relaxed)) {
        atomic_store_explicit(&passed[point], true, memory_order_relaxed);
    }
    uint64_t random = next_random(&dice);
    if (random % HOOKS_PER_NAP == 0) {
        nap();
    } else if (random % HOOKS_PER_YIELD == 0) {
        (void)sched_yield();
        atomic_fetch_add_explicit(&yields, 1, memory_order_relaxed);
    }
}

bool unrest_report(bool at_all_hooks) {
    uint64_t all_yields = atomic_load(&yields);
    uint64_t all_naps = atomic_load(&naps);
    (void)printf("unrest at the hooks: %" PRIu64 " yields, %" PRIu64 " naps\n", all_yields,
                 all_naps);
    bool enough = all_yields > 0 && all_naps > 0;
    for (size_t i = 0; i < HOOK_KINDS; i++) {
        if (at_all_hooks && !atomic_load(&passed[i])) {
            (void)fprintf(stderr, "hook %zu was never passed: the run proves little\n", i);
            enough = false;
        }
    }
    return enough;
}
