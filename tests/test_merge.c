/*
 * Verifies merging: sums of multiplicities and unions, between any tables with the same elements;
 * what does not fit leaves the filter as it was; memory is got with no lock held, and given back.
 */
#include "allocators.h"
#include "elements.h"
#include "grid.h"
#include "multiset.h"

static enum guira_status merge(struct guira *into, const struct guira *from, bool unique) {
    return unique ? guira_merge_unique(into, from) : guira_merge(into, from);
}

/* Merge, and see to it that the result is what the multisets say, or what was there before. */
static enum guira_status require_merge(struct guira *into, const struct guira *from, bool unique) {
    struct multiset a = multiset_of(into);
    struct multiset b = multiset_of(from);
    enum guira_status status = merge(into, from, unique);
    if (status == GUIRA_OK) {
        struct multiset sum = multiset_sum(&a, &b, unique);
        assert_true(holds_multiset(into, &sum));
        multiset_end(&sum);
    } else {
        require(status == GUIRA_FULL || (status == GUIRA_LIMIT && !unique), "%s",
                guira_status_text(status));
        require(holds_multiset(into, &a), "after %s", guira_status_text(status));
    }
    assert_true(into == from || holds_multiset(from, &b));
    multiset_end(&a);
    multiset_end(&b);
    return status;
}

/* Insert each hash from `begin` to `end` up to `copies` times, as far as there is room. */
static void insert_copies(struct guira *f, const uint64_t *hashes, size_t begin, size_t end,
                          unsigned copies) {
    for (size_t i = begin; i < end; i++) {
        for (size_t j = 0; j <= i % copies; j++) {
            (void)guira_insert_uniform(f, hashes[i]);
        }
    }
}

/* ---- Results --------------------------------------------------------------------------------- */

static unsigned merged, refused;

static void count_result(enum guira_status status) {
    merged += status == GUIRA_OK;
    refused += status != GUIRA_OK;
}

static void require_sums(const struct ref_shape *s) {
    uint64_t room = s->M * s->k / 5;
    size_t count = (size_t)(s->U / 8 < room ? s->U / 8 : room) + 1;
    for (int unique = 0; unique < 2; unique++) {
        struct guira *a = filter_of(s->M, s->f, s->w);
        struct guira *b = filter_of(s->M, s->f, s->w);
        uint64_t *hashes = distinct_hashes(a, count, s->f);
        insert_copies(a, hashes, 0, count * 2 / 3, 2);
        insert_copies(b, hashes, count / 3, count, 3);
        count_result(require_merge(a, b, unique == 1));
        count_result(require_merge(b, b, unique == 1));
        free(hashes);
        guira_destroy(a);
        guira_destroy(b);
    }
}

static void multiplicities_add_up_in_every_geometry(void **state) {
    (void)state;
    merged = 0;
    refused = 0;
    for_each_geometry(3, require_sums);
    for_each_geometry(61, require_sums);
    require(merged > 2 * refused && refused > 0, "%u merged, %u refused", merged, refused);
}

static void merged_parts_are_the_filter_built_in_one(void **state) {
    (void)state;
    static const double rates[] = {0.03, 0.01, 0.001};
    for (int r = 0; r < 3; r++) {
        uint64_t n = scaled(60000);
        struct guira *whole = filter_for(n, rates[r]);
        struct guira *into = filter_for(n, rates[r]);
        for (uint64_t i = 0; i < n; i++) {
            assert_int_equal(guira_insert_u64(whole, scrambled(i)), GUIRA_OK);
        }
        for (uint64_t part = 0; part < 4; part++) {
            struct guira *from = filter_for(n, rates[r]);
            for (uint64_t i = part; i < n; i += 4) {
                assert_int_equal(guira_insert_u64(from, scrambled(i)), GUIRA_OK);
            }
            assert_int_equal(guira_merge(into, from), GUIRA_OK);
            guira_destroy(from);
        }
        struct multiset should = multiset_of(whole);
        assert_true(holds_multiset(into, &should));
        multiset_end(&should);
        guira_destroy(whole);
        guira_destroy(into);
    }
}

static void a_filter_merged_into_itself_doubles_each_multiplicity(void **state) {
    (void)state;
    struct guira *f = filter_of(400, 12, 3);
    uint64_t *hashes = distinct_hashes(f, 30, 1);
    unsigned copies[30];
    for (unsigned i = 0; i < 30; i++) {
        copies[i] = 1;
        assert_int_equal(guira_insert_uniform(f, hashes[i]), GUIRA_OK);
    }
    assert_int_equal(guira_merge_unique(f, f), GUIRA_OK);
    assert_true(holds_exactly(f, hashes, copies, 30));
    for (unsigned times = 2; times <= 4; times *= 2) {
        assert_int_equal(guira_merge(f, f), GUIRA_OK);
        for (unsigned i = 0; i < 30; i++) {
            copies[i] = times;
        }
        assert_true(holds_exactly(f, hashes, copies, 30));
    }
    assert_int_not_equal(guira_merge(f, f), GUIRA_OK); /* 6 copies are the most */
    assert_true(holds_exactly(f, hashes, copies, 30));
    require_sound(f);
    free(hashes);
    guira_destroy(f);
}

