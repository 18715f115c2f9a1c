/*
 * Filters that take a hundred times the keys that they were made for: what an insert costs, on
 * average and at worst, with all growing in it; how throughput and memory go over time; look-ups of
 * a reader beside the writer; and what a chain of filters that cannot grow does instead, its wrong
 * removes too.
 */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "experiments.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "../clock.h"
#include "../crew.h"
#include "../histogram.h"
#include "../report.h"
#include "../series.h"
#include "../support.h"
#include "growers.h"

enum {
    SLICES = 500, /* of the inserts, that the plot shows */
    LEAST_QUERIES = 1 << 20
};

struct growth {
    struct expectation expectation;
    uint64_t overhead; /* ticks that an empty measurement lasts */
    FILE *slices;      /* of the first round; NULL: not wanted */
};

/* What is said of one contender. */
struct entry {
    const struct growth *growth;
    const struct grower *grower;
    void *table;
};

/* ---- Keys and figures ------------------------------------------------------------------------ */

static uint64_t key_of(const struct entry *e, uint64_t number) {
    return mix(number + e->growth->expectation.seed);
}

/* Never inserted. */
static uint64_t absent_key(const struct entry *e, uint64_t number) {
    return key_of(e, number + (UINT64_C(1) << 48));
}

static void add(const struct entry *e, const char *operation, const char *unit, double figure) {
    series_add(series_of("growth", 0, operation, e->grower->name, 1, unit), figure);
}

static double nanoseconds(uint64_t ticks) {
    return (double)ticks / clock_ticks_per_nanosecond();
}

static uint64_t empty_measurement(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t start = clock_ticks();
        uint64_t ticks = clock_ticks() - start;
        least = ticks < least ? ticks : least;
    }
    return least;
}

