/*
 * Verifies the walks over a table: each element is visited once with its multiplicity, a visit
 * stops when told to, and guira_check finds each invariant by its number when it is broken on
 * purpose.
 */
#include "elements.h"
#include "grid.h"

static void require_visit(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    size_t count = (size_t)(s->U < 60 ? s->U / 4 : 20);
    uint64_t *hashes = distinct_hashes(f, count, s->f);
    unsigned copies[20];
    for (size_t i = 0; i < count; i++) {
        copies[i] = 0;
        for (size_t j = 0; j <= i % 4; j++) {
            copies[i] += guira_insert_uniform(f, hashes[i]) == GUIRA_OK;
        }
    }
    require(holds_exactly(f, hashes, copies, count), "f %u, w %u", s->f, s->w);
    require_sound(f);
    free(hashes);
    guira_destroy(f);
}

static void every_element_is_visited_once_with_its_multiplicity(void **state) {
    (void)state;
    for_each_geometry(13, require_visit);
}

static bool stop_after(void *context, uint64_t element, unsigned multiplicity) {
    unsigned *left = context;
    (void)element;
    (void)multiplicity;
    return --*left > 0;
}

static void a_visit_stops_when_told_to(void **state) {
    (void)state;
    struct guira *f = filter_of(32, 12, 2);
    assert_int_equal(fill(f, 0, 50), 50);
    for (unsigned n = 1; n <= 50; n++) {
        unsigned left = n;
        assert_int_equal(guira_visit(f, stop_after, &left), GUIRA_STOPPED);
        assert_int_equal(left, 0);
    }
    unsigned left = 1000;
    assert_int_equal(guira_visit(f, stop_after, &left), GUIRA_OK);
    guira_destroy(f);
}

