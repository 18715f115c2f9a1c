/*
 * Verifies what takes a filter whole while it is in the middle of a growth: snapshot, clone, merge,
 * clear, visit, check and information take both tables, and what comes of them goes on to grow.
 */
#include "allocators.h"
#include "elements.h"
#include "middle.h"
#include "multiset.h"
#include "snapshot.h"
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
    if (++seen->visited % 8 == 0) {
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
    for (uint64_t round = 0; round < 8; round++) {
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

/* ---- Snapshots and clones -------------------------------------------------------------------- */

static void a_snapshot_has_the_words_of_both_tables(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct snapshot s;
    assert_int_equal(guira__snapshot_take(m.filter, &s), GUIRA_OK);
    assert_int_equal(s.of.tables, 2);
    uint64_t *words = words_of(m.filter);
    for (unsigned i = 0; i < 2; i++) {
        size_t buckets = (size_t)s.of.table[i]->geometry.buckets;
        size_t before = i == 0 ? 0 : (size_t)s.of.table[0]->geometry.buckets;
        assert_memory_equal(s.copy[i].words, words + before, buckets * sizeof *words);
    }
    assert_int_equal(s.items, guira_size(m.filter));
    free(words);
    guira__snapshot_release(m.filter, &s);
    middle_end(&m);
}

/* Memory of which a filter begins to grow when the n-th piece is asked for. */
struct surprise {
    struct guira *filter;
    unsigned left;
};

static void *allocate_with_surprise(void *context, size_t size, size_t alignment) {
    struct surprise *s = context;
    if (s->left > 0 && --s->left == 0) {
        assert_int_equal(guira_reserve(s->filter, guira_capacity(s->filter)), GUIRA_OK);
    }
    return aligned_alloc(alignment, size);
}

static void release(void *context, void *memory, size_t size, size_t alignment) {
    (void)context;
    (void)size;
    (void)alignment;
    free(memory);
}

static void a_snapshot_is_of_the_tables_in_use_when_the_locks_are_held(void **state) {
    (void)state;
    struct surprise surprise = {.left = 0};
    struct guira_options options = middle_options();
    options.allocator = (struct guira_allocator){allocate_with_surprise, release, &surprise};
    struct guira *f = filter_with(options);
    surprise.filter = f;
    assert_int_equal(fill(f, 0, 50), 50);
    assert_false(is_growing(f));
    surprise.left = 1;
    struct snapshot s;
    assert_int_equal(guira__snapshot_take(f, &s), GUIRA_OK);
    assert_true(is_growing(f));
    assert_int_equal(s.of.tables, 2);
    assert_int_equal(s.of.view.word, guira__view(f).word);
    guira__snapshot_release(f, &s);
    guira_destroy(f);
}

static struct guira *clone_of(const struct guira *f) {
    struct guira *copy = NULL;
    assert_int_equal(guira_clone(f, &copy), GUIRA_OK);
    return copy;
}

static void a_clone_is_in_mid_growth_and_goes_on_by_itself(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct guira *copy = clone_of(m.filter);
    require_same(m.filter, copy);
    assert_true(is_growing(copy));
    require_goes_on(copy, &m);
    assert_true(is_growing(m.filter));
    assert_true(holds_middle(m.filter, &m));
    require_goes_on(m.filter, &m);
    guira_destroy(copy);
    copy = clone_of(m.filter); /* at rest, and larger than it began */
    require_same(m.filter, copy);
    require_goes_on(copy, &m);
    guira_destroy(copy);
    middle_end(&m);
}

static void what_an_allocator_refuses_leaves_nothing_behind(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira_options options = middle_options();
    options.allocator = counting_allocator(&counting);
    struct middle m = middle_of(options, 3);
    size_t bytes = counting.bytes;
    struct guira *copy = NULL;
    for (unsigned n = 1; n <= 3; n++) { /* two tables and a block */
        counting.misalign_at = 0;
        counting.fail_at = counting.calls + n;
        assert_int_equal(guira_clone(m.filter, &copy), GUIRA_NO_MEMORY);
        counting.fail_at = 0;
        counting.misalign_at = counting.calls + n;
        assert_int_equal(guira_clone(m.filter, &copy), GUIRA_BAD_ALLOCATOR);
        assert_null(copy);
        assert_int_equal(counting.bytes, bytes);
    }
    counting.fail_at = counting.calls + 2;
    assert_int_equal(guira_merge(m.filter, m.filter), GUIRA_NO_MEMORY);
    assert_true(holds_middle(m.filter, &m));
    middle_end(&m);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* Merge, and see to it that the result is what the multisets say, or what was there before. */
static enum guira_status require_merge(struct guira *into, const struct guira *from, bool unique) {
    struct multiset a = multiset_of(into);
    struct multiset b = multiset_of(from);
    struct multiset sum = multiset_sum(&a, &b, unique);
    enum guira_status status = unique ? guira_merge_unique(into, from) : guira_merge(into, from);
    assert_true(holds_multiset(into, status == GUIRA_OK ? &sum : &a));
    assert_true(into == from || holds_multiset(from, &b));
    require_sound(into);
    multiset_end(&a);
    multiset_end(&b);
    multiset_end(&sum);
    return status;
}

static void filters_in_mid_growth_are_merged(void **state) {
    (void)state;
    for (int unique = 0; unique < 2; unique++) {
        struct middle m = some_middle();
        struct guira *copy = clone_of(m.filter);
        struct guira *small = filter_with(middle_options());
        (void)fill(small, 0, 150);
        assert_int_equal(require_merge(m.filter, small, unique == 1), GUIRA_OK);
        assert_int_equal(require_merge(small, copy, unique == 1), GUIRA_OK); /* which grows */
        assert_true(info_of(small).sizing.doubled > 0);
        /* Of an element with four copies nothing else can use the slots. */
        enum guira_status status = require_merge(copy, copy, unique == 1);
        assert_true(status == GUIRA_OK || (status == GUIRA_FULL && unique == 0));
        guira_destroy(small);
        guira_destroy(copy);
        middle_end(&m);
    }
}

static void a_filter_in_mid_growth_is_merged_into_itself(void **state) {
    (void)state;
    struct guira *f = filter_with(middle_options());
    (void)fill(f, 0, 60);
    assert_int_equal(guira_reserve(f, guira_capacity(f)), GUIRA_OK);
    (void)fill(f, 60, 5);
    assert_true(is_growing(f));
    assert_int_equal(require_merge(f, f, false), GUIRA_OK);
    assert_int_equal(guira_size(f), 130);
    guira_destroy(f);
}

static void a_merge_that_does_not_fit_leaves_the_contents(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct guira *full = filter_with(middle_options());
    (void)fill(full, 0, UINT64_MAX);
    assert_int_equal(info_of(full).sizing.doubled, info_of(full).sizing.doublings);
    assert_int_equal(require_merge(full, m.filter, false), GUIRA_FULL);
    assert_int_equal(require_merge(full, m.filter, true), GUIRA_FULL);
    guira_destroy(full);
    middle_end(&m);
}

/* In the old table are elements that fit and one that does not. */
static void a_merge_past_the_limit_takes_back_what_is_of_both_tables(void **state) {
    (void)state;
    struct middle m = some_middle();
    struct whole all = whole_of(m.filter);
    struct guira *into = filter_with(middle_options());
    size_t tried = 0;
    for (size_t i = 0; i < m.in; i++) {
        struct sites s = sites_of(&all.view, m.hashes[i]);
        if (held_copies(all.view.from, &s.before) == 0) {
            continue;
        }
        for (unsigned copy = 0; copy < 4; copy++) {
            assert_int_equal(guira_insert_uniform(into, m.hashes[i]), GUIRA_OK);
        }
        /* Or first a neighbour, whose slots all hold this one. */
        enum guira_status status = require_merge(into, m.filter, false);
        assert_true(status == GUIRA_LIMIT || status == GUIRA_FULL);
        assert_int_equal(guira_clear(into), GUIRA_OK);
        tried += status == GUIRA_LIMIT;
    }
    assert_true(tried > 10);
    guira_destroy(into);
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
        cmocka_unit_test(a_snapshot_has_the_words_of_both_tables),
        cmocka_unit_test(a_snapshot_is_of_the_tables_in_use_when_the_locks_are_held),
        cmocka_unit_test(a_clone_is_in_mid_growth_and_goes_on_by_itself),
        cmocka_unit_test(what_an_allocator_refuses_leaves_nothing_behind),
        cmocka_unit_test(filters_in_mid_growth_are_merged),
        cmocka_unit_test(a_filter_in_mid_growth_is_merged_into_itself),
        cmocka_unit_test(a_merge_that_does_not_fit_leaves_the_contents),
        cmocka_unit_test(a_merge_past_the_limit_takes_back_what_is_of_both_tables),
        cmocka_unit_test(bytes_are_those_of_all_that_was_allocated),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
