/*
 * How long calls of one key, and of a batch of 16, take: look-ups while nothing else happens,
 * beside a writer that removes and inserts without a pause, and beside one that stalls with all
 * locks held; and inserts into a table filled to its design load.
 */
#define _DEFAULT_SOURCE /* sched_yield */

#include "experiments.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <sched.h>

#include "../clock.h"
#include "../crew.h"
#include "../field.h"
#include "../histogram.h"
#include "../keys.h"
#include "../report.h"
#include "../support.h"
#include "../targets/guira_target.h"

enum { BLOCK = 64 };

enum scene { QUIET, CHURN, STALL, INSERTS, SCENES };

static const char *const scene_names[SCENES] = {"hit quiet", "hit churn", "hit stall", "insert"};

static const struct {
    const char *name;
    double fraction;
} quantiles[] = {{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}};

enum { QUANTILES = sizeof quantiles / sizeof quantiles[0] };

struct take {
    struct contender *contender;
    enum scene scene;
    uint64_t calls;
    uint64_t overhead; /* ticks that an empty measurement lasts */
    atomic_bool ready; /* the other thread is about its work */
    atomic_bool done;
    struct histogram histogram;
};

static uint64_t overhead(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t start = clock_ticks();
        uint64_t ticks = clock_ticks() - start;
        least = ticks < least ? ticks : least;
    }
    return least;
}

/* Each call with its own clock: of one key, or of a batch. */
static void time_each(struct take *take, target_call call, const uint64_t *keys) {
    void *table = take->contender->table;
    size_t granule = take->contender->target->granule;
    for (size_t i = 0; i < BLOCK; i += granule) {
        uint64_t start = clock_ticks();
        size_t done = call(table, &keys[i], granule);
        uint64_t ticks = clock_ticks() - start;
        if (done != granule) {
            fail("%s, %s: a call failed", take->contender->name, scene_names[take->scene]);
        }
        histogram_add(&take->histogram, ticks > take->overhead ? ticks - take->overhead : 0);
    }
}

static void time_hits(struct take *take) {
    struct contender *c = take->contender;
    uint64_t stride = keys_stride(contender_items(c));
    for (uint64_t i = 0; i < take->calls; i += BLOCK) {
        uint64_t keys[BLOCK];
        keys_present(c, stride, i, keys, BLOCK);
        time_each(take, c->target->lookup, keys);
    }
    c->cursor += take->calls;
}

/* The oldest keys make room. */
static void time_inserts(struct take *take) {
    struct contender *c = take->contender;
    for (uint64_t i = 0; i < take->calls; i += BLOCK) {
        uint64_t keys[BLOCK];
        keys_from(c, c->keys.low, keys, BLOCK);
        if (c->target->remove(c->table, keys, BLOCK) != BLOCK) {
            fail("%s lost keys", c->name);
        }
        keys_from(c, c->keys.high, keys, BLOCK);
        time_each(take, c->target->insert, keys);
        c->keys.low += BLOCK;
        c->keys.high += BLOCK;
    }
}

/* Removes and inserts keys of its own until the other is done. */
static void churn(struct take *take) {
    struct contender *c = take->contender;
    while (!atomic_load(&take->done)) {
        uint64_t key;
        keys_of_part(c, 0, c->mixed[0].low++, &key, 1);
        size_t removed = c->target->remove(c->table, &key, 1);
        keys_of_part(c, 0, c->mixed[0].high++, &key, 1);
        size_t inserted = c->target->insert(c->table, &key, 1);
        if (removed + inserted != 2) {
            fail("%s: the writer's call failed", c->name);
        }
        atomic_store(&take->ready, true);
    }
}

static void stall(struct take *take) {
    struct guira *filter = guira_of(take->contender->table);
    guira_fork_prepare(filter);
    atomic_store(&take->ready, true);
    while (!atomic_load(&take->done)) {
        (void)sched_yield();
    }
    guira_fork_release(filter);
}

static void work(void *shared, unsigned member) {
    struct take *take = shared;
    if (member == 1) {
        (take->scene == CHURN ? churn : stall)(take);
        return;
    }
    bool accompanied = take->scene == CHURN || take->scene == STALL;
    while (accompanied && !atomic_load(&take->ready)) {
        (void)sched_yield();
    }
    (take->scene == INSERTS ? time_inserts : time_hits)(take);
    atomic_store(&take->done, true);
}

static struct series *series_for(const struct field *field, const struct contender *c,
                                 enum scene scene, size_t quantile) {
    char operation[32];
    (void)snprintf(operation, sizeof operation, "%s %s", scene_names[scene],
                   quantiles[quantile].name);
    return series_of(field->experiment, field->wish.log2_slots, operation, c->name, 1, "ns");
}

static bool is_guira(const struct contender *c) {
    return c->target == &target_guira || c->target == &target_guira_batch;
}

static void run(struct field *field, struct contender *c, enum scene scene) {
    struct take *take = zeroed(1, sizeof *take);
    take->contender = c;
    take->scene = scene;
    take->overhead = overhead();
    /* At some 200 ns a look-up and, near full, a microsecond an insert. */
    take->calls = (uint64_t)(field->settings->seconds * (scene == INSERTS ? 2e6 : 1e7));
    contender_warm(c, 1);
    crew_run(scene == CHURN || scene == STALL ? 2 : 1, work, take);
    for (size_t q = 0; q < QUANTILES; q++) {
        series_add(series_for(field, c, scene, q),
                   histogram_quantile(&take->histogram, quantiles[q].fraction) /
                       clock_ticks_per_nanosecond());
    }
    free(take);
}

static void report_scenes(const struct field *field) {
    for (enum scene scene = QUIET; scene < SCENES; scene++) {
        for (size_t i = 0; i < field->count; i++) {
            const struct contender *c = &field->contender[i];
            for (size_t q = 0; q < QUANTILES && (scene != STALL || is_guira(c)); q++) {
                report(series_for(field, c, scene, q),
                       scene == INSERTS ? NULL : series_for(field, c, QUIET, q));
            }
        }
    }
}

static void measure(struct field *field) {
    field_enter_rates(field, &target_guira);
    field_enter_rates(field, &target_guira_batch);
    if (field->wish.log2_slots <= settings_middle_slots(field->settings)) {
        field_enter(field, &target_textbook_mutex);
        field_enter(field, &target_textbook_rwlock);
        field_enter(field, &target_libcuckoo);
    }
    for (size_t i = 0; i < field->count; i++) {
        contender_prepare_mixed(&field->contender[i]);
    }
    for (unsigned round = 0; round < field->settings->rounds; round++) {
        for (size_t i = 0; i < field->count; i++) {
            struct contender *c = &field->contender[field_turn(field, round, i)];
            run(field, c, QUIET);
            run(field, c, CHURN);
            if (is_guira(c)) {
                run(field, c, STALL);
            }
        }
    }
    field_fill_to_design(field);
    for (unsigned round = 0; round < field->settings->rounds; round++) {
        for (size_t i = 0; i < field->count; i++) {
            run(field, &field->contender[field_turn(field, round, i)], INSERTS);
        }
    }
    report_scenes(field);
    field_end(field);
}

void experiment_latency(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("latency", settings, settings->log2_slots[i]);
        measure(&field);
    }
}