static void null_is_refused(void **state) {
    (void)state;
    struct guira *f = filter_of(2, 8, 2);
    unsigned invariant = 77;
    assert_int_equal(guira_visit(NULL, stop_after, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_visit(f, NULL, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_check(NULL, &invariant), GUIRA_NULL_ARGUMENT);
    assert_int_equal(invariant, 77);
    assert_int_equal(guira_check(f, NULL), GUIRA_OK);
    guira_destroy(f);
}

static bool insert_more(void *context, uint64_t element, unsigned multiplicity) {
    struct guira *f = context;
    (void)multiplicity;
    (void)guira_insert_u64(f, element);
    (void)guira_remove_u64(f, element);
    return guira_check(f, NULL) == GUIRA_OK;
}

static void a_visitor_may_use_the_filter(void **state) {
    (void)state;
    struct guira *f = filter_of(32, 12, 2);
    assert_int_equal(fill(f, 0, 50), 50);
    assert_int_equal(guira_visit(f, insert_more, f), GUIRA_OK);
    guira_destroy(f);
}

/* What a visitor that clears the filter has been told. */
struct cleared {
    struct guira *filter;
    uint64_t universe;
    unsigned visited;
    bool wrong;
};

static bool clear_all(void *context, uint64_t element, unsigned multiplicity) {
    struct cleared *c = context;
    c->visited++;
    c->wrong |= multiplicity == 0 || element >= c->universe;
    return guira_clear(c->filter) == GUIRA_OK;
}

/* The rest of the bucket that the visit has read already. */
static void what_leaves_before_its_turn_is_reported_as_it_was_read(void **state) {
    (void)state;
    struct guira *f = filter_of(32, 12, 2);
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    struct cleared cleared = {.filter = f, .universe = info.sizing.universe};
    (void)fill(f, 0, UINT64_MAX);
    assert_int_equal(guira_visit(f, clear_all, &cleared), GUIRA_OK);
    assert_false(cleared.wrong);
    assert_in_range(cleared.visited, 2, info.sizing.slots_per_bucket);
    assert_int_equal(guira_size(f), 0);
    guira_destroy(f);
}

/* The number of the invariant that guira_check finds broken. */
static unsigned broken(const struct guira *f) {
    unsigned invariant = 0;
    enum guira_status status = guira_check(f, &invariant);
    assert_int_equal(status, invariant == 0 ? GUIRA_OK : GUIRA_CORRUPT);
    assert_int_equal(guira_check(f, NULL), status); /* and it gave its locks back */
    return invariant;
}

/* XORs bits into a bucket's word, and takes them out again. */
static unsigned broken_with(struct guira *f, uint64_t bucket, uint64_t bits) {
    atomic_word *word = &f->table.words[bucket];
    uint64_t before = word_load(word, memory_order_relaxed);
    word_store(word, before ^ bits, memory_order_relaxed);
    unsigned invariant = broken(f);
    word_store(word, before, memory_order_relaxed);
    return invariant;
}

static void require_broken_words_noticed(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    (void)fill(f, 0, s->M * s->k / 2);
    require_sound(f);
    for (uint64_t bucket = 0; bucket < s->M; bucket++) {
        for (uint32_t bit = s->k * s->f; bit < 64; bit++) { /* 1: a bit above the slots */
            assert_int_equal(broken_with(f, bucket, UINT64_C(1) << bit), 1);
        }
        for (uint32_t slot = 0; slot < s->k; slot++) {
            uint64_t tag = ref_tag(s, f->table.words, bucket, slot);
            uint64_t largest = (UINT64_C(1) << s->f) - 1;
            /* 2: the largest value of a slot is nobody's tag, whatever the width */
            assert_int_equal(broken_with(f, bucket, (tag ^ largest) << (slot * s->f)), 2);
            /* 4: an entry too many or too few */
            uint64_t change = tag == 0 ? 1 : tag;
            assert_int_equal(broken_with(f, bucket, change << (slot * s->f)), 4);
        }
    }
    require_sound(f);
    guira_destroy(f);
}

static void each_broken_invariant_of_the_words_is_found_by_number(void **state) {
    (void)state;
    for_each_geometry(3, require_broken_words_noticed);
}

/* No word can break this one: every possible tag leads to an element with that slot. What can is a
 * geometry that was overwritten. */
static void an_entry_that_its_element_cannot_find_is_invariant_3(void **state) {
    (void)state;
    struct guira *f = filter_of(40, 12, 2);
    assert_int_equal(fill(f, 0, 100), 100);
    for (uint32_t lane = 0; lane < 5; lane++) {
        struct window *window = &f->table.geometry.window[lane];
        struct window before = *window;
        window->first[0] += window->step;
        window->first[1] += window->step;
        assert_int_equal(broken(f), 3);
        *window = before;
    }
    require_sound(f);
    guira_destroy(f);
}

static void a_wrong_count_of_a_stripe_is_invariant_4(void **state) {
    (void)state;
    struct guira *f = filter_with(
        (struct guira_options){.buckets = 40, .tag_bits = 12, .window = 2, .stripes = 8});
    assert_int_equal(fill(f, 0, 100), 100);
    for (uint32_t i = 0; i < f->stripes.count; i++) {
        stripe_count(stripe_at(&f->stripes, i), 1);
        assert_int_equal(broken(f), 4);
        stripe_count(stripe_at(&f->stripes, i), -2);
        assert_int_equal(broken(f), 4);
        stripe_count(stripe_at(&f->stripes, i), 1);
    }
    require_sound(f);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_visited_once_with_its_multiplicity),
        cmocka_unit_test(a_visit_stops_when_told_to),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(a_visitor_may_use_the_filter),
        cmocka_unit_test(what_leaves_before_its_turn_is_reported_as_it_was_read),
        cmocka_unit_test(each_broken_invariant_of_the_words_is_found_by_number),
        cmocka_unit_test(an_entry_that_its_element_cannot_find_is_invariant_3),
        cmocka_unit_test(a_wrong_count_of_a_stripe_is_invariant_4),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
