/*
 * Unrest: in guira_torture_hooked each thread may lose the processor between any two steps of an
 * operation, at the hooks of lib/hook.h. A generator of its own, from the team's seed, decides at
 * each: go on, give the processor away, or sleep for some microseconds.
 */
#ifndef GUIRA_STRESS_UNREST_H
#define GUIRA_STRESS_UNREST_H

#include <stdbool.h>

#ifdef GUIRA_TEST_HOOKS

/* Print how much unrest there was. False if there was none, or if there should have been some at
 * all kinds of hooks and was not: such a run proves nothing. */
bool unrest_report(bool at_all_hooks);

#else

/* Without hooks there is none to report. */
static inline bool unrest_report(bool at_all_hooks) {
    (void)at_all_hooks;
    return true;
}

#endif

#endif
