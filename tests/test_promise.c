/*
 * Verifies the promise of the sizing rule: `capacity` distinct keys fit, at every size from 1 up,
 * the rate at capacity is within the target, what was inserted is found, and the bytes that
 * guira_size_for foretells are those that the filter reports and that an allocator is asked for.
 */
#include <math.h>

#include "allocators.h"
#include "filters.h"
#include "intervals.h"
#include "test.h"

static void require_same_sizing(const struct guira_sizing *a, const struct guira_sizing *b) {
    assert_int_equal(a->capacity, b->capacity);
    assert_int_equal(a->buckets, b->buckets);
    assert_int_equal(a->tag_bits, b->tag_bits);
    assert_int_equal(a->slots_per_bucket, b->slots_per_bucket);
    assert_int_equal(a->window, b->window);
    assert_int_equal(a->stripes, b->stripes);
    assert_int_equal(a->universe, b->universe);
    require(memcmp(&a->rate_at_capacity, &b->rate_at_capacity, sizeof a->rate_at_capacity) == 0,
            "%g, %g", a->rate_at_capacity, b->rate_at_capacity);
    assert_int_equal(a->table_bytes, b->table_bytes);
    assert_int_equal(a->allocated_bytes, b->allocated_bytes);
}

/* A filter whose bytes are accounted for, and whose rate at capacity is within the target. */
static struct guira *accounted_filter(struct guira_options options, struct counting *counting) {
    struct guira_sizing foretold;
    struct guira_info info;
    options.seed = filter_seed();
    if (counting != NULL) {
        options.allocator = counting_allocator(counting);
    }
    assert_int_equal(guira_size_for(&options, &foretold), GUIRA_OK);
    struct guira *f = filter_with(options);
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    require_same_sizing(&foretold, &info.sizing);
    assert_int_equal(info.sizing.capacity, options.capacity);
    assert_int_equal(guira_capacity(f), options.capacity);
    double rate = (double)options.capacity / (double)info.sizing.universe;
    require(rate <= options.false_positive_rate * (1 + 1e-12), "n %llu: %g > %g",
            (unsigned long long)options.capacity, rate, options.false_positive_rate);
    if (counting != NULL) {
        assert_int_equal(counting->bytes, info.sizing.allocated_bytes);
        assert_false(counting->mismatch);
    }
    return f;
}

static void require_capacity_fits(struct guira *f, uint64_t n, double rate, uint64_t first) {
    uint64_t fitted = fill(f, first, n);
    require(fitted == n, "rate %g: %llu of %llu keys fit (first key %llu)", rate,
            (unsigned long long)fitted, (unsigned long long)n, (unsigned long long)first);
    assert_int_equal(guira_size(f), n);
    for (uint64_t i = 0; i < n; i++) {
        require(guira_contains_u64(f, scrambled(first + i)), "key %llu of %llu is lost",
                (unsigned long long)i, (unsigned long long)n);
    }
}

