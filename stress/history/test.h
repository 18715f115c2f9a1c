/*
 * Tests of the checker itself.
 */
#ifndef GUIRA_STRESS_HISTORY_TEST_H
#define GUIRA_STRESS_HISTORY_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include "checker.h"

/* End the test program, saying where, unless the condition holds. */
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                  \
            (void)fprintf(stderr, __VA_ARGS__);                                                    \
            (void)fprintf(stderr, "\n");                                                           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

void test_hand_made_histories(struct checker *checker);
void test_against_naive_checker(struct checker *checker, uint64_t seed, unsigned histories);
void test_many_pending_operations(struct checker *checker);
void test_flipped_results(struct checker *checker, uint64_t seed);
void test_files_round_trip(struct checker *checker, uint64_t seed);
void test_faulty_files_are_rejected(void);
void test_excerpts_and_drawings(struct checker *checker);

/* A history from its lines, without the line that names the format. */
struct history history_of(const char *lines);

/* A random number from a state that it moves on. */
uint64_t test_random(uint64_t *state);

#endif
