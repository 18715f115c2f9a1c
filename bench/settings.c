#define _GNU_SOURCE /* getopt_long */

#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <getopt.h>

#include "experiments/experiments.h"

static const char usage[] = "Usage: guira_bench [OPTIONS]\n"
                            "\n"
                            "  --only NAME,...     run these experiments, by default all:\n"
                            "                     ";
static const char usage_end[] =
    "\n"
    "  --slots N,...       tables of 2^N slots (default: 18,22,26)\n"
    "  --rates R,...       guira's geometries for these rates of false positives\n"
    "                      (default: 0.03,0.01,0.001,0.0001)\n"
    "  --rounds N          rounds of each measurement (default: 15)\n"
    "  --seconds S         time of one contender in one round (default: 0.01)\n"
    "  --seed N            seed of all keys and filters (default: 1)\n"
    "  --grow-to N         items that filters grow to, from a hundredth of them\n"
    "                      (default: 10000000)\n"
    "  --smoke             everything tiny, to see that it runs\n"
    "  --out FOLDER        write results.csv, results.json and summary.md there\n"
    "  --help              print this\n";

static void print_usage(FILE *stream) {
    (void)fputs(usage, stream);
    for (const struct experiment *e = experiments; e->name != NULL; e++) {
        (void)fprintf(stream, " %s", e->name);
    }
    (void)fputs(usage_end, stream);
}

static _Noreturn void refuse(const char *option, const char *value) {
    (void)fprintf(stderr, "guira_bench: no good value for --%s: %s\n", option, value);
    exit(2);
}

static double number(const char *option, const char *text, double least, double most) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    /* Written so that NAN is refused. */
    if (end == text || *end != '\0' || errno != 0 || !(value >= least && value <= most)) {
        refuse(option, text);
    }
    return value;
}

static uint64_t integer(const char *option, const char *text, uint64_t least, uint64_t most) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < least ||
        value > most) {
        refuse(option, text);
    }
    return value;
}

/* Cut a list at its commas, in place. */
static size_t split(const char *option, char *text, const char **items) {
    size_t count = 0;
    char *rest;
    for (char *item = strtok_r(text, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
        if (count == MAX_LIST) {
            refuse(option, item);
        }
        items[count++] = item;
    }
    if (count == 0) {
        refuse(option, text);
    }
    return count;
}

static void check_experiments(const struct settings *settings) {
    for (size_t i = 0; i < settings->only_count; i++) {
        const struct experiment *e = experiments;
        while (e->name != NULL && strcmp(e->name, settings->only[i]) != 0) {
            e++;
        }
        if (e->name == NULL) {
            refuse("only", settings->only[i]);
        }
    }
}

static void set_slots(struct settings *settings, char *value) {
    const char *items[MAX_LIST];
    settings->slots_count = split("slots", value, items);
    for (size_t i = 0; i < settings->slots_count; i++) {
        settings->log2_slots[i] = (unsigned)integer("slots", items[i], 14, 30);
    }
}

static void set_rates(struct settings *settings, char *value) {
    const char *items[MAX_LIST];
    settings->rates_count = split("rates", value, items);
    for (size_t i = 0; i < settings->rates_count; i++) {
        settings->rates[i] = number("rates", items[i], 1e-6, 0.1);
    }
}

/* Small enough to end in seconds under a slow machine; figures mean nothing then. */
static void set_smoke(struct settings *settings) {
    settings->smoke = true;
    settings->log2_slots[0] = 14;
    settings->slots_count = 1;
    settings->rounds = 2;
    settings->seconds = 0.0005;
    settings->grow_to = 20000;
}

enum choice { ONLY, SLOTS, RATES, ROUNDS, SECONDS, SEED, GROW_TO, SMOKE, OUT, HELP };

static void set(struct settings *settings, enum choice choice, char *value) {
    switch (choice) {
    case ONLY:
        settings->only_count = split("only", value, settings->only);
        check_experiments(settings);
        break;
    case SLOTS:
        set_slots(settings, value);
        break;
    case RATES:
        set_rates(settings, value);
        break;
    case ROUNDS:
        settings->rounds = (unsigned)integer("rounds", value, 1, 1000);
        break;
    case SECONDS:
        settings->seconds = number("seconds", value, 1e-5, 10);
        break;
    case SEED:
        settings->seed = integer("seed", value, 0, UINT64_MAX);
        break;
    case GROW_TO:
        settings->grow_to = integer("grow-to", value, 10000, UINT64_C(10000000000));
        break;
    case SMOKE:
        set_smoke(settings);
        break;
    case OUT:
        settings->folder = value;
        break;
    case HELP:
        print_usage(stdout);
        exit(0);
    }
}

struct settings settings_from(int count, char **arguments) {
    static const struct option options[] = {
        {"only", required_argument, NULL, ONLY},
        {"slots", required_argument, NULL, SLOTS},
        {"rates", required_argument, NULL, RATES},
        {"rounds", required_argument, NULL, ROUNDS},
        {"seconds", required_argument, NULL, SECONDS},
        {"seed", required_argument, NULL, SEED},
        {"grow-to", required_argument, NULL, GROW_TO},
        {"smoke", no_argument, NULL, SMOKE},
        {"out", required_argument, NULL, OUT},
        {"help", no_argument, NULL, HELP},
        {NULL, 0, NULL, 0},
    };
    struct settings settings = {
        .log2_slots = {18, 22, 26},
        .slots_count = 3,
        .rates = {0.03, 0.01, 0.001, 0.0001},
        .rates_count = 4,
        .rounds = 15,
        .seconds = 0.01,
        .seed = 1,
        .grow_to = 10000000,
    };
    int found;
    while ((found = getopt_long(count, arguments, "", options, NULL)) != -1) {
        if (found == '?') {
            exit(2);
        }
        set(&settings, (enum choice)found, optarg);
    }
    if (optind < count) {
        (void)fprintf(stderr, "guira_bench: unexpected argument: %s\n", arguments[optind]);
        exit(2);
    }
    return settings;
}
