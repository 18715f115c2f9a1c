/*
 * The multiplication and the division for machines without a 128-bit type, compiled beside the
 * others.
 */
#define GUIRA_NO_INT128
#include "arith.h"

#include "probe_multiply.h"

void portable_multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    struct product p = multiply(a, b);
    *high = p.high;
    *low = p.low;
}

uint64_t portable_divide(uint64_t high, uint64_t low, uint64_t divisor) {
    return divide((struct product){.high = high, .low = low}, divisor);
}

uint64_t portable_digit(uint64_t *rest, uint64_t base) {
    return next_digit(rest, base);
}
