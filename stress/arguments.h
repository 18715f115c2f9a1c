/*
 * Numbers on the command lines of the stress programs, read strictly: the whole text must be a
 * number within bounds, or the program says what is wrong and ends with status 2. A header alone,
 * as its users have no library in common.
 */
#ifndef GUIRA_STRESS_ARGUMENTS_H
#define GUIRA_STRESS_ARGUMENTS_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the text is not empty and has no other characters than these. */
static inline bool consists_of(const char *text, const char *characters) {
    return text[0] != '\0' && text[strspn(text, characters)] == '\0';
}

/* The value of option `name`: decimal digits only. */
static inline uint64_t whole_argument(const char *name, const char *text, uint64_t low,
                                      uint64_t high) {
    bool right = consists_of(text, "0123456789");
    errno = 0;
    uint64_t number = right ? strtoull(text, NULL, 10) : 0;
    if (!right || errno != 0 || number < low || number > high) {
        (void)fprintf(stderr, "--%s '%s': not a whole number from %" PRIu64 " to %" PRIu64 "\n",
                      name, text, low, high);
        exit(2);
    }
    return number;
}

static inline double real_argument(const char *name, const char *text, double low, double high) {
    char *end = NULL;
    errno = 0;
    double number = consists_of(text, "0123456789.eE+-") ? strtod(text, &end) : 0;
    if (end == NULL || end == text || *end != '\0' || errno != 0 ||
        !(number >= low && number <= high)) {
        (void)fprintf(stderr, "--%s '%s': not a number from %g to %g\n", name, text, low, high);
        exit(2);
    }
    return number;
}

/* A seed from which all follows. 0 is none: guira_create would draw a random one, which no replay
 * would meet again. The largest leaves room for the seeds that programs count up from it. */
static inline uint64_t seed_argument(const char *text) {
    return whole_argument("seed", text, 1, INT64_MAX);
}

#endif
