/*
 * What every test includes: cmocka, reproducible randomness, and how far to go.
 *
 * Randomness comes from one seed, fixed unless GUIRA_TEST_SEED gives another; each test draws from
 * streams of its own, so a test replays alone. The seed stands in every message of `require`, and
 * each program prints it when it starts.
 */
#ifndef GUIRA_TESTS_TEST_H
#define GUIRA_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The seed of this run. */
uint64_t test_seed(void);

/* Group setup: prints the seed. */
int announce_seed(void **state);

/* True with GUIRA_TEST_LONG=1: sweeps go further. */
bool test_is_long(void);

/* An amount of work, less of it when a sanitizer slows the program down, and at least 1. */
uint64_t scaled(uint64_t work);

/* True when built with a sanitizer: some tests then leave out cells of a sweep. */
bool test_is_slow(void);

/* Fail the test that runs, with a message in the manner of printf. Main thread only. */
void require_failed(const char *condition, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define require(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            require_failed(#condition, __FILE__, __LINE__, __VA_ARGS__);                           \
        }                                                                                          \
    } while (0)

/* ---- Randomness: SplitMix64 ------------------------------------------------------------------ */

struct rng {
    uint64_t state;
};

/* A stream of random numbers that the test's seed and a number fix. */
struct rng rng_stream(uint64_t number);
uint64_t rng_next(struct rng *rng);
/* In [0, bound); bound must not be 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);
bool rng_chance(struct rng *rng, double probability);

/* The i-th of a sequence of distinct well-mixed numbers. */
uint64_t scrambled(uint64_t i);

#endif
