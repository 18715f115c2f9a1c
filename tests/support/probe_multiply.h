/*
 * lib/arith.h as a machine without a 128-bit type sees it.
 */
#ifndef GUIRA_TESTS_PROBE_MULTIPLY_H
#define GUIRA_TESTS_PROBE_MULTIPLY_H

#include <stdint.h>

void portable_multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low);
uint64_t portable_divide(uint64_t high, uint64_t low, uint64_t divisor);
uint64_t portable_digit(uint64_t *rest, uint64_t base);

#endif
