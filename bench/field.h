/*
 * All contenders of one experiment at one size, and their rounds: in each round every contender has
 * its turn, on each number of threads, and adds one sample to its series.
 */
#ifndef GUIRA_BENCH_FIELD_H
#define GUIRA_BENCH_FIELD_H

#include <stddef.h>

#include "contender.h"
#include "series.h"
#include "settings.h"

enum { MAX_CONTENDERS = 24, MAX_THREAD_COUNTS = 8 };

struct field {
    const char *experiment;
    const struct settings *settings;
    struct wish wish;
    unsigned threads[MAX_THREAD_COUNTS]; /* ends with a 0; targets not made for more get only 1 */
    struct contender contender[MAX_CONTENDERS]; /* the first is what the others are compared with */
    size_t count;
};

/* From one load to another, in evenly spaced pieces. */
struct walk {
    const char *name;
    bool of_design; /* loads are parts of the design load, not of the slots */
    double from, to;
};

struct field field_make(const char *experiment, const struct settings *settings,
                        unsigned log2_slots);
void field_end(struct field *field);
void field_enter(struct field *field, const struct target *target);

/* One contender for each of the rates. */
void field_enter_rates(struct field *field, const struct target *target);

/* One for what is in field->wish, with `what` after the target's name. */
void field_enter_wish(struct field *field, const struct target *target, const char *what);

void field_clear(struct field *field);
void field_fill_to_design(struct field *field);

/* As many pieces for a slice as make them last some milliseconds each, but not more than rounds. */
unsigned field_pieces(const struct field *field);
void field_walk(struct field *field, const struct walk *walk, unsigned pieces);

/* A walk of empty tables, again and again until it was so many pieces as there are rounds. */
void field_walk_rounds(struct field *field, const struct walk *walk);

/* Rounds of one operation that leaves the number of keys alone. */
void field_rounds(struct field *field, const char *name, enum operation operation, unsigned rounds,
                  double seconds);

/* Print everybody's results of one operation. */
void field_report(const struct field *field, const char *operation);

struct series *field_series(const struct field *field, const char *operation,
                            const struct contender *contender, unsigned threads);

/* Turns change places each round, as one contender may leave the machine in another state for the
 * next than a third one. */
size_t field_turn(const struct field *field, size_t round, size_t i);

#endif