/* ---- Tables of other shapes with as many elements -------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

enum { MOST_BUCKETS = 700 };

static unsigned pairs;

/* Both ways between two shapes, if tables of them with as many elements are small. */
static void require_pair(const struct ref_shape *s, const struct ref_shape *t) {
    uint64_t a_elements = s->P * s->Q; /* of one bucket */
    uint64_t b_elements = t->P * t->Q;
    uint64_t common = common_divisor(a_elements, b_elements);
    uint64_t times = 1 + 40 * common / (a_elements < b_elements ? a_elements : b_elements);
    uint64_t a_buckets = b_elements / common * times;
    uint64_t b_buckets = a_elements / common * times;
    if (a_buckets < 2 || b_buckets < 2 || a_buckets > MOST_BUCKETS || b_buckets > MOST_BUCKETS) {
        return;
    }
    pairs++;
    for (int unique = 0; unique < 2; unique++) {
        struct guira *a = filter_of(a_buckets, s->f, s->w);
        struct guira *b = filter_of(b_buckets, t->f, t->w);
        size_t count = (size_t)(a_buckets + b_buckets) / 4 + 2;
        uint64_t *hashes = distinct_hashes(a, count, pairs);
        insert_copies(a, hashes, 0, count / 2, 2);
        insert_copies(b, hashes, count / 3, count, 2);
        (void)require_merge(a, b, unique == 1);
        (void)require_merge(b, a, unique == 1);
        free(hashes);
        guira_destroy(a);
        guira_destroy(b);
    }
}

static struct ref_shape shapes[400];
static size_t shape_count;

static void add_shape(const struct ref_shape *s) {
    require(shape_count < 400, "too many shapes");
    shapes[shape_count++] = *s;
}

static void tables_of_other_shapes_are_merged(void **state) {
    (void)state;
    shape_count = 0;
    pairs = 0;
    for_each_geometry(2, add_shape);
    for (size_t i = 0; i < shape_count; i++) {
        for (size_t j = 0; j < shape_count; j++) {
            if (i != j && (shapes[i].f != shapes[j].f || shapes[i].w != shapes[j].w)) {
                require_pair(&shapes[i], &shapes[j]);
            }
        }
    }
    require(pairs > 50, "only %u pairs", pairs);
}

/* ---- No room --------------------------------------------------------------------------------- */

/* A filter that is as good as full, so that a merge into it fails after `room` entries or so. */
static struct guira *nearly_full(uint32_t window, uint64_t room) {
    struct guira *f = filter_of(120, 12, window);
    uint64_t in = fill(f, 1u << 20, UINT64_MAX);
    for (uint64_t i = 0; i < room && i < in; i++) {
        assert_int_equal(guira_remove_u64(f, scrambled((1u << 20) + i)), GUIRA_OK);
    }
    return f;
}

static void a_merge_that_does_not_fit_changes_nothing(void **state) {
    (void)state;
    static const uint32_t windows[] = {1, 2, 3, 5};
    for (int w = 0; w < 4; w++) {
        unsigned full = 0;
        unsigned fitted = 0;
        struct guira *from = filter_of(120, 12, windows[w]);
        (void)fill(from, 0, 300);
        for (uint64_t room = 0; room <= 600; room += room < 20 ? 1 : 13) {
            for (int unique = 0; unique < 2; unique++) {
                struct guira *into = nearly_full(windows[w], room);
                enum guira_status status = require_merge(into, from, unique == 1);
                full += status == GUIRA_FULL;
                fitted += status == GUIRA_OK;
                guira_destroy(into);
            }
        }
        require(full > 40 && fitted > 5, "window %u: %u full, %u fitted", windows[w], full, fitted);
        guira_destroy(from);
    }
}

