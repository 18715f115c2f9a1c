/*
 * Runs the litmus tests and compares what they produce with what is allowed.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"
#include "litmus.h"

enum { MAX_REGISTERS = 6, MAX_OUTCOMES = 1024 };

memory_order litmus_store, litmus_load;

static const struct litmus *current;
static bool produced[MAX_OUTCOMES];

static uint32_t base_of(const struct litmus *test, size_t i) {
    return (uint32_t)(test->highest[i] - '0') + 1;
}

static const char *collect(const struct machine *end) {
    uint64_t r[MAX_REGISTERS] = {0};
    size_t registers = 0;
    for (uint32_t i = 0; i < end->threads; i++) {
        for (uint32_t j = 0; j < end->thread[i].notes; j++) {
            r[registers++] = end->thread[i].note[j];
        }
    }
    for (uint32_t i = 0; i < current->finals; i++) {
        r[registers++] = machine_newest(end, i);
    }
    uint64_t outcome = 0;
    for (size_t i = 0; i < registers; i++) {
        if (r[i] >= base_of(current, i)) {
            return "a value that is never written";
        }
        outcome = outcome * base_of(current, i) + r[i];
    }
    produced[outcome] = true;
    return NULL;
}

/* Compare what was produced with what is allowed, outcome by outcome. */
static bool compare(const struct litmus *test, uint32_t *count) {
    size_t registers = strlen(test->highest);
    uint32_t outcomes = 1;
    for (size_t i = 0; i < registers; i++) {
        outcomes *= base_of(test, i);
    }
    bool same = true;
    for (uint32_t outcome = 0; outcome < outcomes; outcome++) {
        uint64_t r[MAX_REGISTERS] = {0};
        uint32_t rest = outcome;
        for (size_t i = registers; i > 0; i--) {
            r[i - 1] = rest % base_of(test, i - 1);
            rest /= base_of(test, i - 1);
        }
        *count += produced[outcome];
        if (produced[outcome] == test->forbidden(r)) {
            same = false;
            printf("    %s:", produced[outcome] ? "forbidden, but produced" : "never produced");
            for (size_t i = 0; i < registers; i++) {
                printf(" %llu", (unsigned long long)r[i]);
            }
            putchar('\n');
        }
    }
    return same;
}

/* The reductions must keep every end. */
static bool same_without_reductions(const struct program *program,
                                    const struct exploration *reduced) {
    struct exploration plain = {.locks_carry = reduced->locks_carry, .plain = true};
    explore(program, &plain);
    if (plain.ends != reduced->ends) {
        printf("    %llu ends without reductions, %llu with\n", (unsigned long long)plain.ends,
               (unsigned long long)reduced->ends);
    }
    return plain.ends == reduced->ends;
}

static bool run(const struct litmus *test) {
    struct program program = {.name = test->name,
                              .threads = test->threads,
                              .locations = 3,
                              .locks = 1,
                              .body = test->body,
                              .check = collect};
    struct exploration result = {.locks_carry = !test->silent_locks};
    current = test;
    litmus_store = test->store;
    litmus_load = test->load;
    memset(produced, 0, sizeof produced);
    explore(&program, &result);
    uint32_t count = 0;
    bool good = compare(test, &count) && result.failure == NULL;
    good = good && same_without_reductions(&program, &result);
    printf("%-40s %3u outcomes %6llu states  %s\n", test->name, count,
           (unsigned long long)result.states, good ? "ok" : "WRONG");
    if (result.failure != NULL) {
        printf("    %s\n", result.failure);
        trace_print(&program, result.trace, result.steps);
    }
    free(result.trace);
    return good;
}

static void crossed_locks(uint32_t thread) {
    explore_lock(thread);
    explore_lock(1 - thread);
    explore_unlock(thread);
    explore_unlock(1 - thread);
}

static const char *never_wrong(const struct machine *end) {
    (void)end;
    return NULL;
}

static bool finds_deadlock(void) {
    struct program program = {.name = "crossed locks",
                              .threads = 2,
                              .locks = 2,
                              .body = crossed_locks,
                              .check = never_wrong};
    struct exploration result = {.locks_carry = true};
    explore(&program, &result);
    bool good = result.failure != NULL && strcmp(result.failure, "deadlock") == 0;
    printf("%-40s %22llu states  %s\n", program.name, (unsigned long long)result.states,
           good ? "ok" : "WRONG");
    free(result.trace);
    return good;
}

bool suite_litmus(void) {
    bool good = true;
    for (uint32_t i = 0; i < litmus_count; i++) {
        good = run(&litmus_tests[i]) && good;
    }
    return finds_deadlock() && good;
}
