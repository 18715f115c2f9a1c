/*
 * What the command line asks for.
 */
#ifndef GUIRA_BENCH_SETTINGS_H
#define GUIRA_BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_LIST = 8 };

struct settings {
    const char *only[MAX_LIST]; /* names of experiments; none: all */
    size_t only_count;
    unsigned log2_slots[MAX_LIST];
    size_t slots_count;
    double rates[MAX_LIST]; /* of false positives: guira's geometries */
    size_t rates_count;
    unsigned rounds;
    double seconds; /* of one piece, the time that one contender has in a round */
    uint64_t seed;
    uint64_t grow_to; /* items that filters grow to, from a hundredth of them */
    bool smoke;
    const char *folder; /* for results; NULL: only the terminal */
};

/* Fill in settings from the command line; ends the program when that is wrong. */
struct settings settings_from(int count, char **arguments);

/* For experiments that run at one size only; and the slow rivals stay out of larger tables, so that
 * a run ends in minutes. */
static inline unsigned settings_middle_slots(const struct settings *settings) {
    return settings->log2_slots[settings->slots_count / 2];
}

#endif
