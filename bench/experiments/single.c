/*
 * One thread: what each operation costs, beside the textbook filter and bare memory. The life of
 * a table: filled slice by slice to 95 % of its slots, brought to its design load, asked, and then
 * a tenth of its keys removed and inserted again.
 */
#include "experiments.h"

#include <math.h>
#include <stdio.h>

#include "../contender.h"
#include "../report.h"
#include "../series.h"

enum { MAX_CONTENDERS = 24 };

/* All contenders of one experiment at one size. */
struct field {
    const char *experiment;
    const struct settings *settings;
    struct contender contender[MAX_CONTENDERS];
    size_t count;
};

/* From one load to another, in evenly spaced pieces. */
struct walk {
    const char *name;
    bool of_design; /* loads are parts of the design load, not of the slots */
    double from, to;
};

static const struct walk slices[] = {
    {"insert 0-50%", false, 0, 0.5},
    {"insert 50-75%", false, 0.5, 0.75},
    {"insert 75-90%", false, 0.75, 0.9},
    {"insert 90-95%", false, 0.9, 0.95},
};
static const struct walk down = {"remove", true, 1, 0.9};
static const struct walk up = {"insert last tenth", true, 0.9, 1};

static void enter(struct field *field, const char *name, const struct target *target,
                  const struct wish *wish) {
    field->contender[field->count++] = contender_make(name, target, wish, 1);
}

static void enter_guira(struct field *field, const struct target *target, struct wish wish) {
    for (size_t i = 0; i < field->settings->rates_count; i++) {
        char name[32];
        wish.rate = field->settings->rates[i];
        (void)snprintf(name, sizeof name, "%s %g%%", target->name, 100 * wish.rate);
        enter(field, name, target, &wish);
    }
}

static struct series *series_for(const struct field *field, const char *operation, size_t i) {
    const struct contender *c = &field->contender[i];
    return series_of(field->experiment, c->wish.log2_slots, operation, c->name, c->threads,
                     "Mops/s");
}

/* Everybody's results of one operation, beside those of the textbook filter, which comes first. */
static void report_all(const struct field *field, const char *operation) {
    for (size_t i = 0; i < field->count; i++) {
        report(series_for(field, operation, i), series_for(field, operation, 0));
    }
}

/* Turns change places each round, as whoever comes after a slow one may find a cooler machine. */
static size_t turn(size_t round, size_t i, size_t count) {
    return round % 2 == 0 ? i : count - 1 - i;
}

static uint64_t at(const struct contender *c, const struct walk *walk, double progress) {
    double load = walk->from + progress * (walk->to - walk->from);
    return (uint64_t)(load * (double)(walk->of_design ? c->design : c->slots));
}

static double walk_piece(struct contender *c, const struct walk *walk, unsigned piece,
                         unsigned pieces) {
    const uint64_t most = 1 << 17; /* some ten milliseconds */
    uint64_t start = at(c, walk, (double)piece / pieces);
    uint64_t end = at(c, walk, (piece + 1.0) / pieces);
    uint64_t count = start < end ? end - start : start - end;
    if (c->full) {
        return NAN;
    }
    contender_bring_to(c, start);
    if (c->full) {
        return NAN;
    }
    contender_warm(c);
    return contender_piece(c, start < end ? INSERT : REMOVE, count < most ? count : most);
}

static void walk_all(struct field *field, const struct walk *walk, unsigned pieces) {
    for (unsigned piece = 0; piece < pieces; piece++) {
        for (size_t i = 0; i < field->count; i++) {
            size_t at_turn = turn(piece, i, field->count);
            double sample = walk_piece(&field->contender[at_turn], walk, piece, pieces);
            series_add(series_for(field, walk->name, at_turn), sample);
        }
    }
    for (size_t i = 0; i < field->count; i++) {
        if (!field->contender[i].full) {
            contender_bring_to(&field->contender[i], at(&field->contender[i], walk, 1));
        }
    }
}

/* As many pieces as make five hundredths of the slots last some milliseconds each. */
static unsigned pieces_for(const struct field *field) {
    double pieces = 0.05 * (double)field->contender[0].slots / (1 << 15);
    unsigned rounds = field->settings->rounds;
    return pieces < 1 ? 1 : pieces > rounds ? rounds : (unsigned)pieces;
}

static void fill_all(struct field *field, unsigned pieces, unsigned fills) {
    for (unsigned fill = 0; fill < fills; fill++) {
        for (size_t i = 0; i < field->count; i++) {
            contender_clear(&field->contender[i]);
        }
        for (size_t s = 0; s < sizeof slices / sizeof slices[0]; s++) {
            walk_all(field, &slices[s], pieces);
        }
    }
    for (size_t s = 0; s < sizeof slices / sizeof slices[0]; s++) {
        report_all(field, slices[s].name);
    }
}

/* Look-ups for the time of a piece, as many as a first guess lets expect. */
static double ask(struct contender *c, enum operation operation, double seconds) {
    const uint64_t guess = 20000;
    contender_warm(c);
    double speed = contender_piece(c, operation, guess);
    double count = 1e6 * speed * seconds;
    return contender_piece(c, operation, count < (double)guess ? guess : (uint64_t)count);
}

static void ask_all(struct field *field) {
    for (unsigned round = 0; round < field->settings->rounds; round++) {
        for (size_t i = 0; i < field->count; i++) {
            size_t at_turn = turn(round, i, field->count);
            struct contender *c = &field->contender[at_turn];
            double seconds = field->settings->seconds;
            series_add(series_for(field, "hit", at_turn), ask(c, HIT, seconds));
            series_add(series_for(field, "miss", at_turn), ask(c, MISS, seconds));
        }
    }
    report_all(field, "hit");
    report_all(field, "miss");
}

static void churn_all(struct field *field, unsigned pieces, unsigned cycles) {
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        walk_all(field, &down, pieces);
        walk_all(field, &up, pieces);
    }
    report_all(field, down.name);
    report_all(field, up.name);
}

static void live(struct field *field) {
    unsigned pieces = pieces_for(field);
    unsigned fills = (field->settings->rounds + pieces - 1) / pieces;
    fill_all(field, pieces, fills);
    for (size_t i = 0; i < field->count; i++) {
        field->contender[i].full = false;
        contender_bring_to(&field->contender[i], field->contender[i].design);
    }
    ask_all(field);
    churn_all(field, pieces, fills);
    for (size_t i = 0; i < field->count; i++) {
        contender_end(&field->contender[i]);
    }
}

void experiment_single(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = {.experiment = "single", .settings = settings};
        struct wish wish = {.log2_slots = settings->log2_slots[i], .seed = settings->seed};
        enter(&field, "textbook", &target_textbook, &wish);
        enter_guira(&field, &target_guira, wish);
        enter_guira(&field, &target_guira_single_writer, wish);
        live(&field);
    }
}
