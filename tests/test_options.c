/*
 * Verifies that each bad option, and each bad argument of a call, is answered with its own status,
 * from guira_size_for as from guira_create; that out parameters stay untouched then; and that
 * absurd sizes are told from possible ones without overflow.
 */
#include <math.h>

#include "filters.h"
#include "grid.h"
#include "test.h"

static struct guira_options good(void) {
    return (struct guira_options){.capacity = 100, .false_positive_rate = 0.01, .seed = 7};
}

static struct guira_options shape(uint64_t buckets, uint32_t tag_bits, uint32_t window) {
    return (struct guira_options){
        .buckets = buckets, .tag_bits = tag_bits, .window = window, .seed = 7};
}

/* Both calls must answer `status` and leave what they would fill in. */
static void require_refused(const struct guira_options *options, enum guira_status status) {
    struct guira *mark = (struct guira *)(void *)&mark;
    struct guira *filter = mark;
    enum guira_status is = guira_create(options, &filter);
    require(is == status, "create says %d (%s), not %d", is, guira_status_text(is), status);
    assert_ptr_equal(filter, mark);
    struct guira_sizing sizing;
    struct guira_sizing before;
    memset(&sizing, 0xa5, sizeof sizing);
    before = sizing;
    is = guira_size_for(options, &sizing);
    require(is == status, "size_for says %d (%s), not %d", is, guira_status_text(is), status);
    assert_memory_equal(&sizing, &before, sizeof sizing);
}

static void rates_outside_0_to_1_are_refused(void **state) {
    (void)state;
    const double bad[] = {0.0, -0.0, 1.0, 1.5, -0.01, -1e300, NAN, -NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct guira_options options = good();
        options.false_positive_rate = bad[i];
        require_refused(&options, GUIRA_BAD_RATE);
    }
}

static void tiny_rates_are_too_large_a_wish(void **state) {
    (void)state;
    const double tiny[] = {1e-300, 5e-324, 1e-30, 1e-19};
    for (size_t i = 0; i < sizeof tiny / sizeof tiny[0]; i++) {
        struct guira_options options = good();
        options.false_positive_rate = tiny[i];
        require_refused(&options, GUIRA_TOO_LARGE);
    }
}

static void rates_next_to_1_are_possible(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 1000; n *= 10) {
        struct guira_options options = good();
        options.capacity = n;
        options.false_positive_rate = nextafter(1, 0);
        struct guira *f = filter_with(options);
        assert_int_equal(fill(f, 0, n), n);
        guira_destroy(f);
    }
}

static void chances_of_failing_outside_0_to_1_are_refused(void **state) {
    (void)state;
    const double bad[] = {1.0, 2.0, -1e-5, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct guira_options options = good();
        options.failure_chance = bad[i];
        require_refused(&options, GUIRA_BAD_FAILURE_CHANCE);
        options = shape(10, 8, 4);
        options.failure_chance = bad[i];
        require_refused(&options, GUIRA_BAD_FAILURE_CHANCE);
    }
}

static void require_capacity_rises_with_the_chance(const struct ref_shape *s) {
    static const double chances[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 0.999};
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof chances / sizeof chances[0]; i++) {
        struct guira_options options = shape(s->M, s->f, s->w);
        struct guira_sizing sizing;
        options.failure_chance = chances[i];
        assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
        require(sizing.capacity >= before && sizing.capacity <= s->M * s->k,
                "%llu buckets, f %u, w %u, chance %g: %llu after %llu", (unsigned long long)s->M,
                s->f, s->w, chances[i], (unsigned long long)sizing.capacity,
                (unsigned long long)before);
        before = sizing.capacity;
    }
}

/* Down to tables of so few slots that the bounds of the sizing rule pass certainty. */
static void a_larger_chance_of_failing_never_lowers_a_capacity(void **state) {
    (void)state;
    for (uint64_t buckets = 2; buckets < 40; buckets++) {
        for_each_geometry(buckets, require_capacity_rises_with_the_chance);
    }
}

