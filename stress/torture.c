/*
 * guira_torture: run the scenarios, each on tables small and large, few stripes and many, and on
 * filters that grow.
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
#include "growths.h"
#include "scenario.h"
#include "unrest.h"

struct scenario {
    const char *name;
    void (*run)(struct team *team);
    bool single_writer;
    enum { FIXED = 1, GROWING = 2, BOTH = FIXED | GROWING } tables;
};

static const struct scenario scenarios[] = {
    {"stable-keys", scenario_stable_keys, false, FIXED},
    {"ownership", scenario_ownership, false, BOTH},
    {"brim", scenario_brim, false, BOTH},
    {"low-load", scenario_low_load, false, BOTH},
    {"hot-bucket", scenario_hot_bucket, false, FIXED},
    {"batches", scenario_batches, false, BOTH},
    {"snapshots", scenario_snapshots, false, BOTH},
    {"merges", scenario_merges, false, FIXED},
    {"unique-race", scenario_unique_race, false, BOTH},
    {"limit-race", scenario_limit_race, false, FIXED},
    {"single-writer", scenario_single_writer, true, FIXED},
    {"growing-keys", scenario_growing_keys, false, GROWING},
    {"growing-limit", scenario_growing_limit, false, GROWING},
    {"wishes", scenario_wishes, false, GROWING},
};

#define TABLE(text, m, f, w, s, max)                                                               \
    {                                                                                              \
        .name = (text), .buckets = (m), .tag_bits = (f), .window = (w), .stripes = (s),            \
        .max_capacity = (max)                                                                      \
    }

/* As many stripes as the table then has: guira_create rounds what is asked for. */
static const struct table_kind tables[] = {
    TABLE("600 slots, 1 stripe", 120, 12, 2, 1, 0),
    TABLE("1,024 slots, 2 stripes", 256, 16, 4, 2, 0),
    TABLE("2,100 slots, 3 stripes", 300, 9, 3, 3, 0),
    TABLE("1,024 slots, 16 stripes", 512, 32, 2, 16, 0),
    TABLE("100,000 slots, 157 stripes", 20000, 12, 4, 157, 0),
    TABLE("8,000 slots, 63 stripes", 1000, 8, 8, 63, 0),
};

/* Those that grow begin anew again and again, as they do not shrink by themselves. */
static const struct table_kind growing_tables[] = {
    TABLE("4 slots and more, 1 stripe", 2, 32, 2, 1, 1500),
    TABLE("64 slots and more, 16 str.", 16, 16, 2, 16, 1500),
    TABLE("48 slots and more, 16 str.", 16, 21, 3, 16, 5000),
    TABLE("96 slots and more, 3 str.", 3, 16, 4, 3, 1000),
};

enum {
    SCENARIOS = sizeof scenarios / sizeof scenarios[0],
    TABLES = sizeof tables / sizeof tables[0],
    GROWING_TABLES = sizeof growing_tables / sizeof growing_tables[0]
};

/* Of a filter that grows, so that there are several. */
static const double life_seconds = 0.05;
enum { MOST_LIVES = 10 }; /* without a growth */

struct arguments {
    const char *program;
    double seconds; /* for all together */
    unsigned threads;
    uint64_t seed;
    const char *scenario; /* NULL: all */
};

static double seconds_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

static uint64_t calls_of(struct team *team) {
    uint64_t calls = 0;
    for (unsigned i = 0; i < team->threads; i++) {
        calls += atomic_load(&team->worker[i].calls);
    }
    return calls;
}

static void report(struct team *team, const struct table_kind *kind, uint64_t calls) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    REQUIRE(team, info.sizing.stripes == kind->stripes, "there are %u stripes",
            info.sizing.stripes);
    (void)printf("%-14s %-27s %9llu calls  load %.2f  %8llu moves  %6llu lost races  "
                 "%6llu retries  %s\n",
                 team->scenario, kind->name, (unsigned long long)calls, info.load,
                 (unsigned long long)info.moves, (unsigned long long)info.lost_races,
                 (unsigned long long)info.reader_retries,
                 atomic_load(&team->violations) == 0 ? "ok" : "FAILED");
    if (team->remark[0] != '\0') {
        (void)printf("%15s%s\n", "", team->remark);
    }
}

/* The filter's life, from empty to where the scenario leaves it. */
static bool live(const struct scenario *scenario, struct team *team,
                 const struct table_kind *kind) {
    guira_destroy(team->filter);
    team->filter = NULL;
    if (team_create_filter(team, kind, scenario->single_writer)) {
        scenario->run(team);
    }
    return team->filter != NULL;
}