static void fill_to_capacity(uint64_t n, double rate, bool compact, unsigned fills) {
    struct counting counting = {0};
    struct guira_options options = {.capacity = n, .false_positive_rate = rate, .compact = compact};
    struct guira *f = accounted_filter(options, &counting);
    struct rng rng = rng_stream(n);
    for (unsigned i = 0; i < fills; i++) {
        require_capacity_fits(f, n, rate, rng_next(&rng));
        require_sound(f);
        assert_int_equal(guira_clear(f), GUIRA_OK);
        assert_int_equal(guira_size(f), 0);
    }
    guira_destroy(f);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

static void every_capacity_up_to_2000_fits(void **state) {
    (void)state;
    static const double rates[] = {0.03, 0.01, 0.001, 0.00001};
    uint64_t step = test_is_slow() ? 37 : 1;
    unsigned fills = test_is_long() ? 100 : 8;
    for (uint64_t n = 1; n <= 2000; n += n < 64 ? 1 : step) {
        fill_to_capacity(n, rates[n % 4], false, fills);
        if (n <= 300 || test_is_long()) {
            fill_to_capacity(n, rates[(n + 1) % 4], false, fills);
            fill_to_capacity(n, rates[(n + 2) % 4], true, fills);
            fill_to_capacity(n, n % 2 == 0 ? 0.5 : 0.2, false, fills);
        }
    }
}

/* With a chance that is large enough to be measured: how often a fill fails must be believable. */
static void the_stated_chance_of_failing_is_kept(void **state) {
    (void)state;
    static const double chances[] = {0.3, 0.05, 0.01};
    for (uint64_t n = 1; n <= 3000; n += 1 + n / 4) {
        for (size_t i = 0; i < 3; i++) {
            struct guira *f =
                filter_with((struct guira_options){.capacity = n,
                                                   .false_positive_rate = n % 2 == 0 ? 0.2 : 0.03,
                                                   .failure_chance = chances[i]});
            struct rng rng = rng_stream(n);
            uint64_t fills = scaled(1 + 400000 / (n + 400));
            uint64_t failures = 0;
            for (uint64_t j = 0; j < fills; j++) {
                failures += fill(f, rng_next(&rng), n) < n;
                assert_int_equal(guira_clear(f), GUIRA_OK);
            }
            require((double)failures <= chances[i] * (double)fills ||
                        believable(failures, fills, chances[i]),
                    "n %llu, chance %g: %llu of %llu fills failed", (unsigned long long)n,
                    chances[i], (unsigned long long)failures, (unsigned long long)fills);
            guira_destroy(f);
        }
    }
}

static void capacities_about_powers_of_two_fit(void **state) {
    (void)state;
    static const double rates[] = {0.01, 0.001, 0.03, 0.002, 0.0001};
    unsigned largest = test_is_slow() ? 16 : 20;
    for (unsigned log = 11; log <= largest; log++) {
        uint64_t power = UINT64_C(1) << log;
        unsigned fills = log < 16 ? 3 : 1;
        fill_to_capacity(power - 1, rates[log % 5], log % 2 == 0, fills);
        fill_to_capacity(power, rates[(log + 1) % 5], false, fills);
        fill_to_capacity(power + 1, rates[(log + 2) % 5], log % 2 == 1, fills);
    }
}

static void millions_of_keys_fit(void **state) {
    (void)state;
    if (test_is_slow()) {
        skip();
    }
    for (unsigned log = 21; log <= 24; log++) {
        uint64_t power = UINT64_C(1) << log;
        fill_to_capacity(power - 1, log % 2 == 0 ? 0.01 : 0.001, false, 1);
        if (log == 24 || test_is_long()) {
            fill_to_capacity(power, 0.03, false, 1);
            fill_to_capacity(power + 1, 0.001, false, 1);
        }
    }
}

/* Sizes alone, far beyond what is filled here: no arithmetic wraps, bytes never fall. */
static void bytes_grow_with_capacity_and_accuracy(void **state) {
    (void)state;
    for (int digits = 1; digits <= 6; digits++) {
        double rate = pow(10, -digits);
        uint64_t before = 0;
        for (unsigned log = 0; log <= 60; log++) {
            struct guira_options options = {.capacity = UINT64_C(1) << log,
                                            .false_positive_rate = rate};
            struct guira_sizing sizing;
            enum guira_status status = guira_size_for(&options, &sizing);
            if (log + digits * log2(10) > 62 || log > 55) { /* more than 64-bit elements can tell */
                require(status == GUIRA_OK || status == GUIRA_TOO_LARGE, "%d", status);
                continue;
            }
            require(status == GUIRA_OK, "2^%u at %g: %s", log, rate, guira_status_text(status));
            require(sizing.table_bytes >= before, "2^%u at %g: %llu bytes after %llu", log, rate,
                    (unsigned long long)sizing.table_bytes, (unsigned long long)before);
            require(sizing.table_bytes / 8 >= sizing.buckets, "%llu buckets",
                    (unsigned long long)sizing.buckets);
            require(sizing.rate_at_capacity <= rate, "%g > %g", sizing.rate_at_capacity, rate);
            before = sizing.table_bytes;
        }
    }
}

/* design.md section 2: what the common rates cost, in bits an item. */
static void bits_per_item_are_those_of_the_design(void **state) {
    (void)state;
    static const struct {
        uint64_t capacity;
        double rate;
        double bits;
    } promised[] = {{400000, 0.01, 10.9},    {10000000, 0.01, 10.9},  {10000000, 0.03, 8.6},
                    {10000000, 0.002, 13.6}, {10000000, 0.001, 14.3}, {10000000, 0.0001, 17.3}};
    for (size_t i = 0; i < sizeof promised / sizeof promised[0]; i++) {
        struct guira_options options = {.capacity = promised[i].capacity,
                                        .false_positive_rate = promised[i].rate};
        struct guira_sizing sizing;
        assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
        double bits = (double)sizing.table_bytes * 8 / (double)promised[i].capacity;
        require(bits <= promised[i].bits, "rate %g: %.2f bits", promised[i].rate, bits);
    }
}

static void sizes_without_hooks_are_reported_alike(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 3000000; n = n * 3 + 1) {
        guira_destroy(accounted_filter(
            (struct guira_options){.capacity = n, .false_positive_rate = 0.01}, NULL));
    }
}

static void compact_never_costs_bytes(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 4000000; n = n * 2 + 1) {
        for (int digits = 1; digits <= 4; digits++) {
            struct guira_options options = {.capacity = n, .false_positive_rate = pow(10, -digits)};
            struct guira_sizing plain;
            struct guira_sizing compact;
            assert_int_equal(guira_size_for(&options, &plain), GUIRA_OK);
            options.compact = true;
            assert_int_equal(guira_size_for(&options, &compact), GUIRA_OK);
            assert_true(compact.table_bytes <= plain.table_bytes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_capacity_up_to_2000_fits),
        cmocka_unit_test(the_stated_chance_of_failing_is_kept),
        cmocka_unit_test(capacities_about_powers_of_two_fit),
        cmocka_unit_test(millions_of_keys_fit),
        cmocka_unit_test(bytes_grow_with_capacity_and_accuracy),
        cmocka_unit_test(bits_per_item_are_those_of_the_design),
        cmocka_unit_test(sizes_without_hooks_are_reported_alike),
        cmocka_unit_test(compact_never_costs_bytes),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
