/*
 * The explorer's own tests, see litmus.c.
 */
#ifndef GUIRA_EXPLORE_LITMUS_H
#define GUIRA_EXPLORE_LITMUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct litmus {
    const char *name;
    memory_order store, load;
    uint32_t threads;
    void (*body)(uint32_t thread);
    /* The highest value of each register: those that the threads note, in order, then the final
     * values of as many locations. */
    const char *highest;
    uint32_t finals;
    bool (*forbidden)(const uint64_t *r);
    bool silent_locks;
};

extern const struct litmus litmus_tests[];
extern const uint32_t litmus_count;

/* What the stores and loads of the test that runs are. */
extern memory_order litmus_store, litmus_load;

#endif
