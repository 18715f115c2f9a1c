/*
 * A run as a readable list of its steps.
 */
#include "explore.h"

#include <stdio.h>

static const char *order_name(memory_order order) {
    switch (order) {
    case memory_order_relaxed:
        return "relaxed";
    case memory_order_acquire:
        return "acquire";
    case memory_order_release:
        return "release";
    case memory_order_acq_rel:
        return "acq_rel";
    case memory_order_seq_cst:
        return "seq_cst";
    default:
        return "consume";
    }
}

static void print_step(const struct program *program, const struct step *step) {
    const struct access *a = &step->access;
    if (a->kind == LOCK || a->kind == UNLOCK) {
        printf("%s stripe %u\n", a->kind == LOCK ? "lock  " : "unlock", a->at);
        return;
    }
    const char *name = program->location_name == NULL ? NULL : program->location_name(a->at);
    printf("%s ", a->kind == LOAD ? "load  " : a->kind == STORE ? "store " : "add   ");
    if (name == NULL) {
        printf("location %u", a->at);
    } else {
        printf("%-10s", name);
    }
    printf(" %s ", a->kind == LOAD ? "->" : "<-");
    if (program->print_value == NULL) {
        printf("%llu", (unsigned long long)step->value);
    } else {
        program->print_value(a->at, step->value);
    }
    printf("   %s", order_name(a->order));
    uint32_t newer = step->stores - 1 - step->store;
    if (newer > 0) {
        printf(a->kind == LOAD ? ", old: %u newer" : ", before %u others", newer);
    }
    putchar('\n');
}

/* One column of text a thread. */
void trace_print(const struct program *program, const struct step *trace, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i++) {
        printf("    %3u  %*sthread %u  ", i + 1, (int)(4 * trace[i].thread), "",
               trace[i].thread + 1);
        print_step(program, &trace[i]);
    }
}