/* One element more often than fits, at every place among the others. */
static void a_merge_past_the_limit_changes_nothing(void **state) {
    (void)state;
    struct guira *shape = filter_of(300, 12, 2);
    uint64_t *hashes = distinct_hashes(shape, 700, 3);
    guira_destroy(shape);
    for (size_t often = 0; often < 700; often += 23) {
        struct guira *into = filter_of(300, 12, 2);
        struct guira *from = filter_of(300, 12, 2);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(guira_insert_uniform(into, hashes[often]), GUIRA_OK);
        }
        insert_copies(into, hashes, 0, 100, 1);
        insert_copies(from, hashes, 0, 700, 1);
        assert_int_equal(guira_insert_uniform(from, hashes[often]), GUIRA_OK);
        assert_int_equal(require_merge(into, from, false), GUIRA_LIMIT);
        assert_int_equal(require_merge(into, from, true), GUIRA_OK);
        guira_destroy(from);
        guira_destroy(into);
    }
    free(hashes);
}

/* ---- Filters that differ in what does not matter --------------------------------------------- */

static uint64_t own_hash(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    return length + seed + (key == NULL);
}

static uint64_t other_hash(void *context, const void *key, size_t length, uint64_t seed) {
    return ~own_hash(context, key, length, seed);
}

static void what_need_not_be_equal_may_differ(void **state) {
    (void)state;
    struct guira_options options = {.buckets = 100, .tag_bits = 12, .window = 2};
    options.hash = (struct guira_hash_function){own_hash, NULL, 5000};
    struct guira *a = filter_with(options);
    options.hash.function = other_hash; /* the identity is what says which function it is */
    options.stripes = 3;
    options.search_budget = 100;
    options.single_writer = true;
    struct guira *b = filter_with(options);
    (void)fill(a, 0, 50);
    (void)fill(b, 100, 50);
    assert_int_equal(guira_compatible(a, b), GUIRA_OK);
    assert_int_equal(require_merge(a, b, false), GUIRA_OK);
    assert_int_equal(require_merge(b, a, true), GUIRA_OK);
    guira_destroy(a);
    guira_destroy(b);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void a_failing_allocator_changes_nothing(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira_options options = {
        .buckets = 100, .tag_bits = 12, .window = 2, .allocator = counting_allocator(&counting)};
    struct guira *from = filter_with(options);
    struct guira *into = filter_of(100, 12, 2);
    (void)fill(from, 0, 100);
    (void)fill(into, 1000, 100);
    struct multiset before = multiset_of(into);
    size_t bytes = counting.bytes;
    for (int unique = 0; unique < 2; unique++) {
        counting.misalign_at = 0;
        counting.fail_at = counting.calls + 1;
        assert_int_equal(merge(into, from, unique == 1), GUIRA_NO_MEMORY);
        counting.misalign_at = counting.calls + 1;
        assert_int_equal(merge(into, from, unique == 1), GUIRA_BAD_ALLOCATOR);
        assert_true(holds_multiset(into, &before));
        assert_int_equal(counting.bytes, bytes);
    }
    multiset_end(&before);
    unsigned calls = counting.calls;
    assert_int_equal(require_merge(into, from, false), GUIRA_OK);
    assert_int_equal(counting.calls, calls + 1);
    (void)fill(into, 2000, UINT64_MAX);
    assert_int_equal(require_merge(into, from, false), GUIRA_FULL);
    assert_int_equal(counting.bytes, bytes);
    guira_destroy(into);
    guira_destroy(from);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

static void memory_is_got_with_no_lock_held(void **state) {
    (void)state;
    struct watching watching = {0};
    struct guira_options options = {.buckets = 100,
                                    .tag_bits = 12,
                                    .window = 2,
                                    .stripes = 10,
                                    .allocator = watching_allocator(&watching)};
    struct guira *a = filter_with(options);
    struct guira *b = filter_with(options);
    watching = (struct watching){.filter = {a, b}};
    (void)fill(a, 0, 100);
    (void)fill(b, 1000, 100);
    assert_int_equal(guira_merge(a, b), GUIRA_OK);
    assert_int_equal(guira_merge(b, b), GUIRA_OK);
    assert_int_equal(guira_merge_unique(a, b), GUIRA_OK);
    assert_int_equal(watching.calls, 6);
    assert_false(watching.locked);
    watching = (struct watching){0};
    guira_destroy(a);
    guira_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplicities_add_up_in_every_geometry),
        cmocka_unit_test(merged_parts_are_the_filter_built_in_one),
        cmocka_unit_test(a_filter_merged_into_itself_doubles_each_multiplicity),
        cmocka_unit_test(tables_of_other_shapes_are_merged),
        cmocka_unit_test(a_merge_that_does_not_fit_changes_nothing),
        cmocka_unit_test(a_merge_past_the_limit_changes_nothing),
        cmocka_unit_test(what_need_not_be_equal_may_differ),
        cmocka_unit_test(a_failing_allocator_changes_nothing),
        cmocka_unit_test(memory_is_got_with_no_lock_held),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
