/*
 * Verifies what walks over a filter whole while it is in the middle of a growth: clear, visit,
 * check and information take both tables.
 */
#include "allocators.h"
#include "elements.h"
#include "middle.h"
#include "tape.h"
#include "test.h"
#include "words.h"

static struct guira_info info_of(const struct guira *f) {
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    return info;
}

/* ---- Walks ----------------------------------------------------------------------------------- */

static void elements_in_both_tables_are_visited_once_with_their_sum(void **state) {
    (void)state;
    struct middle m = some_middle();
    assert_true(holds_middle(m.filter, &m)); /* which visits */
    require_sound(m.filter);
    middle_end(&m);
}

struct seen {
    struct guira *filter;
    const struct middle *middle;
    bool has_grown;
    unsigned visited;
    unsigned *times; /* of each of the middle's elements */
};

/* Grow as far as can be, at the first element that is visited, and take note of all. */
static bool grow_and_note(void *context, uint64_t element, unsigned multiplicity) {
    struct seen *seen = context;
    const struct middle *m = seen->middle;
    assert_in_range(multiplicity, 1, 4);
    while (!seen->has_grown) {
        assert_int_equal(guira_reserve(seen->filter, guira_capacity(seen->filter)), GUIRA_OK);
        (void)guira_remove_uniform(seen->filter, m->hashes[m->in]);
        struct guira_info info = info_of(seen->filter);
        seen->has_grown = info.sizing.doubled == info.sizing.doublings && !info.is_growing;
    }
    for (size_t i = 0; i < m->in; i++) {
        seen->times[i] += guira_element(seen->filter, m->hashes[i]) == element;
    }
    return true;
}

static void a_visit_goes_on_to_tables_that_appear_meanwhile(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct seen seen = {.filter = m.filter, .middle = &m};
    seen.times = calloc(m.in, sizeof *seen.times);
    assert_non_null(seen.times);
    uint32_t before = info_of(m.filter).sizing.doubled;
    assert_int_equal(guira_visit(m.filter, grow_and_note, &seen), GUIRA_OK);
    assert_true(info_of(m.filter).sizing.doubled > before + 1);
    for (size_t i = 0; i < m.in; i++) {
        require(seen.times[i] >= 1, "element %zu was not visited", i);
    }
    free(seen.times);
    assert_true(holds_middle(m.filter, &m));
    middle_end(&m);
}

/* A share of the growth is done at some of the elements that are visited. */
static bool change_and_note(void *context, uint64_t element, unsigned multiplicity) {
    struct seen *seen = context;
    const struct middle *m = seen->middle;
    assert_in_range(multiplicity, 1, 4);
    if (++seen->visited % 16 == 0) {
        (void)guira_remove_uniform(seen->filter, m->hashes[m->in + seen->visited % 64]);
    }
    for (size_t i = 0; i < m->in; i++) {
        seen->times[i] += guira_element(seen->filter, m->hashes[i]) == element;
    }
    return true;
}

/* In a table that is large enough for no entry to make room for another: what moves inside a table
 * may be missed. */
static void what_is_moved_from_table_to_table_meanwhile_is_visited(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 12; round++) {
        struct guira_options options = middle_options();
        options.buckets = 256;
        options.max_capacity = 10000;
        struct middle m = {.filter = filter_with(options), .in = 200, .count = 264};
        m.hashes = distinct_hashes(m.filter, m.count, round);
        m.copies = calloc(m.count, sizeof *m.copies);
        for (; m.copies != NULL && m.copies[m.in - 1] < 2; m.copies[m.in - 1]++) {
            for (size_t i = 0; i < m.in; i++) {
                assert_int_equal(guira_insert_uniform(m.filter, m.hashes[i]), GUIRA_OK);
            }
        }
        assert_int_equal(guira_reserve(m.filter, guira_capacity(m.filter)), GUIRA_OK);
        uint64_t moves = info_of(m.filter).moves;
        struct seen seen = {.filter = m.filter, .middle = &m};
        seen.times = calloc(m.in, sizeof *seen.times);
        assert_non_null(seen.times);
        assert_int_equal(guira_visit(m.filter, change_and_note, &seen), GUIRA_OK);
        assert_int_equal(info_of(m.filter).moves, moves);
        for (size_t i = 0; i < m.in; i++) {
            require(seen.times[i] >= 1, "element %zu was not visited", i);
        }
        free(seen.times);
        middle_end(&m);
    }
}

static unsigned broken(const struct guira *f) {
    unsigned invariant = 0;
    enum guira_status status = guira_check(f, &invariant);
    assert_int_equal(status, invariant == 0 ? GUIRA_OK : GUIRA_CORRUPT);
    return invariant;
}

/* The number of the invariant that is broken while a bucket's word is another. */
static unsigned broken_with(const struct guira *f, const struct table *t, uint64_t bucket,
                            uint64_t word) {
    uint64_t before = word_load(&t->words[bucket], memory_order_relaxed);
    word_store(&t->words[bucket], word, memory_order_relaxed);
    unsigned invariant = broken(f);
    word_store(&t->words[bucket], before, memory_order_relaxed);
    return invariant;
}

