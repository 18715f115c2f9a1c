/*
 * guira_bench: how fast guira is, beside other filters and bare memory, all in one run.
 *
 *     settings     the command line
 *     experiments  what is measured: experiments/, one file a subject
 *     field        the contenders of an experiment at one size, and their rounds
 *     contender    a target with a table and keys of its own; every answer is checked
 *     piece, keys  one turn of a contender in one round: threads, clock, which keys
 *     target.h     the interface to what is measured: targets/, one file a target
 *     series       samples, medians, ratios
 *     report, output, summary, goals    results on the terminal and in files
 *     clock, crew, histogram, support   time, pinned threads, latencies, the rest
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "crew.h"
#include "experiments/experiments.h"
#include "output.h"
#include "settings.h"

static int is_wanted(const struct settings *settings, const char *name) {
    for (size_t i = 0; i < settings->only_count; i++) {
        if (strcmp(settings->only[i], name) == 0) {
            return 1;
        }
    }
    return settings->only_count == 0;
}

int main(int count, char **arguments) {
    struct settings settings = settings_from(count, arguments);
    if (settings.folder != NULL) {
        output_prepare(settings.folder);
    }
    crew_pin_caller();
    clock_calibrate();
    (void)printf("seed %llu\n", (unsigned long long)settings.seed);
    for (const struct experiment *e = experiments; e->name != NULL; e++) {
        if (is_wanted(&settings, e->name)) {
            (void)printf("%s: %s\n", e->name, e->about);
            uint64_t start = clock_nanoseconds();
            e->run(&settings);
            (void)printf("%s took %.1f s\n", e->name, 1e-9 * (double)(clock_nanoseconds() - start));
        }
    }
    if (settings.folder != NULL) {
        output_write(&settings);
    }
    return 0;
}