static void absurd_capacities_are_refused_without_overflow(void **state) {
    (void)state;
    struct guira_options options = good();
    options.capacity = 0;
    require_refused(&options, GUIRA_BAD_CAPACITY);
    options = (struct guira_options){0};
    require_refused(&options, GUIRA_BAD_CAPACITY);
    const uint64_t absurd[] = {UINT64_MAX,
                               UINT64_MAX - 1,
                               UINT64_C(1) << 63,
                               (UINT64_C(1) << 63) - 1,
                               (UINT64_C(1) << 63) + 1,
                               UINT64_C(1) << 62};
    for (size_t i = 0; i < sizeof absurd / sizeof absurd[0]; i++) {
        options = good();
        options.capacity = absurd[i];
        require_refused(&options, GUIRA_TOO_LARGE);
    }
}

static void capacities_past_32_bits_are_computed_in_64(void **state) {
    (void)state;
    for (unsigned log = 30; log <= 50; log++) {
        for (int off = -1; off <= 1; off++) {
            struct guira_options options = good();
            options.capacity = (UINT64_C(1) << log) + (uint64_t)(int64_t)off;
            struct guira_sizing sizing;
            assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
            double bits = (double)sizing.table_bytes * 8 / (double)options.capacity;
            require(bits > 9 && bits < 12, "2^%u: %g bits an item", log, bits);
            assert_true(sizing.allocated_bytes > sizing.table_bytes);
        }
    }
}

static void impossible_geometries_are_refused(void **state) {
    (void)state;
    const struct guira_options bad[] = {
        shape(0, 8, 2),           shape(1, 8, 2),           shape(10, 0, 2),  shape(10, 8, 0),
        shape(10, 3, 2),          shape(10, 33, 1),         shape(10, 8, 9),  shape(10, 12, 6),
        shape(10, 32, 3),         shape(10, 4, 8),          shape(10, 4, 15), shape(10, 4, 17),
        shape(10, UINT32_MAX, 1), shape(10, 8, UINT32_MAX),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        require_refused(&bad[i], GUIRA_BAD_GEOMETRY);
    }
    const uint64_t large[] = {UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 60, UINT64_C(1) << 59};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        struct guira_options options = shape(large[i], 32, 1);
        require_refused(&options, GUIRA_TOO_LARGE);
    }
}

static void geometry_excludes_what_it_replaces(void **state) {
    (void)state;
    struct guira_options options = shape(10, 8, 2);
    options.capacity = 5;
    require_refused(&options, GUIRA_CONFLICT);
    options = shape(10, 8, 2);
    options.false_positive_rate = 0.01;
    require_refused(&options, GUIRA_CONFLICT);
    options.false_positive_rate = NAN;
    require_refused(&options, GUIRA_CONFLICT);
    options = shape(10, 8, 2);
    options.compact = true;
    require_refused(&options, GUIRA_CONFLICT);
    options = good();
    options.window = 2;
    require_refused(&options, GUIRA_CONFLICT);
}

static void limits_of_stripes_and_budget_are_exact(void **state) {
    (void)state;
    struct guira_options options = good();
    options.stripes = GUIRA_MAX_STRIPES + 1;
    require_refused(&options, GUIRA_BAD_STRIPES);
    options.stripes = UINT32_MAX;
    require_refused(&options, GUIRA_BAD_STRIPES);
    options.stripes = GUIRA_MAX_STRIPES;
    guira_destroy(filter_with(options));
    options = good();
    options.search_budget = GUIRA_MAX_SEARCH_BUDGET + 1;
    require_refused(&options, GUIRA_BAD_SEARCH_BUDGET);
    options.search_budget = GUIRA_MAX_SEARCH_BUDGET;
    guira_destroy(filter_with(options));
    options.search_budget = 1;
    guira_destroy(filter_with(options));
}

