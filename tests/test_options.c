/*
 * Verifies that each bad option, and each bad argument of a call, is answered with its own status,
 * from guira_size_for as from guira_create; that out parameters stay untouched then; and that
 * absurd sizes are told from possible ones without overflow.
 */
#include <math.h>

#include "grid.h"
#include "grown.h"
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

/* ---- Growth ---------------------------------------------------------------------------------- */

static void a_maximum_below_the_capacity_is_refused(void **state) {
    (void)state;
    struct guira_options options = good();
    options.max_capacity = 99;
    require_refused(&options, GUIRA_BAD_CAPACITY);
    options.max_capacity = 1;
    require_refused(&options, GUIRA_BAD_CAPACITY);
    options = (struct guira_options){.max_capacity = 100, .false_positive_rate = 0.01};
    require_refused(&options, GUIRA_BAD_CAPACITY);
    options = (struct guira_options){.capacity = 10, .max_capacity = 100};
    require_refused(&options, GUIRA_BAD_RATE);
    options.false_positive_rate = 1e-12;
    require_refused(&options, GUIRA_TOO_LARGE);
    options.max_capacity = GUIRA_NO_MAXIMUM;
    require_refused(&options, GUIRA_TOO_LARGE);
}

static void a_maximum_that_is_the_capacity_is_none(void **state) {
    (void)state;
    struct guira_options options = good();
    struct guira *fixed = filter_with(options);
    options.max_capacity = 100;
    struct guira *same = filter_with(options);
    assert_null(same->growth);
    assert_int_equal(same->table.geometry.universe, fixed->table.geometry.universe);
    assert_int_equal(same->table_bytes, fixed->table_bytes);
    guira_destroy(same);
    guira_destroy(fixed);
}

static void geometries_that_cannot_grow_are_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t tag_bits, window;
        uint64_t max_capacity;
        enum guira_status status;
    } wish[] = {
        {12, 1, 100, GUIRA_TOO_LARGE},              /* promises nothing */
        {12, 1, GUIRA_NO_MAXIMUM, GUIRA_TOO_LARGE}, /* likewise */
        {5, 3, 1000, GUIRA_TOO_LARGE},              /* too few fingerprints to begin with */
        {5, 3, GUIRA_NO_MAXIMUM, GUIRA_TOO_LARGE},  /* likewise */
        {8, 2, 1000000, GUIRA_TOO_LARGE},           /* one doubling only */
        {8, 2, UINT64_MAX - 1, GUIRA_TOO_LARGE},    /* far from it */
        {32, 2, UINT64_MAX - 1, GUIRA_TOO_LARGE},   /* also with all doublings */
        {8, 9, 1000, GUIRA_BAD_GEOMETRY},           /* none */
    };
    for (size_t i = 0; i < sizeof wish / sizeof wish[0]; i++) {
        struct guira_options options = shape(64, wish[i].tag_bits, wish[i].window);
        options.max_capacity = wish[i].max_capacity;
        require_refused(&options, wish[i].status);
    }
    struct guira_options options = shape(64, 12, 2);
    options.max_capacity = 1000;
    options.capacity = 10;
    require_refused(&options, GUIRA_CONFLICT);
}

/* The elements may be nearly as many as hashes. */
static void the_largest_universe_can_grow(void **state) {
    (void)state;
    struct guira_options options = shape((UINT64_C(1) << 33) - 1, 32, 2);
    options.max_capacity = UINT64_C(1) << 35;
    struct guira_sizing sizing;
    assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
    assert_true(sizing.universe > UINT64_MAX / 2);
    assert_true(sizing.capacity >= options.max_capacity);
}

/* Each level's table is possible, has the same elements, and doubles the last one's buckets. */
static void require_sound_levels(const struct guira *f) {
    const struct growth *g = f->growth;
    assert_in_range(g->levels, 1, MAX_LEVELS);
    const struct geometry *lowest = &table_of_level(f, 0)->geometry;
    for (uint32_t i = 0; i < g->levels; i++) {
        const struct table *t = table_of_level(f, i);
        assert_true(t->geometry.buckets == lowest->buckets << i);
        assert_true(t->geometry.universe == lowest->universe);
        assert_true(t->geometry.fingerprints >= 16);
        assert_true(t->stripe_shift == f->table.stripe_shift + i);
        uint64_t last = t->geometry.buckets - 1;
        assert_int_equal(last >> t->stripe_shift, f->stripes.count - 1);
        assert_true(i == 0 || g->limits[i].crowded_from > g->limits[i - 1].crowded_from);
    }
}

