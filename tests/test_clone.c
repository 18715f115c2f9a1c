/*
 * Verifies clones: the original's table, options and counts, statistics at 0, and from then on two
 * filters; beside writers the original at one instant; nothing is left when memory is short.
 */
#include "allocators.h"
#include "elements.h"
#include "grid.h"
#include "multiset.h"
#include "threads.h"
#include "tokens.h"

static struct guira *clone_of(const struct guira *f) {
    struct guira *copy = NULL;
    enum guira_status status = guira_clone(f, &copy);
    require(status == GUIRA_OK, "guira_clone says: %s", guira_status_text(status));
    return copy;
}

static struct guira_info info_of(const struct guira *f) {
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    return info;
}

/* Everything but the statistics, which the copy has at 0. */
static void require_same(const struct guira *f, const struct guira *copy) {
    struct guira_info a = info_of(f);
    struct guira_info b = info_of(copy);
    assert_memory_equal(&a.sizing, &b.sizing, sizeof a.sizing);
    assert_int_equal(a.seed, b.seed);
    assert_int_equal(a.hash_identity, b.hash_identity);
    assert_int_equal(a.search_budget, b.search_budget);
    assert_int_equal(a.single_writer, b.single_writer);
    assert_int_equal(a.slots, b.slots);
    assert_int_equal(a.items, b.items);
    assert_int_equal(b.searches + b.nodes + b.moves + b.full_inserts + b.lost_races +
                         b.reader_retries + b.lock_waits,
                     0);
    assert_int_equal(f->table.stripe_shift, copy->table.stripe_shift);
    assert_memory_equal(&f->kernel, &copy->kernel, sizeof f->kernel);
    uint64_t *words = words_of(f);
    assert_true(words_equal(copy, words));
    free(words);
    struct multiset m = multiset_of(f);
    assert_true(holds_multiset(copy, &m));
    multiset_end(&m);
    assert_int_equal(guira_compatible(f, copy), GUIRA_OK);
}

static void require_clone(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t in = fill(f, 0, s->M * s->k);
    struct guira *copy = clone_of(f);
    require_same(f, copy);
    for (uint64_t i = 0; i < in; i++) {
        assert_true(guira_contains_u64(copy, scrambled(i)));
        assert_int_equal(guira_remove_u64(copy, scrambled(i)), GUIRA_OK);
    }
    require_sound(copy);
    assert_int_equal(guira_size(copy), 0);
    assert_int_equal(guira_size(f), in);
    guira_destroy(copy);
    guira_destroy(f);
}

static void a_clone_equals_the_original(void **state) {
    (void)state;
    for_each_geometry(2, require_clone);
    for_each_geometry(61, require_clone);
}

static uint64_t own_hash(void *context, const void *key, size_t length, uint64_t seed) {
    uint64_t word = 0;
    memcpy(&word, key, length < sizeof word ? length : sizeof word);
    return scrambled(word ^ seed ^ (uintptr_t)context);
}