/* What the process has in memory, in MB; 0 where the system does not tell. */
static double resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 0;
    }
    char line[128];
    char *end = line;
    bool read = fgets(line, sizeof line, file) != NULL;
    (void)fclose(file);
    if (!read || strtoull(line, &end, 10) == 0) {
        return 0;
    }
    return 1e-6 * (double)strtoull(end, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

/* ---- Inserts --------------------------------------------------------------------------------- */

static void insert_or_fail(const struct entry *e, uint64_t number) {
    if (!e->grower->insert(e->table, key_of(e, number))) {
        fail("%s: insert %llu failed", e->grower->name, (unsigned long long)number);
    }
}

static void fill(struct entry *e) {
    double before = resident();
    double most = 0;
    e->table = e->grower->create(&e->growth->expectation);
    uint64_t all = e->growth->expectation.all;
    uint64_t spent = 0;
    for (uint64_t slice = 0; slice < SLICES; slice++) {
        uint64_t from = all * slice / SLICES;
        uint64_t to = all * (slice + 1) / SLICES;
        uint64_t start = clock_ticks();
        for (uint64_t i = from; i < to; i++) {
            insert_or_fail(e, i);
        }
        uint64_t ticks = clock_ticks() - start;
        spent += ticks;
        double now = resident() - before;
        most = now > most ? now : most;
        if (e->growth->slices != NULL) {
            (void)fprintf(e->growth->slices, "%s,%.6f,%llu,%.4f,%.3f\n", e->grower->name,
                          clock_seconds(spent), (unsigned long long)to,
                          1e-6 * (double)(to - from) / clock_seconds(ticks), now);
        }
    }
    add(e, "insert", "ns", nanoseconds(spent) / (double)all);
    add(e, "memory, most", "MB", most);
    add(e, "memory, end", "MB", resident() - before);
}

static void time_inserts(struct entry *e) {
    static const struct {
        const char *name;
        double fraction;
    } quantiles[] = {{"insert p50", 0.5},
                     {"insert p99.9", 0.999},
                     {"insert p99.999", 0.99999},
                     {"insert longest", 1}};
    struct histogram *histogram = zeroed(1, sizeof *histogram);
    e->table = e->grower->create(&e->growth->expectation);
    for (uint64_t i = 0; i < e->growth->expectation.all; i++) {
        uint64_t start = clock_ticks();
        insert_or_fail(e, i);
        uint64_t ticks = clock_ticks() - start;
        histogram_add(histogram, ticks > e->growth->overhead ? ticks - e->growth->overhead : 0);
    }
    for (size_t q = 0; q < sizeof quantiles / sizeof quantiles[0]; q++) {
        double ticks = histogram_quantile(histogram, quantiles[q].fraction);
        add(e, quantiles[q].name, "us", 1e-3 * ticks / clock_ticks_per_nanosecond());
    }
    e->grower->destroy(e->table);
    free(histogram);
}

/* ---- Look-ups and removes of what is there --------------------------------------------------- */

static uint64_t queries(const struct growth *growth) {
    uint64_t all = growth->expectation.all;
    return all < LEAST_QUERIES ? all : LEAST_QUERIES;
}

static void look_up(struct entry *e) {
    uint64_t count = queries(e->growth);
    uint64_t all = e->growth->expectation.all;
    uint64_t hits = 0;
    uint64_t false_positives = 0;
    uint64_t start = clock_ticks();
    for (uint64_t i = 0; i < count; i++) {
        hits += e->grower->contains(e->table, key_of(e, scale(mix(i), all)));
    }
    uint64_t middle = clock_ticks();
    for (uint64_t i = 0; i < count; i++) {
        false_positives += e->grower->contains(e->table, absent_key(e, i));
    }
    uint64_t end = clock_ticks();
    if (hits != count) {
        fail("%s lost keys while it grew", e->grower->name);
    }
    add(e, "hit", "ns", nanoseconds(middle - start) / (double)count);
    add(e, "miss", "ns", nanoseconds(end - middle) / (double)count);
    add(e, "false positives", "%", 100 * (double)false_positives / (double)count);
}

/* Every second key goes. Each of the others that is no longer found was lost to a remove of another
 * key. */
static void remove_half(struct entry *e) {
    uint64_t all = e->growth->expectation.all;
    uint64_t start = clock_ticks();
    for (uint64_t i = 0; i < all; i += 2) {
        (void)e->grower->remove(e->table, key_of(e, i));
    }
    uint64_t ticks = clock_ticks() - start;
    uint64_t lost = 0;
    for (uint64_t i = 1; i < all; i += 2) {
        lost += !e->grower->contains(e->table, key_of(e, i));
    }
    double half = (double)all / 2;
    add(e, "remove", "ns", nanoseconds(ticks) / half);
    add(e, "lost by removes", "/million", 1e6 * (double)lost / half);
}

/* ---- Look-ups beside the writer -------------------------------------------------------------- */

struct watch {
    struct entry *entry;
    atomic_bool grown;
    bool quiet; /* nothing is inserted, and so many look-ups are made: */
    uint64_t count;
    struct histogram histogram;
};

/* Keys that were there from the beginning. */
static void time_hits(struct watch *watch) {
    const struct entry *e = watch->entry;
    uint64_t overhead = e->growth->overhead;
    for (uint64_t i = 0; watch->quiet ? i < watch->count : !atomic_load(&watch->grown); i++) {
        uint64_t key = key_of(e, scale(mix(i), e->growth->expectation.first));
        uint64_t start = clock_ticks();
        bool found = e->grower->contains(e->table, key);
        uint64_t ticks = clock_ticks() - start;
        if (!found) {
            fail("%s lost a key while it grew", e->grower->name);
        }
        histogram_add(&watch->histogram, ticks > overhead ? ticks - overhead : 0);
    }
}

static void work(void *shared, unsigned member) {
    struct watch *watch = shared;
    if (member == 1 || watch->quiet) {
        time_hits(watch);
        return;
    }
    const struct expectation *expectation = &watch->entry->growth->expectation;
    for (uint64_t i = expectation->first; i < expectation->all; i++) {
        insert_or_fail(watch->entry, i);
    }
    atomic_store(&watch->grown, true);
}

static void watch_hits(struct entry *e, bool quiet) {
    static const double fractions[] = {0.5, 0.999, 0.99999};
    struct watch *watch = zeroed(1, sizeof *watch);
    watch->entry = e;
    watch->quiet = quiet;
    watch->count = queries(e->growth);
    crew_run(quiet ? 1 : 2, work, watch);
    for (size_t q = 0; q < sizeof fractions / sizeof fractions[0]; q++) {
        char operation[32];
        (void)snprintf(operation, sizeof operation, "hit %s p%g", quiet ? "quiet" : "beside",
                       100 * fractions[q]);
        add(e, operation, "us",
            1e-3 * histogram_quantile(&watch->histogram, fractions[q]) /
                clock_ticks_per_nanosecond());
    }
    free(watch);
}

static void look_up_beside(struct entry *e) {
    e->table = e->grower->create(&e->growth->expectation);
    for (uint64_t i = 0; i < e->growth->expectation.first; i++) {
        insert_or_fail(e, i);
    }
    watch_hits(e, false);
    watch_hits(e, true);
    e->grower->destroy(e->table);
}

/* ---- The experiment -------------------------------------------------------------------------- */

static void take_turn(const struct growth *growth, const struct grower *grower) {
    struct entry e = {.growth = growth, .grower = grower};
    fill(&e);
    look_up(&e);
    remove_half(&e);
    grower->destroy(e.table);
    time_inserts(&e);
    if (grower != &growers[GROWERS - 1]) { /* a chain is no filter for two threads */
        look_up_beside(&e);
    }
}

static FILE *open_slices(const struct settings *settings) {
    char path[4096];
    if (settings->folder == NULL) {
        return NULL;
    }
    (void)snprintf(path, sizeof path, "%s/growth.csv", settings->folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fail("cannot write %s", path);
    }
    (void)fputs("contender,seconds,items,million_inserts_a_second,resident_mb\n", file);
    return file;
}

static void report_all(void) {
    const struct grower *full = &growers[0];
    for (size_t i = 0; i < series_count(); i++) {
        const struct series *s = series_at(i);
        if (strcmp(s->experiment, "growth") == 0) {
            report(series_of("growth", 0, s->operation, s->contender, 1, s->unit),
                   series_find("growth", 0, s->operation, full->name, 1));
        }
    }
}

void experiment_growth(const struct settings *settings) {
    struct growth growth = {
        .expectation = {.first = settings->grow_to / 100,
                        .all = settings->grow_to,
                        .rate = 0.01,
                        .seed = settings->seed},
        .overhead = empty_measurement(),
        .slices = open_slices(settings),
    };
    for (unsigned round = 0; round < (settings->rounds + 4) / 5; round++) {
        for (size_t i = 0; i < GROWERS; i++) {
            take_turn(&growth, &growers[(i + round) % GROWERS]);
        }
        if (growth.slices != NULL && fclose(growth.slices) != 0) {
            fail("cannot write results");
        }
        growth.slices = NULL;
    }
    report_all();
}