static uint64_t some_hash(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    (void)key;
    return length + seed;
}

static void *some_allocate(void *context, size_t size, size_t alignment) {
    (void)context;
    (void)size;
    (void)alignment;
    return NULL;
}

static void some_release(void *context, void *memory, size_t size, size_t alignment) {
    (void)context;
    (void)memory;
    (void)size;
    (void)alignment;
}

static void half_hooks_are_refused(void **state) {
    (void)state;
    struct guira_options options = good();
    options.hash = (struct guira_hash_function){.function = some_hash};
    require_refused(&options, GUIRA_BAD_HASH);
    options.hash.identity = GUIRA_HASH_XXH3_64;
    require_refused(&options, GUIRA_BAD_HASH);
    options.hash.identity = GUIRA_HASH_FIRST_USER - 1;
    require_refused(&options, GUIRA_BAD_HASH);
    options.hash = (struct guira_hash_function){.identity = GUIRA_HASH_FIRST_USER};
    require_refused(&options, GUIRA_BAD_HASH);
    options.hash = (struct guira_hash_function){.context = &options};
    require_refused(&options, GUIRA_BAD_HASH);
    options = good();
    options.allocator.allocate = some_allocate;
    require_refused(&options, GUIRA_BAD_ALLOCATOR);
    options.allocator = (struct guira_allocator){.release = some_release};
    require_refused(&options, GUIRA_BAD_ALLOCATOR);
}

static void each_reserved_word_must_be_zero(void **state) {
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct guira_options options = good();
        options.reserved[i] = UINT64_C(1) << 63;
        require_refused(&options, GUIRA_BAD_RESERVED);
    }
}

static void null_options_and_outs_are_refused(void **state) {
    (void)state;
    require_refused(NULL, GUIRA_NULL_ARGUMENT);
    struct guira_options options = good();
    assert_int_equal(guira_create(&options, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_size_for(&options, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_create(NULL, NULL), GUIRA_NULL_ARGUMENT);
}

static void options_are_not_changed_by_reading_them(void **state) {
    (void)state;
    struct guira_options options;
    memset(&options, 0, sizeof options);
    options.capacity = 100;
    options.false_positive_rate = 0.01;
    struct guira_options before;
    memcpy(&before, &options, sizeof options);
    struct guira *f;
    assert_int_equal(guira_create(&options, &f), GUIRA_OK);
    assert_memory_equal(&options, &before, sizeof options);
    guira_destroy(f);
}

static void stripes_cover_the_table(void **state) {
    (void)state;
    for (uint32_t stripes = 0; stripes <= 70; stripes++) {
        for (uint64_t buckets = 2; buckets <= 130; buckets++) {
            struct guira_options options = shape(buckets, 8, 2);
            options.stripes = stripes;
            struct guira_sizing sizing;
            assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
            assert_in_range(sizing.stripes, 1, stripes == 0 ? buckets : stripes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_outside_0_to_1_are_refused),
        cmocka_unit_test(tiny_rates_are_too_large_a_wish),
        cmocka_unit_test(rates_next_to_1_are_possible),
        cmocka_unit_test(chances_of_failing_outside_0_to_1_are_refused),
        cmocka_unit_test(a_larger_chance_of_failing_never_lowers_a_capacity),
        cmocka_unit_test(absurd_capacities_are_refused_without_overflow),
        cmocka_unit_test(capacities_past_32_bits_are_computed_in_64),
        cmocka_unit_test(impossible_geometries_are_refused),
        cmocka_unit_test(geometry_excludes_what_it_replaces),
        cmocka_unit_test(limits_of_stripes_and_budget_are_exact),
        cmocka_unit_test(half_hooks_are_refused),
        cmocka_unit_test(each_reserved_word_must_be_zero),
        cmocka_unit_test(null_options_and_outs_are_refused),
        cmocka_unit_test(options_are_not_changed_by_reading_them),
        cmocka_unit_test(stripes_cover_the_table),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
