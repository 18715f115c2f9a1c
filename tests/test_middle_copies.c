/*
 * Verifies what copies a filter whole while it is in the middle of a growth: snapshots, clones,
 * saves and merges take both tables, beside writers too at one instant, and what comes of them goes
 * on to grow.
 */
#include "allocators.h"
#include "elements.h"
#include "middle.h"
#include "multiset.h"
#include "snapshot.h"
#include "tape.h"
#include "test.h"
#include "threads.h"
#include "tokens.h"

static struct guira_info info_of(const struct guira *f) {
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    return info;
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

/* ---- Beside writers -------------------------------------------------------------------------- */

enum { WRITERS = 2, STABLE = 900, KEYS = STABLE + WRITERS * OF_ONE_WRITER };

/* Of one instant: tokens, count, and all that was in before. */
static void require_instant(const struct guira *copy, const uint64_t *hashes, size_t stable) {
    struct multiset m = multiset_of(copy); /* which checks, and compares the count */
    multiset_end(&m);
    for (size_t i = 0; i < stable; i++) {
        require(guira_contains_uniform(copy, hashes[i]), "stable key %zu is lost", i);
    }
    for (size_t i = 0; i < WRITERS; i++) {
        require(tokens_are_of_one_instant(copy, hashes + STABLE + i * OF_ONE_WRITER), "writer %zu",
                i);
    }
}

/* Another copy of the filter each time, by way of a clone, a save or a merge. */
static struct guira *copy_of(const struct guira *f, size_t how) {
    if (how % 3 == 0) {
        struct tape tape = tape_of(f);
        struct guira *copy = filter_of_tape(&tape);
        tape_free(&tape);
        return copy;
    }
    if (how % 3 == 1) {
        return clone_of(f);
    }
    struct guira_options options = middle_options();
    options.seed = info_of(f).seed;
    struct guira *sum = filter_with(options);
    assert_int_equal(guira_merge(sum, f), GUIRA_OK);
    return sum;
}

/* How many copies of a filter that grows from its smallest to its largest table were growing. */
static unsigned copy_while_it_grows(void) {
    struct guira *f = filter_with(middle_options());
    uint64_t *hashes = distinct_hashes(f, KEYS, 5);
    atomic_bool stop = false;
    struct token_writer writer[WRITERS];
    struct crew crew;
    crew_begin(&crew, WRITERS);
    for (size_t i = 0; i < WRITERS; i++) {
        writer[i] = (struct token_writer){
            .filter = f, .hashes = hashes + STABLE + i * OF_ONE_WRITER, .stop = &stop};
        tokens_begin(&writer[i]);
        crew_hire(&crew, tokens_write, &writer[i]);
    }
    unsigned growing = 0;
    for (size_t i = 0; i < STABLE; i++) {
        assert_int_equal(guira_insert_uniform(f, hashes[i]), GUIRA_OK);
        if (i % 4 == 0) {
            struct guira *copy = copy_of(f, i / 4);
            growing += is_growing(copy);
            require_instant(copy, hashes, i + 1);
            guira_destroy(copy);
            require_sound(f);
        }
    }
    atomic_store(&stop, true);
    crew_end(&crew);
    for (size_t i = 0; i < WRITERS; i++) {
        assert_int_equal(writer[i].wrong, 0);
    }
    require_instant(f, hashes, STABLE);
    free(hashes);
    guira_destroy(f);
    return growing;
}

static void beside_writers_what_is_copied_is_of_one_instant(void **state) {
    (void)state;
    unsigned growing = 0;
    for (uint64_t round = 0; round < scaled(4) || growing < 3; round++) {
        growing += copy_while_it_grows();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_has_the_words_of_both_tables),
        cmocka_unit_test(a_snapshot_is_of_the_tables_in_use_when_the_locks_are_held),
        cmocka_unit_test(a_clone_is_in_mid_growth_and_goes_on_by_itself),
        cmocka_unit_test(what_an_allocator_refuses_leaves_nothing_behind),
        cmocka_unit_test(filters_in_mid_growth_are_merged),
        cmocka_unit_test(a_filter_in_mid_growth_is_merged_into_itself),
        cmocka_unit_test(a_merge_that_does_not_fit_leaves_the_contents),
        cmocka_unit_test(a_merge_past_the_limit_takes_back_what_is_of_both_tables),
        cmocka_unit_test(beside_writers_what_is_copied_is_of_one_instant),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
