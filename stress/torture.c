/*
 * guira_torture: run the scenarios, each on tables small and large, few stripes and many.
 * guira_torture_hooked: the same on the library with hooks, and with unrest at them (unrest.h).
 *
 *     guira_torture [--seconds S] [--threads T] [--seed N] [--scenario NAME]
 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "scenario.h"
#include "unrest.h"

struct scenario {
    const char *name;
    void (*run)(struct team *team);
    bool single_writer;
};

static const struct scenario scenarios[] = {
    {"stable-keys", scenario_stable_keys, false},
    {"ownership", scenario_ownership, false},
    {"brim", scenario_brim, false},
    {"low-load", scenario_low_load, false},
    {"hot-bucket", scenario_hot_bucket, false},
    {"batches", scenario_batches, false},
    {"snapshots", scenario_snapshots, false},
    {"merges", scenario_merges, false},
    {"unique-race", scenario_unique_race, false},
    {"limit-race", scenario_limit_race, false},
    {"single-writer", scenario_single_writer, true},
};

#define TABLE(text, m, f, w, s)                                                                    \
    { .name = (text), .buckets = (m), .tag_bits = (f), .window = (w), .stripes = (s) }

/* As many stripes as the table then has: guira_create rounds what is asked for. */
static const struct table_kind tables[] = {
    TABLE("600 slots, 1 stripe", 120, 12, 2, 1),
    TABLE("1,024 slots, 2 stripes", 256, 16, 4, 2),
    TABLE("2,100 slots, 3 stripes", 300, 9, 3, 3),
    TABLE("1,024 slots, 16 stripes", 512, 32, 2, 16),
    TABLE("100,000 slots, 157 stripes", 20000, 12, 4, 157),
    TABLE("8,000 slots, 63 stripes", 1000, 8, 8, 63),
};

enum {
    SCENARIOS = sizeof scenarios / sizeof scenarios[0],
    TABLES = sizeof tables / sizeof tables[0]
};

struct arguments {
    const char *program;
    double seconds; /* for all together */
    unsigned threads;
    uint64_t seed;
    const char *scenario; /* NULL: all */
};

static int usage(void) {
    (void)fprintf(stderr,
                  "usage: guira_torture [--seconds S] [--threads 2..%d] [--seed N] "
                  "[--scenario NAME]\nscenarios:",
                  MAX_THREADS);
    for (size_t i = 0; i < SCENARIOS; i++) {
        (void)fprintf(stderr, " %s", scenarios[i].name);
    }
    (void)fprintf(stderr, "\n");
    return 2;
}

static bool parse(int argc, char **argv, struct arguments *a) {
    static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"seed", required_argument, NULL, 'r'},
                                            {"scenario", required_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 's':
            a->seconds = real_argument("seconds", optarg, 0, 1e7);
            break;
        case 't':
            a->threads = (unsigned)whole_argument("threads", optarg, 2, MAX_THREADS);
            break;
        case 'r':
            a->seed = seed_argument(optarg);
            break;
        case 'n':
            a->scenario = optarg;
            break;
        default:
            return false;
        }
    }
    return optind == argc;
}

static uint64_t run_one(const struct scenario *scenario, const struct table_kind *kind,
                        const struct arguments *a, double seconds) {
    static struct team team; /* large, and one runs at a time */
    memset(&team, 0, sizeof team);
    team.scenario = scenario->name;
    team.threads = a->threads;
    team.seconds = seconds;
    team.seed = a->seed;
    if (!team_create_filter(&team, kind, scenario->single_writer)) {
        return 1;
    }
    scenario->run(&team);
    uint64_t calls = 0;
    for (unsigned i = 0; i < team.threads; i++) {
        calls += atomic_load(&team.worker[i].calls);
    }
    struct guira_info info;
    (void)guira_get_info(team.filter, &info);
    REQUIRE(&team, info.sizing.stripes == kind->stripes, "there are %u stripes",
            info.sizing.stripes);
    (void)printf("%-14s %-27s %9llu calls  load %.2f  %8llu moves  %6llu lost races  "
                 "%6llu retries  %s\n",
                 scenario->name, kind->name, (unsigned long long)calls, info.load,
                 (unsigned long long)info.moves, (unsigned long long)info.lost_races,
                 (unsigned long long)info.reader_retries,
                 atomic_load(&team.violations) == 0 ? "ok" : "FAILED");
    if (team.remark[0] != '\0') {
        (void)printf("%15s%s\n", "", team.remark);
    }
    guira_destroy(team.filter);
    return atomic_load(&team.violations);
}

int main(int argc, char **argv) {
    struct arguments a = {
        .program = argv[0], .seconds = 20, .threads = 4, .seed = (uint64_t)time(NULL)};
    if (!parse(argc, argv, &a)) {
        return usage();
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)printf("replay: %s --seconds %g --threads %u --seed %llu%s%s\n", a.program, a.seconds,
                 a.threads, (unsigned long long)a.seed, a.scenario ? " --scenario " : "",
                 a.scenario ? a.scenario : "");
    uint64_t violations = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (a.scenario != NULL && strcmp(a.scenario, scenarios[i].name) != 0) {
            continue;
        }
        chosen++;
        double seconds = a.seconds / (double)(TABLES * (a.scenario != NULL ? 1 : SCENARIOS));
        for (size_t j = 0; j < TABLES; j++) {
            violations += run_one(&scenarios[i], &tables[j], &a, seconds);
        }
    }
    if (chosen == 0) {
        return usage();
    }
    violations += !unrest_report(a.scenario == NULL);
    (void)printf("%s: %llu violations\n", violations == 0 ? "PASS" : "FAIL",
                 (unsigned long long)violations);
    return violations == 0 ? 0 : 1;
}
