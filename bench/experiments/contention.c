/*
 * What threads cost each other, counted and not timed: per million operations, of guira alone.
 */
#include "experiments.h"

#include <stdio.h>

#include "../field.h"
#include "../report.h"
#include "../targets/guira_target.h"

struct counter {
    const char *name;
    uint64_t (*of)(const struct guira_info *info);
};

static uint64_t lock_waits(const struct guira_info *info) {
    return info->lock_waits;
}

static uint64_t lost_races(const struct guira_info *info) {
    return info->lost_races;
}

static uint64_t reader_retries(const struct guira_info *info) {
    return info->reader_retries;
}

static uint64_t searches(const struct guira_info *info) {
    return info->searches;
}

static uint64_t nodes(const struct guira_info *info) {
    return info->nodes;
}

static uint64_t moves(const struct guira_info *info) {
    return info->moves;
}

static const struct counter counters[] = {
    {"lock waits", lock_waits}, {"lost races", lost_races}, {"reader retries", reader_retries},
    {"searches", searches},     {"nodes", nodes},           {"moves", moves},
};

enum { COUNTERS = sizeof counters / sizeof counters[0] };

static struct series *series_for(const struct field *field, const struct contender *c,
                                 unsigned threads, size_t counter) {
    char operation[32];
    (void)snprintf(operation, sizeof operation, "mixed %s", counters[counter].name);
    return series_of(field->experiment, field->wish.log2_slots, operation, c->name, threads,
                     "per million");
}

static void count(const struct field *field, struct contender *c, unsigned threads) {
    const uint64_t operations = field->settings->smoke ? 12800 : 256000;
    struct guira_info before;
    struct guira_info after;
    (void)guira_get_info(guira_of(c->table), &before);
    (void)contender_run(c, MIXED, operations, threads);
    (void)guira_get_info(guira_of(c->table), &after);
    for (size_t i = 0; i < COUNTERS; i++) {
        uint64_t events = counters[i].of(&after) - counters[i].of(&before);
        series_add(series_for(field, c, threads, i), 1e6 * (double)events / (double)operations);
    }
}

void experiment_contention(const struct settings *settings) {
    static const unsigned thread_counts[] = {1, 2, 8, 64};
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("contention", settings, settings->log2_slots[i]);
        field_enter_rates(&field, &target_guira);
        for (size_t j = 0; j < field.count; j++) {
            contender_prepare_mixed(&field.contender[j]);
            for (size_t t = 0; t < sizeof thread_counts / sizeof thread_counts[0]; t++) {
                unsigned threads = thread_counts[t];
                for (unsigned round = 0; round < (settings->rounds + 2) / 3; round++) {
                    count(&field, &field.contender[j], threads);
                }
                for (size_t k = 0; k < COUNTERS; k++) {
                    report(series_for(&field, &field.contender[j], threads, k), NULL);
                }
            }
        }
        field_end(&field);
    }
}