/* What is promised of a filter that grows; nothing of one that is refused but that both calls say
 * so. */
static bool require_consistent(const struct guira_options *options) {
    struct guira_sizing sizing;
    enum guira_status status = guira_size_for(options, &sizing);
    assert_true(status == GUIRA_OK || status == GUIRA_TOO_LARGE);
    if (status != GUIRA_OK) {
        require_refused(options, status);
        return false;
    }
    bool unlimited = options->max_capacity == GUIRA_NO_MAXIMUM;
    uint64_t most = unlimited ? options->capacity : options->max_capacity;
    assert_true(sizing.capacity >= most);
    require((double)sizing.capacity / (double)sizing.universe <= options->false_positive_rate,
            "%llu of %llu", (unsigned long long)sizing.capacity,
            (unsigned long long)sizing.universe);
    if (options->capacity > 1000000) {
        return true;
    }
    struct guira *f = NULL;
    assert_int_equal(guira_create(options, &f), GUIRA_OK);
    assert_int_equal(guira_capacity(f), sizing.capacity);
    assert_int_equal(f->table.geometry.universe, sizing.universe);
    assert_non_null(f->growth);
    require_sound_levels(f);
    assert_true(f->growth->limits[0].crowded_from + 1 >= options->capacity);
    guira_destroy(f);
    return true;
}

static void every_wish_to_grow_is_kept_or_refused(void **state) {
    (void)state;
    static const uint64_t capacities[] = {1, 2, 1000, 123456, UINT64_C(1) << 40, UINT64_MAX - 2};
    static const uint64_t maxima[] = {
        3, 100, 1001, 1000000, UINT64_C(1) << 40, UINT64_MAX - 1, GUIRA_NO_MAXIMUM};
    static const double rates[] = {0.5, 1e-2, 1e-5, 1e-9};
    static const uint32_t stripes[] = {0, 65536};
    unsigned kept = 0;
    unsigned refused = 0;
    for (unsigned i = 0; i < 6 * 7 * 4 * 2; i++) {
        struct guira_options options = {.capacity = capacities[i % 6],
                                        .max_capacity = maxima[i / 6 % 7],
                                        .false_positive_rate = rates[i / 42 % 4],
                                        .stripes = stripes[i / 168],
                                        .compact = i % 2 == 0,
                                        .seed = 1};
        if (options.max_capacity > options.capacity) {
            bool ok = require_consistent(&options);
            kept += ok;
            refused += !ok;
        }
    }
    require(kept > 100 && refused > 50, "%u kept, %u refused", kept, refused);
}

/* Filters made from the same options can be merged, so processors and stripes must not count. */
static void stripes_do_not_decide_the_geometry(void **state) {
    (void)state;
    static const uint64_t maxima[] = {1000, 100000, 10000000, GUIRA_NO_MAXIMUM};
    for (size_t i = 0; i < 4; i++) {
        struct guira_options options = good();
        options.max_capacity = maxima[i];
        struct guira_sizing first;
        assert_int_equal(guira_size_for(&options, &first), GUIRA_OK);
        for (options.stripes = 1; options.stripes <= 4096; options.stripes *= 2) {
            struct guira_sizing sizing;
            assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
            assert_int_equal(sizing.universe, first.universe);
            assert_int_equal(sizing.capacity, first.capacity);
            assert_true(sizing.stripes <= options.stripes);
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
        cmocka_unit_test(a_maximum_below_the_capacity_is_refused),
        cmocka_unit_test(a_maximum_that_is_the_capacity_is_none),
        cmocka_unit_test(geometries_that_cannot_grow_are_refused),
        cmocka_unit_test(the_largest_universe_can_grow),
        cmocka_unit_test(every_wish_to_grow_is_kept_or_refused),
        cmocka_unit_test(stripes_do_not_decide_the_geometry),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