static void every_option_is_the_originals(void **state) {
    (void)state;
    struct counting counting = {0};
    static const uint32_t stripes[] = {0, 1, 2, 3, 7, 8, 100, 1000, 65536};
    const struct guira_allocator allocators[] = {{0}, counting_allocator(&counting)};
    const struct guira_hash_function hashes[] = {{0}, {own_hash, &counting, 2000}};
    for (size_t i = 0; i < sizeof stripes / sizeof stripes[0]; i++) {
        struct guira *f =
            filter_with((struct guira_options){.capacity = 1000 + 777 * i,
                                               .false_positive_rate = i % 2 == 0 ? 0.01 : 0.001,
                                               .stripes = stripes[i],
                                               .search_budget = (uint32_t)(500 * i),
                                               .single_writer = i % 3 == 1,
                                               .hash = hashes[i % 2],
                                               .allocator = allocators[i % 4 / 2]});
        (void)fill(f, 0, 900);
        assert_int_equal(guira_insert(f, "wren", 4), GUIRA_OK);
        struct guira *copy = clone_of(f);
        require_same(f, copy);
        assert_true(guira_contains(copy, "wren", 4));
        assert_int_equal(guira_hash(copy, "robin", 5), guira_hash(f, "robin", 5));
        guira_destroy(f); /* what the copy has is its own */
        assert_int_equal(guira_remove(copy, "wren", 4), GUIRA_OK);
        require_sound(copy);
        guira_destroy(copy);
    }
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

static void a_table_of_the_systems_pages_is_cloned(void **state) {
    (void)state;
    struct guira *f = filter_for(3000000, 0.01);
    (void)fill(f, 0, scaled(1000000));
    struct guira *copy = clone_of(f);
    require_same(f, copy);
    guira_destroy(f);
    guira_destroy(copy);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static void a_failing_allocator_leaves_nothing_behind(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira *f = filter_with((struct guira_options){
        .capacity = 1000, .false_positive_rate = 0.01, .allocator = counting_allocator(&counting)});
    (void)fill(f, 0, 1000);
    size_t bytes = counting.bytes;
    struct guira *copy = NULL;
    for (unsigned n = 1; n <= 2; n++) {
        counting.misalign_at = 0;
        counting.fail_at = counting.calls + n;
        assert_int_equal(guira_clone(f, &copy), GUIRA_NO_MEMORY);
        counting.fail_at = 0;
        counting.misalign_at = counting.calls + n;
        assert_int_equal(guira_clone(f, &copy), GUIRA_BAD_ALLOCATOR);
        assert_null(copy);
        assert_int_equal(counting.bytes, bytes);
    }
    assert_int_equal(guira_clone(f, &copy), GUIRA_OK);
    assert_int_equal(counting.bytes, 2 * bytes);
    require_same(f, copy);
    guira_destroy(copy);
    guira_destroy(f);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

static void memory_is_got_with_no_lock_held(void **state) {
    (void)state;
    struct watching watching = {0};
    struct guira *f =
        filter_with((struct guira_options){.capacity = 20000,
                                           .false_positive_rate = 0.01,
                                           .allocator = watching_allocator(&watching)});
    watching.filter[0] = f;
    struct guira *copy = clone_of(f);
    assert_int_equal(watching.calls, 4);
    assert_false(watching.locked);
    watching.filter[0] = NULL;
    guira_destroy(copy);
    guira_destroy(f);
}

static void null_is_answered_as_stated(void **state) {
    (void)state;
    struct guira *f = filter_of(10, 12, 2);
    struct guira *copy = NULL;
    assert_int_equal(guira_clone(NULL, &copy), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_clone(f, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_clone(NULL, NULL), GUIRA_NULL_ARGUMENT);
    assert_null(copy);
    guira_destroy(f);
}

/* ---- Beside writers -------------------------------------------------------------------------- */

enum { WRITERS = 3, STABLE = 60, KEYS = STABLE + WRITERS * OF_ONE_WRITER };

static void require_instant(const struct guira *copy, const uint64_t *hashes) {
    struct multiset m = multiset_of(copy); /* which compares the count */
    multiset_end(&m);
    for (unsigned i = 0; i < STABLE; i++) {
        require(guira_contains_uniform(copy, hashes[i]), "stable key %u is lost", i);
    }
    for (unsigned i = 0; i < WRITERS; i++) {
        require(tokens_are_of_one_instant(copy, hashes + STABLE + (size_t)i * OF_ONE_WRITER),
                "writer %u", i);
    }
}

/* The filter while it is written to holds about as much as it can. */
static void clone_beside_writers(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                 uint32_t stripes) {
    struct guira *f = filter_with((struct guira_options){
        .buckets = buckets, .tag_bits = tag_bits, .window = window, .stripes = stripes});
    uint64_t *hashes = distinct_hashes(f, KEYS, buckets);
    unsigned copies[KEYS] = {0};
    for (unsigned i = 0; i < STABLE; i++) {
        copies[i] = guira_insert_uniform(f, hashes[i]) == GUIRA_OK;
        assert_int_equal(copies[i], 1);
    }
    atomic_bool stop = false;
    struct token_writer writer[WRITERS];
    struct crew crew;
    crew_begin(&crew, WRITERS);
    for (unsigned i = 0; i < WRITERS; i++) {
        writer[i] = (struct token_writer){
            .filter = f, .hashes = hashes + STABLE + (size_t)i * OF_ONE_WRITER, .stop = &stop};
        tokens_begin(&writer[i]);
        crew_hire(&crew, tokens_write, &writer[i]);
    }
    uint64_t different = 0;
    uint64_t last = 0;
    for (uint64_t round = 0; round < scaled(2000) || different < 10; round++) {
        struct guira *copy = clone_of(f);
        require_instant(copy, hashes);
        different += guira_size(copy) != last;
        last = guira_size(copy);
        guira_destroy(copy);
    }
    atomic_store(&stop, true);
    crew_end(&crew);
    for (unsigned i = 0; i < WRITERS; i++) {
        assert_int_equal(writer[i].wrong, 0);
        memcpy(copies + STABLE + (size_t)i * OF_ONE_WRITER, writer[i].copies,
               sizeof writer[i].copies);
    }
    struct guira *copy = clone_of(f);
    assert_true(holds_exactly(f, hashes, copies, KEYS));
    assert_true(holds_exactly(copy, hashes, copies, KEYS));
    guira_destroy(copy);
    guira_destroy(f);
    free(hashes);
}

static void beside_writers_a_clone_is_of_one_instant(void **state) {
    (void)state;
    clone_beside_writers(30, 12, 2, 0);
    clone_beside_writers(28, 12, 2, 28);
    clone_beside_writers(16, 8, 8, 4);
    clone_beside_writers(36, 16, 3, 36);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clone_equals_the_original),
        cmocka_unit_test(every_option_is_the_originals),
        cmocka_unit_test(a_table_of_the_systems_pages_is_cloned),
        cmocka_unit_test(a_failing_allocator_leaves_nothing_behind),
        cmocka_unit_test(memory_is_got_with_no_lock_held),
        cmocka_unit_test(null_is_answered_as_stated),
        cmocka_unit_test(beside_writers_a_clone_is_of_one_instant),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