static void words_of_both_tables_are_checked(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct whole all = whole_of(m.filter);
    unsigned broken_old = 0;
    for (unsigned i = 0; i < all.tables; i++) {
        const struct table *t = all.table[i];
        for (uint64_t bucket = 0; bucket < t->geometry.buckets; bucket++) {
            uint64_t word = word_load(&t->words[bucket], memory_order_relaxed);
            unsigned emptied =
                t == all.view.from && guira__was_emptied(m.filter, &all.view, bucket);
            assert_int_equal(broken_with(m.filter, t, bucket, UINT64_MAX), TAGS_ARE_POSSIBLE);
            if (word == 0) { /* an entry where there may be none, or one too many */
                assert_int_equal(broken_with(m.filter, t, bucket, 1),
                                 emptied ? EMPTIED_STAYS_EMPTY : COUNTS_AGREE_WITH_SLOTS);
            } else {
                assert_int_equal(broken_with(m.filter, t, bucket, 0), COUNTS_AGREE_WITH_SLOTS);
                broken_old += t == all.view.from;
            }
        }
    }
    assert_true(broken_old > 0);
    require_sound(m.filter);
    middle_end(&m);
}

/* A filter that begins to grow, with an element that has one copy in the old table and in the new
 * one as many as there are slots for it. */
static struct guira *with_too_many_copies(void) {
    struct guira *f = filter_with(middle_options());
    uint64_t hash = guira_hash_u64(f, 1);
    assert_int_equal(guira_insert_uniform(f, hash), GUIRA_OK);
    assert_int_equal(guira_reserve(f, guira_capacity(f)), GUIRA_OK);
    struct whole all = whole_of(f);
    assert_non_null(all.view.from);
    struct sites s = sites_of(&all.view, hash);
    for (unsigned side = 0; side < 2; side++) {
        fill_and_complete(all.view.to, s.now.bucket[side], s.now.pattern[side].tags);
    }
    stripe_count(stripe_at(&f->stripes, 0), 4);
    assert_int_equal(guira_count_uniform(f, hash), 5);
    return f;
}

static void an_element_with_more_copies_than_one_table_holds_is_invariant_6(void **state) {
    (void)state;
    struct guira *f = with_too_many_copies();
    assert_int_equal(broken(f), COPIES_FIT_ONE_TABLE);
    struct tape tape = tape_of(f);
    assert_int_equal(refusal_of(&tape), GUIRA_IMPOSSIBLE_TAG);
    tape_free(&tape);
    guira_destroy(f);
}

static void clear_removes_what_is_in_both_tables(void **state) {
    (void)state;
    struct middle m = some_middle();
    assert_int_equal(guira_clear(m.filter), GUIRA_OK);
    memset(m.copies, 0, m.count * sizeof *m.copies);
    assert_true(holds_middle(m.filter, &m));
    require_sound(m.filter);
    require_goes_on(m.filter, &m);
    middle_end(&m);
}

/* ---- Information ----------------------------------------------------------------------------- */

static void bytes_are_those_of_all_that_was_allocated(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira_options options = middle_options();
    options.allocator = counting_allocator(&counting);
    struct guira_sizing sizing;
    assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
    struct guira *f = filter_with(options);
    struct guira_info info = info_of(f);
    assert_int_equal(sizing.buckets, 64);
    assert_int_equal(sizing.doubled, 0);
    assert_int_equal(sizing.allocated_bytes, counting.bytes);
    assert_memory_equal(&sizing, &info.sizing, sizeof sizing);
    uint64_t left = 0;
    uint32_t grown = 0;
    bool was_growing = false;
    for (uint64_t i = 0; guira_insert_u64(f, i) == GUIRA_OK; i++) {
        info = info_of(f);
        assert_int_equal(info.sizing.buckets, UINT64_C(64) << info.sizing.doubled);
        assert_int_equal(info.slots, info.sizing.buckets * info.sizing.slots_per_bucket);
        uint64_t table = 8 * info.sizing.buckets;
        assert_int_equal(info.sizing.table_bytes, info.is_growing ? table + table / 2 : table);
        left += was_growing && !info.is_growing ? table / 2 : 0;
        grown += was_growing && !info.is_growing;
        assert_int_equal(info.left_bytes, left);
        assert_int_equal(info.sizing.allocated_bytes, counting.bytes);
        was_growing = info.is_growing;
    }
    assert_int_equal(grown, sizing.doublings);
    assert_int_equal(info.sizing.doubled, sizing.doublings);
    guira_destroy(f);
    assert_int_equal(counting.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_in_both_tables_are_visited_once_with_their_sum),
        cmocka_unit_test(a_visit_goes_on_to_tables_that_appear_meanwhile),
        cmocka_unit_test(what_is_moved_from_table_to_table_meanwhile_is_visited),
        cmocka_unit_test(words_of_both_tables_are_checked),
        cmocka_unit_test(an_element_with_more_copies_than_one_table_holds_is_invariant_6),
        cmocka_unit_test(clear_removes_what_is_in_both_tables),
        cmocka_unit_test(bytes_are_those_of_all_that_was_allocated),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