/* Lives until the time is over, with seeds that go on. On a slow machine a life may be too short to
 * grow, and the next one gets twice the time. */
static void live_again_and_again(const struct scenario *scenario, struct team *team,
                                 const struct table_kind *kind, uint64_t *calls) {
    double seconds = team->seconds;
    uint64_t growths = 0;
    unsigned lives = 0;
    double end = seconds_now() + seconds;
    team->seconds = seconds < life_seconds ? seconds : life_seconds;
    while (lives == 0 || ((seconds_now() < end || (growths == 0 && lives < MOST_LIVES)) &&
                          atomic_load(&team->violations) == 0)) {
        if (!live(scenario, team, kind)) {
            break;
        }
        *calls += calls_of(team);
        growths += growths_by(step_now(team->filter));
        team->seed++;
        team->seconds *= growths == 0 ? 2 : 1;
        lives++;
    }
    REQUIRE(team, growths > 0, "it never grew: the run proves nothing");
    size_t used = strlen(team->remark);
    used += (size_t)snprintf(team->remark + used, sizeof team->remark - used,
                             "%s%u lives, %llu growths", used > 0 ? "; " : "", lives,
                             (unsigned long long)growths);
    if (scenario->tables == GROWING && used < sizeof team->remark) {
        (void)snprintf(team->remark + used, sizeof team->remark - used,
                       ", looked beside them %llu times, else %llu",
                       (unsigned long long)atomic_load(&team->look_ups[true]),
                       (unsigned long long)atomic_load(&team->look_ups[false]));
    }
}

static uint64_t run_one(const struct scenario *scenario, const struct table_kind *kind,
                        const struct arguments *a, double seconds, uint64_t *beside) {
    static struct team team; /* large, and one runs at a time */
    memset(&team, 0, sizeof team);
    team.scenario = scenario->name;
    team.threads = a->threads;
    team.seconds = seconds;
    team.seed = a->seed;
    uint64_t calls = 0;
    if (kind->max_capacity > 0) {
        live_again_and_again(scenario, &team, kind, &calls);
    } else if (live(scenario, &team, kind)) {
        calls = calls_of(&team);
    }
    if (team.filter != NULL) {
        report(&team, kind, calls);
    }
    guira_destroy(team.filter);
    *beside += atomic_load(&team.look_ups[true]);
    return atomic_load(&team.violations);
}

/* How many runs there are: scenarios on tables. */
static unsigned runs_of(const struct scenario *scenario) {
    unsigned runs = 0;
    if ((scenario->tables & FIXED) != 0) {
        runs += TABLES;
    }
    if ((scenario->tables & GROWING) != 0) {
        runs += GROWING_TABLES;
    }
    return runs;
}

static bool is_chosen(const struct scenario *scenario, const struct arguments *a) {
    return a->scenario == NULL || strcmp(a->scenario, scenario->name) == 0;
}

static uint64_t run_on_all(const struct scenario *scenario, const struct arguments *a,
                           double seconds) {
    uint64_t violations = 0;
    uint64_t beside = 0;
    for (size_t j = 0; j < TABLES && (scenario->tables & FIXED) != 0; j++) {
        violations += run_one(scenario, &tables[j], a, seconds, &beside);
    }
    for (size_t j = 0; j < GROWING_TABLES && (scenario->tables & GROWING) != 0; j++) {
        violations += run_one(scenario, &growing_tables[j], a, seconds, &beside);
    }
    if (scenario->tables == GROWING && beside == 0) {
        (void)fprintf(stderr, "%s: no look-up was beside a growth: it proves nothing\n",
                      scenario->name);
        violations++;
    }
    return violations;
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
    unsigned runs = 0;
    for (size_t i = 0; i < SCENARIOS; i++) {
        runs += is_chosen(&scenarios[i], &a) ? runs_of(&scenarios[i]) : 0;
    }
    if (runs == 0) {
        return usage();
    }
    uint64_t violations = 0;
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (is_chosen(&scenarios[i], &a)) {
            violations += run_on_all(&scenarios[i], &a, a.seconds / runs);
        }
    }
    violations += !unrest_report(a.scenario == NULL);
    (void)printf("%s: %llu violations\n", violations == 0 ? "PASS" : "FAIL",
                 (unsigned long long)violations);
    return violations == 0 ? 0 : 1;
}
