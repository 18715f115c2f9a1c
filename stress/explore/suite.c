/*
 * The protocol through all programs, and the mutants through them until one kills.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "mutant.h"
#include "programs.h"
#include "table.h"

static const struct scenarios *const groups[] = {&about_moving, &about_changing,
                                                 &about_two_elements, &about_growth};

enum { GROUPS = sizeof groups / sizeof groups[0] };

/* On the tables as they are now. */
static struct program on_tables(const char *name) {
    return (struct program){.name = name,
                            .locations = table_locations() + 1, /* and a flag */
                            .locks = tiny.levels > 1 ? growing_locks() : tiny.stripes,
                            .check = table_check,
                            .location_name = table_location_name,
                            .print_value = table_print_value};
}

/* Make the tables; how many locations they have is known only when the elements are. */
static void make_tables(uint32_t buckets, uint32_t stripe_shift,
                        void (*prepare)(struct machine *m)) {
    static struct machine unused;
    if (buckets > 0) {
        table_begin(buckets, stripe_shift);
    } else {
        prepare(&unused);
    }
}

static struct program program_of(const struct scenario *scenario) {
    make_tables(scenario->buckets, scenario->stripe_shift, scenario->prepare);
    struct program program = on_tables(scenario->name);
    program.threads = scenario->threads;
    program.prepare = scenario->prepare;
    program.body = scenario->body;
    program.check = scenario->check;
    return program;
}

static void show_failure(const struct program *program, const struct exploration *result) {
    printf("    %s:\n", result->failure);
    history_print(&result->end, ELEMENT_NAMES);
    trace_print(program, result->trace, result->steps);
}

static bool passes(const struct scenario *scenario, bool trace) {
    struct program program = program_of(scenario);
    struct exploration result = {.locks_carry = true};
    explore(&program, &result);
    bool good = (result.failure != NULL) == scenario->limit;
    const char *verdict = !good ? "WRONG" : scenario->limit ? "fails, as it must" : "ok";
    printf("%-38s %9llu states %7llu ends  %s\n", program.name, (unsigned long long)result.states,
           (unsigned long long)result.ends, verdict);
    if (result.failure != NULL && (trace || !good)) {
        show_failure(&program, &result);
    }
    (void)fflush(stdout);
    free(result.trace);
    return good;
}

bool suite_protocol(const char *only) {
    bool good = true;
    mutant_choose(NULL);
    for (uint32_t i = 0; i < GROUPS; i++) {
        for (uint32_t j = 0; j < groups[i]->count; j++) {
            const struct scenario *scenario = &groups[i]->scenario[j];
            if (only == NULL || strstr(scenario->name, only) != NULL) {
                good = passes(scenario, only != NULL) && good;
            }
        }
    }
    return good;
}

/* Explore all members; stop at the first that fails. */
static bool family_passes(const struct family *family) {
    unsigned long long states = 0;
    uint32_t programs = 0;
    for (uint32_t i = 0; i < family->members; i++) {
        if (!family->choose(i)) {
            continue;
        }
        make_tables(family->buckets, 0, family->prepare);
        struct program program = on_tables(family->name);
        struct exploration result = {.locks_carry = true};
        program.threads = family->threads;
        program.prepare = family->prepare;
        program.body = family->body;
        explore(&program, &result);
        states += result.states;
        programs++;
        if (result.failure != NULL) {
            printf("%s: number %u\n", family->name, i);
            show_failure(&program, &result);
            free(result.trace);
            return false;
        }
    }
    printf("%-38s %9llu states %7u programs  ok\n", family->name, states, programs);
    (void)fflush(stdout);
    return true;
}

/* All, or those of filters that grow. */
static bool families_pass(bool growth_only) {
    bool good = true;
    for (uint32_t i = 0; i < family_count && good; i++) {
        good = (growth_only && families[i].buckets > 0) || family_passes(&families[i]);
    }
    return good;
}

/* What is harmless must do no harm in any program of the families either. */
bool suite_families(void) {
    mutant_choose(NULL);
    bool good = families_pass(false);
    for (uint32_t i = 0; i < mutant_count; i++) {
        if (mutants[i].harmless != NULL) {
            printf("%s:\n", mutants[i].name);
            mutant_choose(&mutants[i]);
            good = families_pass(mutant_is_of_growth(&mutants[i])) && good;
        }
    }
    mutant_choose(NULL);
    return good;
}

static bool kills(const struct scenario *scenario, const struct mutant *mutant, bool trace) {
    struct program program = program_of(scenario);
    struct exploration result = {.locks_carry = mutant->change != SILENT_LOCKS};
    explore(&program, &result);
    bool killed = result.failure != NULL;
    if (killed) {
        printf("%-44s killed by: %s\n", mutant->name, program.name);
        if (trace) {
            show_failure(&program, &result);
        }
    }
    free(result.trace);
    return killed;
}

/* Returns whether the mutant fares as it must. */
static bool judge(const struct mutant *mutant, bool trace) {
    bool killed = false;
    mutant_choose(mutant);
    /* What has to do with growth alone changes no other program; those about it come last. */
    uint32_t first = mutant_is_of_growth(mutant) ? GROUPS - 1 : 0;
    for (uint32_t i = first; i < GROUPS && !killed; i++) {
        for (uint32_t j = 0; j < groups[i]->count && !killed; j++) {
            const struct scenario *scenario = &groups[i]->scenario[j];
            killed = !scenario->limit && kills(scenario, mutant, trace);
        }
    }
    if (!killed) {
        bool harmless = mutant->harmless != NULL;
        printf("%-44s %s%s\n", mutant->name, harmless ? "harmless: " : "SURVIVES",
               harmless ? mutant->harmless : "");
    }
    (void)fflush(stdout);
    return killed == (mutant->harmless == NULL);
}

bool suite_mutants(const char *only) {
    bool good = true;
    for (uint32_t i = 0; i < mutant_count; i++) {
        if (only == NULL || strstr(mutants[i].name, only) != NULL) {
            good = judge(&mutants[i], only != NULL) && good;
        }
    }
    mutant_choose(NULL);
    return good;
}
