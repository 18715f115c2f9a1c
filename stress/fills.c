/*
 * guira_fills: measure what docs/sizing.md claims, by fills with random keys.
 *
 *     guira_fills --tag-bits F --window W --buckets M --fills K [--seed S]
 *     guira_fills --capacity N --rate R [--chance P] [--compact] --fills K [--seed S]
 *
 * The first form fills a table until an insert fails. It prints the load at that moment, mean and
 * minimum, the slots searched per insert over the last tenth of the keys before, and the load that
 * the library promises for such a table.
 *
 * The second form fills a filter with the N distinct keys that it promises room for. It prints how
 * many of K fills failed beside the P * K that the promise allows, and ends with 1 if more than
 * 3 + 5 * P * K did, which a promise that holds allows in less than one run in 10,000.
 *
 * Fill i of a run has seed S + i, from which its keys follow: --fills 1 --seed X replays the fill
 * that a line names as X.
 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <stdio.h>
#include <time.h>

#include <guira/guira.h>

#include "arguments.h"
#include "hash.h"

struct run {
    struct guira_options options;
    struct guira_sizing sizing;
    struct guira *filter; /* its seed is always the same: keys are random, and making one is slow */
    uint64_t fills;
    uint64_t seed;
    double slots;
};

/* Insert keys number `from` to `to` - 1 of a fill, all distinct, until one fails. Returns the
 * number of that one, or `to`. */
static uint64_t insert_keys(struct guira *filter, uint64_t seed, uint64_t from, uint64_t to) {
    uint64_t first = mix_bits(seed);
    while (from < to && guira_insert_u64(filter, mix_bits(first + from * GOLDEN)) == GUIRA_OK) {
        from++;
    }
    return from;
}

static uint64_t nodes_of(const struct guira *filter) {
    struct guira_info info;
    (void)guira_get_info(filter, &info);
    return info.nodes;
}

/* Slots searched per insert over the last tenth of so many keys. */
static double nodes_per_insert(struct guira *filter, uint64_t seed, uint64_t keys) {
    uint64_t start = keys - (keys + 9) / 10;
    (void)guira_clear(filter);
    (void)insert_keys(filter, seed, 0, start);
    uint64_t before = nodes_of(filter);
    (void)insert_keys(filter, seed, start, keys);
    return (double)(nodes_of(filter) - before) / (double)(keys - start);
}

static void print_geometry(const struct run *run) {
    const struct guira_sizing *s = &run->sizing;
    (void)printf("f %u w %u k %u M %llu slots %.0f fills %llu seed %llu ", s->tag_bits, s->window,
                 s->slots_per_bucket, (unsigned long long)s->buckets, run->slots,
                 (unsigned long long)run->fills, (unsigned long long)run->seed);
}

static int measure_load(const struct run *run) {
    uint64_t sum = 0;
    uint64_t least = UINT64_MAX;
    uint64_t least_seed = run->seed;
    double nodes = 0;
    for (uint64_t i = 0; i < run->fills; i++) {
        (void)guira_clear(run->filter);
        uint64_t keys = insert_keys(run->filter, run->seed + i, 0, UINT64_MAX);
        nodes += nodes_per_insert(run->filter, run->seed + i, keys);
        sum += keys;
        if (keys < least) {
            least = keys;
            least_seed = run->seed + i;
        }
    }
    print_geometry(run);
    (void)printf("mean %.4f min %.4f min-seed %llu nodes %.1f promised %.4f\n",
                 (double)sum / (double)run->fills / run->slots, (double)least / run->slots,
                 (unsigned long long)least_seed, nodes / (double)run->fills,
                 (double)run->sizing.capacity / run->slots);
    return 0;
}

static int measure_promise(const struct run *run) {
    uint64_t n = run->options.capacity;
    uint64_t failed = 0;
    uint64_t failed_seed = 0;
    for (uint64_t i = 0; i < run->fills; i++) {
        (void)guira_clear(run->filter);
        if (insert_keys(run->filter, run->seed + i, 0, n) < n && failed++ == 0) {
            failed_seed = run->seed + i;
        }
    }
    double chance = run->options.failure_chance;
    double allowed = chance * (double)run->fills;
    bool kept = (double)failed <= 3 + 5 * allowed;
    (void)printf("n %llu rate %g chance %g compact %d ", (unsigned long long)n,
                 run->options.false_positive_rate, chance, run->options.compact);
    print_geometry(run);
    (void)printf("load %.4f failed %llu allowed %g ", (double)n / run->slots,
                 (unsigned long long)failed, allowed);
    if (failed > 0) {
        (void)printf("failed-seed %llu ", (unsigned long long)failed_seed);
    }
    (void)printf("%s\n", kept ? "ok" : "BROKEN");
    return kept ? 0 : 1;
}

static bool parse(int argc, char **argv, struct run *run) {
    static const struct option known[] = {
        {"tag-bits", required_argument, NULL, 'f'}, {"window", required_argument, NULL, 'w'},
        {"buckets", required_argument, NULL, 'm'},  {"capacity", required_argument, NULL, 'n'},
        {"rate", required_argument, NULL, 'r'},     {"chance", required_argument, NULL, 'p'},
        {"compact", no_argument, NULL, 'c'},        {"fills", required_argument, NULL, 'k'},
        {"seed", required_argument, NULL, 's'},     {NULL, 0, NULL, 0}};
    struct guira_options *o = &run->options;
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case 'f':
            o->tag_bits = (uint32_t)whole_argument("tag-bits", optarg, 1, UINT32_MAX);
            break;
        case 'w':
            o->window = (uint32_t)whole_argument("window", optarg, 1, UINT32_MAX);
            break;
        case 'm':
            o->buckets = whole_argument("buckets", optarg, 1, UINT32_MAX);
            break;
        case 'n':
            o->capacity = whole_argument("capacity", optarg, 1, UINT32_MAX);
            break;
        case 'r':
            o->false_positive_rate = real_argument("rate", optarg, 0, 1);
            break;
        case 'p':
            o->failure_chance = real_argument("chance", optarg, GUIRA_MIN_FAILURE_CHANCE, 1);
            break;
        case 'c':
            o->compact = true;
            break;
        case 'k':
            run->fills = whole_argument("fills", optarg, 1, UINT32_MAX);
            break;
        case 's':
            run->seed = seed_argument(optarg);
            break;
        default:
            return false;
        }
    }
    return optind == argc && run->fills > 0;
}

int main(int argc, char **argv) {
    struct run run = {.seed = (uint64_t)time(NULL)};
    run.options.failure_chance = GUIRA_DEFAULT_FAILURE_CHANCE;
    run.options.single_writer = true;
    run.options.seed = 1;
    enum guira_status status = GUIRA_OK;
    bool parsed = parse(argc, argv, &run);
    if (!parsed || (status = guira_size_for(&run.options, &run.sizing)) != GUIRA_OK ||
        (status = guira_create(&run.options, &run.filter)) != GUIRA_OK) {
        (void)fprintf(stderr,
                      "guira_fills: %s\nusage: guira_fills --tag-bits F --window W --buckets M "
                      "--fills K [--seed S]\n       guira_fills --capacity N --rate R [--chance P] "
                      "[--compact] --fills K [--seed S]\n",
                      parsed ? guira_status_text(status) : "arguments are missing or wrong");
        return 2;
    }
    run.slots = (double)run.sizing.buckets * run.sizing.slots_per_bucket;
    int result = run.options.capacity > 0 ? measure_promise(&run) : measure_load(&run);
    guira_destroy(run.filter);
    return result;
}
