/*
 * Saving, copying and loading a filter at its design load, and how long a writer beside waits for
 * it. What is saved goes nowhere, so that no disk is measured; maps are of a file in the page
 * cache.
 */
#define _DEFAULT_SOURCE /* sched_yield */

#include "experiments.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <sched.h>
#include <unistd.h>

#include "../clock.h"
#include "../crew.h"
#include "../field.h"
#include "../keys.h"
#include "../report.h"
#include "../support.h"
#include "../targets/guira_target.h"

enum job { NOTHING, SAVE, SAVE_IN_PLACE, CLONE, LOAD, MAP, MAP_UNVERIFIED, JOBS };

static const char *const job_names[JOBS] = {"no save", "save", "save in place", "clone",
                                            "load",    "map",  "map unverified"};

/* A writer works beside those that read a filter in use. */
static bool has_writer(enum job job) {
    return job <= CLONE;
}

struct take {
    struct contender *contender;
    const char *path;
    enum job job;
    uint64_t ticks;    /* that the job lasted */
    uint64_t slowest;  /* ticks of the writer's slowest step */
    atomic_bool ready; /* the writer is about its work */
    atomic_bool done;
};

static int swallow(void *context, const void *bytes, size_t length) {
    (void)context;
    (void)bytes;
    (void)length;
    return 0;
}

static enum guira_status carry_out(const struct take *take, struct guira **made) {
    const struct guira *filter = guira_of(take->contender->table);
    static const struct guira_save_options in_place = {.in_place = true};
    static const struct guira_load_options unverified = {.unverified = true};
    switch (take->job) {
    case SAVE:
        return guira_save(filter, NULL, swallow, NULL);
    case SAVE_IN_PLACE:
        return guira_save(filter, &in_place, swallow, NULL);
    case CLONE:
        return guira_clone(filter, made);
    case LOAD:
        return guira_load_file(NULL, take->path, made);
    case MAP:
        return guira_map_file(NULL, take->path, made);
    case MAP_UNVERIFIED:
        return guira_map_file(&unverified, take->path, made);
    default:
        /* As long as a save, so that the writer's slowest step is found among as many. */
        (void)usleep(50000);
        return GUIRA_OK;
    }
}

static void work_beside(struct take *take) {
    struct contender *c = take->contender;
    while (!atomic_load(&take->done)) {
        uint64_t out;
        uint64_t in;
        keys_of_part(c, 0, c->mixed[0].low++, &out, 1);
        keys_of_part(c, 0, c->mixed[0].high++, &in, 1);
        uint64_t start = clock_ticks();
        size_t changed = c->target->remove(c->table, &out, 1) + c->target->insert(c->table, &in, 1);
        uint64_t ticks = clock_ticks() - start;
        if (changed != 2) {
            fail("%s: the writer's call failed", c->name);
        }
        take->slowest = ticks > take->slowest ? ticks : take->slowest;
        atomic_store(&take->ready, true);
    }
}

static void work(void *shared, unsigned member) {
    struct take *take = shared;
    if (member == 1) {
        work_beside(take);
        return;
    }
    while (has_writer(take->job) && !atomic_load(&take->ready)) {
        (void)sched_yield();
    }
    struct guira *made = NULL;
    uint64_t start = clock_ticks();
    enum guira_status status = carry_out(take, &made);
    take->ticks = clock_ticks() - start;
    atomic_store(&take->done, true);
    if (status != GUIRA_OK) {
        fail("%s: %s", job_names[take->job], guira_status_text(status));
    }
    guira_destroy(made);
}

static struct series *series_for(const struct field *field, const struct contender *c, enum job job,
                                 const char *what) {
    char operation[32];
    (void)snprintf(operation, sizeof operation, "%s%s", job_names[job], what);
    return series_of(field->experiment, field->wish.log2_slots, operation, c->name, 1, "ms");
}

static double milliseconds(uint64_t ticks) {
    return 1e3 * clock_seconds(ticks);
}

static void measure(struct field *field, struct contender *c, const char *path) {
    for (enum job job = NOTHING; job < JOBS; job++) {
        struct take take = {.contender = c, .path = path, .job = job};
        contender_warm(c, 1);
        crew_run(has_writer(job) ? 2 : 1, work, &take);
        if (job != NOTHING) {
            series_add(series_for(field, c, job, ""), milliseconds(take.ticks));
        }
        if (has_writer(job)) {
            series_add(series_for(field, c, job, ", pause"), milliseconds(take.slowest));
        }
    }
}

static void report_all(const struct field *field, const struct contender *c) {
    for (enum job job = NOTHING; job < JOBS; job++) {
        if (job != NOTHING) {
            report(series_for(field, c, job, ""), NULL);
        }
        if (has_writer(job)) {
            report(series_for(field, c, job, ", pause"), NULL);
        }
    }
}

/* A file of its own, in the folder for temporary files. */
static void save_to_temporary(const struct contender *c, char *path) {
    int file = mkstemp(path);
    if (file < 0 || guira_save_fd(guira_of(c->table), NULL, file) != GUIRA_OK || close(file) != 0) {
        fail("cannot write %s", path);
    }
}

void experiment_files(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("files", settings, settings->log2_slots[i]);
        field.wish.rate = settings->rates[settings->rates_count / 2];
        char what[16];
        (void)snprintf(what, sizeof what, "%g%%", 100 * field.wish.rate);
        field_enter_wish(&field, &target_guira, what);
        struct contender *c = &field.contender[0];
        contender_prepare_mixed(c);
        char path[] = "/tmp/guira_bench_XXXXXX";
        save_to_temporary(c, path);
        for (unsigned round = 0; round < (settings->rounds + 2) / 3; round++) {
            measure(&field, c, path);
        }
        (void)unlink(path);
        report_all(&field, c);
        field_end(&field);
    }
}
