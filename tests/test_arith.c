/*
 * Verifies the whole-number arithmetic: both multiplications against each other and against long
 * multiplication bit by bit, both divisions against products, digits against 128-bit fractions, and
 * the bit counts against loops.
 */
#include "arith.h"
#include "probe_multiply.h"
#include "test.h"

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 3,
                                 UINT32_MAX - UINT64_C(1),
                                 UINT32_MAX,
                                 UINT32_MAX + UINT64_C(1),
                                 UINT32_MAX + UINT64_C(2),
                                 UINT64_C(0x5555555555555555),
                                 UINT64_C(0xaaaaaaaaaaaaaaaa),
                                 UINT64_C(0xffffffff00000000),
                                 UINT64_C(1) << 63,
                                 (UINT64_C(1) << 63) - 1,
                                 UINT64_MAX - 1,
                                 UINT64_MAX};
enum { EDGES = sizeof edges / sizeof edges[0] };

/* Adds a, shifted, for each bit of b; carries by hand. */
static struct product long_multiplication(uint64_t a, uint64_t b) {
    struct product sum = {0, 0};
    for (unsigned i = 0; i < 64; i++) {
        if (b >> i & 1) {
            uint64_t low = sum.low + (a << i);
            sum.high += (i == 0 ? 0 : a >> (64 - i)) + (low < sum.low);
            sum.low = low;
        }
    }
    return sum;
}

static void require_product(uint64_t a, uint64_t b) {
    struct product should = long_multiplication(a, b);
    struct product is = multiply(a, b);
    uint64_t high;
    uint64_t low;
    portable_multiply(a, b, &high, &low);
    require(is.high == should.high && is.low == should.low, "%llx * %llx", (unsigned long long)a,
            (unsigned long long)b);
    require(high == should.high && low == should.low, "portable %llx * %llx", (unsigned long long)a,
            (unsigned long long)b);
}

static void both_multiplications_are_exact(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++) {
        for (int j = 0; j < EDGES; j++) {
            require_product(edges[i], edges[j]);
        }
    }
    struct rng rng = rng_stream(1);
    for (uint64_t i = 0; i < scaled(1000000); i++) {
        uint64_t a = rng_next(&rng) >> rng_below(&rng, 64);
        require_product(a, rng_next(&rng) >> rng_below(&rng, 64));
    }
}

/* quotient * divisor + remainder is divided again. */
static void require_quotient(uint64_t quotient, uint64_t divisor, uint64_t remainder) {
    struct product p = long_multiplication(quotient, divisor);
    p.low += remainder;
    p.high += p.low < remainder;
    require(divide(p, divisor) == quotient, "%llx * %llx + %llx", (unsigned long long)quotient,
            (unsigned long long)divisor, (unsigned long long)remainder);
    require(portable_divide(p.high, p.low, divisor) == quotient, "portable %llx * %llx + %llx",
            (unsigned long long)quotient, (unsigned long long)divisor,
            (unsigned long long)remainder);
}

static void both_divisions_undo_a_product_with_any_remainder(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++) {
        for (int j = 1; j < EDGES; j++) {
            require_quotient(edges[i], edges[j], 0);
            require_quotient(edges[i], edges[j], edges[j] / 2);
            require_quotient(edges[i], edges[j], edges[j] - 1);
        }
    }
    struct rng rng = rng_stream(4);
    for (uint64_t i = 0; i < scaled(300000); i++) {
        uint64_t divisor = (rng_next(&rng) >> rng_below(&rng, 64)) | 1;
        require_quotient(rng_next(&rng) >> rng_below(&rng, 64), divisor, rng_below(&rng, divisor));
    }
}

static void the_least_fraction_of_a_digit_has_it_and_the_one_before_has_not(void **state) {
    (void)state;
    struct rng rng = rng_stream(5);
    for (uint64_t i = 0; i < scaled(300000); i++) {
        uint64_t base = (rng_next(&rng) >> rng_below(&rng, 64)) | 1;
        uint64_t digit = i % 3 == 0 ? base - 1 : i % 3 == 1 ? 0 : rng_below(&rng, base);
        uint64_t fraction = least_fraction(digit, base);
        uint64_t before = fraction - 1;
        assert_int_equal(next_digit(&fraction, base), digit);
        assert_true(digit == 0 ? before == UINT64_MAX : next_digit(&before, base) == digit - 1);
    }
}

static void digits_are_the_mixed_radix_digits_of_the_fraction(void **state) {
    (void)state;
    struct rng rng = rng_stream(2);
    for (uint64_t i = 0; i < scaled(1000000); i++) {
        /* Three bases with a product below 2^64. */
        uint64_t base[3];
        for (int d = 0; d < 3; d++) {
            base[d] = 1 + (rng_next(&rng) & UINT64_C(0x1fffff)) % (UINT64_C(1) << (1 + i % 21));
        }
        uint64_t hash = i < EDGES ? edges[i] : rng_next(&rng);
        uint64_t rest = hash;
        uint64_t portable_rest = hash;
        uint64_t number = 0;
        for (int d = 0; d < 3; d++) {
            uint64_t digit = next_digit(&rest, base[d]);
            assert_true(digit < base[d]);
            assert_int_equal(portable_digit(&portable_rest, base[d]), digit);
            number = number * base[d] + digit;
        }
        uint64_t all = base[0] * base[1] * base[2];
        assert_int_equal(number, long_multiplication(hash, all).high);
        assert_int_equal(rest, portable_rest);
    }
}

static void bits_are_found_and_counted(void **state) {
    (void)state;
    struct rng rng = rng_stream(3);
    for (int i = 0; i < 100000; i++) {
        uint64_t word = rng_next(&rng) & rng_next(&rng) & (UINT64_MAX << rng_below(&rng, 64));
        unsigned count = 0;
        unsigned lowest = 64;
        for (unsigned bit = 64; bit > 0; bit--) {
            if (word >> (bit - 1) & 1) {
                count++;
                lowest = bit - 1;
            }
        }
        assert_int_equal(bits_set(word), count);
        if (word != 0) {
            assert_int_equal(lowest_bit(word), lowest);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_multiplications_are_exact),
        cmocka_unit_test(both_divisions_undo_a_product_with_any_remainder),
        cmocka_unit_test(the_least_fraction_of_a_digit_has_it_and_the_one_before_has_not),
        cmocka_unit_test(digits_are_the_mixed_radix_digits_of_the_fraction),
        cmocka_unit_test(bits_are_found_and_counted),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
