/*
 * Running a small concurrent program in all ways in which it can run.
 *
 * Depth first over two choices: which thread makes the next access, and which of the allowed stores
 * it reads (or, for unordered stores, where its own one goes). Systematic exploration without
 * storing paths: Godefroid, "Model Checking for Programming Languages using VeriSoft", POPL 1997;
 * under RC11: Kokologiannakis, Lahav, Sagonas, Vafeiadis, "Effective Stateless Model Checking for
 * C/C++ Concurrency", POPL 2018.
 */
#ifndef GUIRA_EXPLORE_EXPLORE_H
#define GUIRA_EXPLORE_EXPLORE_H

#include "machine.h"

struct program {
    const char *name;
    uint32_t threads, locations, locks;
    void (*prepare)(struct machine *m); /* sets initial values; may be NULL */
    /* Touches shared memory through explore_ calls only, and does the same whenever those return
     * the same. It must not own anything when it makes one: it may never return from it. */
    void (*body)(uint32_t thread);
    /* Called for each way to end; returns what is wrong with it, or NULL. */
    const char *(*check)(const struct machine *end);
    /* For traces; may be NULL. */
    const char *(*location_name)(uint32_t location);
    void (*print_value)(uint32_t location, uint64_t value);
};

struct exploration {
    const char *failure; /* NULL: no way to end was wrong */
    uint64_t states;     /* different ones */
    uint64_t ends;       /* different ones among them in which all threads are through */
    bool locks_carry;    /* set before: false for a mutant without E4 */
    bool plain;          /* set before: without reductions, to test these */
    struct step *trace;  /* of the failure, to be freed */
    uint32_t steps;
    struct machine end; /* of the failure */
};

void explore(const struct program *program, struct exploration *result);

/* For bodies. Atomic accesses are declared in atomic.h. */
void explore_lock(uint32_t lock);
void explore_unlock(uint32_t lock);
/* Keep a value, such as a litmus test's register, for the check at the end. */
void explore_note(uint64_t value);
/* The beginning and end of a call of the filter's interface. */
void explore_call(uint8_t kind, uint8_t element);
void explore_return(uint8_t result);

void trace_print(const struct program *program, const struct step *trace, uint32_t steps);

#endif
