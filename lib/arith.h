/*
 * Whole-number arithmetic that C11 lacks: products of 128 bits, divisions of them, and bits of a
 * word.
 */
#ifndef GUIRA_LIB_ARITH_H
#define GUIRA_LIB_ARITH_H

#include <stdint.h>

/* Of functions that are kept out of the way of the usual case, or seldom called. */
#define APART __attribute__((noinline, unused))
#define RARE __attribute__((noinline, cold, unused))

/* A 128-bit product as two words. */
struct product {
    uint64_t high;
    uint64_t low;
};

#if defined(__SIZEOF_INT128__) && !defined(GUIRA_NO_INT128)

__extension__ typedef unsigned __int128 wide;

static inline struct product multiply(uint64_t a, uint64_t b) {
    wide p = (wide)a * b;
    return (struct product){.high = (uint64_t)(p >> 64), .low = (uint64_t)p};
}

/* Rounded down; high must be below the divisor, so that the quotient fits. */
static inline uint64_t divide(struct product p, uint64_t divisor) {
    return (uint64_t)(((wide)p.high << 64 | p.low) / divisor);
}

#else

/* Schoolbook on 32-bit halves, for machines without a 128-bit type. */
static inline struct product multiply(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32;
    uint64_t b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return (struct product){.high = a1 * b1 + (middle >> 32) + (other >> 32), .low = a * b};
}

/* Bit by bit: the remainder, below the divisor, is kept in the high word, and the quotient comes in
 * from below as the low word leaves. */
static inline uint64_t divide(struct product p, uint64_t divisor) {
    for (int bit = 0; bit < 64; bit++) {
        uint64_t carry = p.high >> 63;
        p.high = p.high << 1 | p.low >> 63;
        p.low <<= 1;
        if (carry != 0 || p.high >= divisor) {
            p.high -= divisor;
            p.low |= 1;
        }
    }
    return p.low;
}

#endif

/*
 * Cut the next exact digit, in [0, base), from the top of the fraction *rest / 2^64, and leave the
 * remaining fraction in *rest.
 */
static inline uint64_t next_digit(uint64_t *rest, uint64_t base) {
    struct product p = multiply(*rest, base);
    *rest = p.low;
    return p.high;
}

/* The least fraction, in units of 2^-64, of which the first digit is that one, below base. */
static inline uint64_t least_fraction(uint64_t digit, uint64_t base) {
    return divide((struct product){.high = digit, .low = base - 1}, base);
}

/* Position of the lowest set bit; word must not be 0. */
static inline unsigned lowest_bit(uint64_t word) {
    return (unsigned)__builtin_ctzll(word);
}

static inline unsigned bits_set(uint64_t word) {
    return (unsigned)__builtin_popcountll(word);
}

#endif
