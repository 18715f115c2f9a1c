/*
 * Threads that run one at a time, handing each other a baton at the library's hooks: all schedules
 * of sequentially consistent steps are possible, and which one is taken is decided by a seed alone,
 * so a failure replays exactly.
 */
#ifndef GUIRA_STRESS_BATON_H
#define GUIRA_STRESS_BATON_H

#include "hook.h"
#include "team.h"

enum { BATON_THREADS = 4 };

/* How often each hook was passed since the program began. */
extern uint64_t baton_passed[HOOK_KINDS];

/*
 * Run `body(context)` on BATON_THREADS threads until all return. At each hook the running thread
 * hands over with a probability of 1 in `reluctance`; when it waits for a lock, always. Ends the
 * program if all wait.
 */
void baton_run(struct worker *chance, uint64_t reluctance, void (*body)(void *context),
               void *context);

#endif
