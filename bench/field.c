#include "field.h"

#include <math.h>
#include <stdio.h>

#include "report.h"
#include "support.h"

struct field field_make(const char *experiment, const struct settings *settings,
                        unsigned log2_slots) {
    return (struct field){
        .experiment = experiment,
        .settings = settings,
        .wish = {.log2_slots = log2_slots, .seed = settings->seed},
        .threads = {1},
    };
}

void field_end(struct field *field) {
    for (size_t i = 0; i < field->count; i++) {
        contender_end(&field->contender[i]);
    }
}

static void enter(struct field *field, const char *name, const struct target *target) {
    if (field->count == MAX_CONTENDERS) {
        fail("no place for %s", name);
    }
    struct contender *c = &field->contender[field->count++];
    *c = contender_make(name, target, &field->wish);
    /* The system hands out memory when it is first written to, which is not what is timed. */
    contender_bring_to(c, c->slots / 32);
    contender_clear(c);
}

void field_enter(struct field *field, const struct target *target) {
    enter(field, target->name, target);
}

void field_enter_wish(struct field *field, const struct target *target, const char *what) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s %s", target->name, what);
    enter(field, name, target);
}

void field_enter_rates(struct field *field, const struct target *target) {
    for (size_t i = 0; i < field->settings->rates_count; i++) {
        char what[32];
        field->wish.rate = field->settings->rates[i];
        (void)snprintf(what, sizeof what, "%g%%", 100 * field->wish.rate);
        field_enter_wish(field, target, what);
    }
}

void field_clear(struct field *field) {
    for (size_t i = 0; i < field->count; i++) {
        contender_clear(&field->contender[i]);
    }
}

void field_fill_to_design(struct field *field) {
    for (size_t i = 0; i < field->count; i++) {
        struct contender *c = &field->contender[i];
        c->full = false;
        contender_bring_to(c, c->design - contender_mixed_items(c));
        if (c->full) {
            fail("%s is full below its design load", c->name);
        }
    }
}

struct series *field_series(const struct field *field, const char *operation,
                            const struct contender *contender, unsigned threads) {
    return series_of(field->experiment, field->wish.log2_slots, operation, contender->name, threads,
                     "Mops/s");
}

static bool may_have(const struct contender *contender, unsigned threads) {
    return threads == 1 || contender->target->shared;
}

void field_report(const struct field *field, const char *operation) {
    for (const unsigned *threads = field->threads; *threads != 0; threads++) {
        for (size_t i = 0; i < field->count; i++) {
            const struct contender *c = &field->contender[i];
            if (may_have(c, *threads)) {
                report(field_series(field, operation, c, *threads),
                       field_series(field, operation, &field->contender[0], *threads));
            }
        }
    }
}

size_t field_turn(const struct field *field, size_t round, size_t i) {
    return round % 2 == 0 ? i : field->count - 1 - i;
}

static uint64_t items_at(const struct contender *c, const struct walk *walk, double progress) {
    double load = walk->from + progress * (walk->to - walk->from);
    return (uint64_t)(load * (double)(walk->of_design ? c->design : c->slots));
}

unsigned field_pieces(const struct field *field) {
    const double least = 1 << 15; /* operations */
    double pieces = 0.05 * ldexp(1, (int)field->wish.log2_slots) / least;
    unsigned rounds = field->settings->rounds;
    return pieces < 1 ? 1 : pieces > rounds ? rounds : (unsigned)pieces;
}

/* One contender's piece, on each number of threads, from where the walk has come to. */
static void walk_piece(struct field *field, struct contender *c, const struct walk *walk,
                       unsigned piece, unsigned pieces) {
    const uint64_t most = 1 << 17; /* operations: some ten milliseconds */
    enum operation operation = walk->from < walk->to ? INSERT : REMOVE;
    uint64_t start = items_at(c, walk, (double)piece / pieces);
    uint64_t end = items_at(c, walk, (piece + 1.0) / pieces);
    uint64_t count = operation == INSERT ? end - start : start - end;
    unsigned shares = 1;
    while (field->threads[shares] != 0) {
        shares++;
    }
    count = count / shares < most ? count / shares : most;
    if (!c->full) {
        contender_bring_to(c, start);
    }
    /* Who cannot remove does not come to where a second walk begins. */
    bool able = !c->full && contender_items(c) == start;
    for (unsigned i = 0; i < shares; i++) {
        unsigned threads = field->threads[piece % 2 == 0 ? i : shares - 1 - i];
        if (may_have(c, threads)) {
            double sample = NAN;
            if (able) {
                contender_warm(c, threads);
                sample = contender_run(c, operation, count, threads);
            }
            series_add(field_series(field, walk->name, c, threads), sample);
        }
    }
}

void field_walk(struct field *field, const struct walk *walk, unsigned pieces) {
    for (unsigned piece = 0; piece < pieces; piece++) {
        for (size_t i = 0; i < field->count; i++) {
            walk_piece(field, &field->contender[field_turn(field, piece, i)], walk, piece, pieces);
        }
    }
    for (size_t i = 0; i < field->count; i++) {
        struct contender *c = &field->contender[i];
        if (!c->full) {
            contender_bring_to(c, items_at(c, walk, 1));
        }
    }
}

void field_walk_rounds(struct field *field, const struct walk *walk) {
    unsigned pieces = field_pieces(field);
    for (unsigned done = 0; done < field->settings->rounds; done += pieces) {
        field_clear(field);
        field_walk(field, walk, pieces);
    }
    field_report(field, walk->name);
}

/* For the time of a piece, as many operations as a first guess lets expect. */
static double timed(struct contender *c, enum operation operation, unsigned threads,
                    double seconds) {
    const double guess = 20000;
    contender_warm(c, threads);
    double speed = contender_run(c, operation, (uint64_t)guess, threads);
    double count = 1e6 * speed * seconds;
    if (isnan(speed)) {
        return NAN;
    }
    return contender_run(c, operation, (uint64_t)(count < guess ? guess : count), threads);
}

void field_rounds(struct field *field, const char *name, enum operation operation, unsigned rounds,
                  double seconds) {
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < field->count; i++) {
            struct contender *c = &field->contender[field_turn(field, round, i)];
            for (const unsigned *threads = field->threads; *threads != 0; threads++) {
                if (may_have(c, *threads)) {
                    series_add(field_series(field, name, c, *threads),
                               timed(c, operation, *threads, seconds));
                }
            }
        }
    }
    field_report(field, name);
}
