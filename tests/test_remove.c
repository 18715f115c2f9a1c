/*
 * Verifies remove and clear: a remove takes one copy of its element and leaves all others; an
 * absent element is NOT_FOUND and changes nothing, also the second time; colliding keys are each
 * stored; clear leaves an empty table that serves again.
 */
#include "elements.h"
#include "grid.h"

static void require_removed_one_by_one(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t n = fill(f, 0, UINT64_MAX);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = scrambled(i);
        unsigned copies = guira_count_u64(f, key);
        assert_true(copies > 0);
        require(guira_remove_u64(f, key) == GUIRA_OK, "f %u, w %u", s->f, s->w);
        assert_int_equal(guira_count_u64(f, key), copies - 1);
        assert_int_equal(guira_size(f), n - i - 1);
        for (uint64_t j = i + 1; j < n; j += 1 + n / 8) {
            assert_true(guira_contains_u64(f, scrambled(j)));
        }
    }
    for (uint64_t bucket = 0; bucket < s->M; bucket++) {
        assert_int_equal(word_load(&f->table.words[bucket], memory_order_relaxed), 0);
    }
    require_sound(f);
    guira_destroy(f);
}

static void a_full_table_is_emptied_one_by_one(void **state) {
    (void)state;
    for_each_geometry(2, require_removed_one_by_one);
    for_each_geometry(25, require_removed_one_by_one);
}

static void removing_an_absent_element_changes_nothing_however_often(void **state) {
    (void)state;
    struct guira *f = filter_of(200, 16, 4);
    uint64_t *hashes = distinct_hashes(f, 1400, 1);
    for (int i = 0; i < 700; i++) {
        assert_int_equal(guira_insert_uniform(f, hashes[i]), GUIRA_OK);
    }
    uint64_t *words = words_of(f);
    for (int i = 700; i < 1400; i++) {
        assert_int_equal(guira_remove_uniform(f, hashes[i]), GUIRA_NOT_FOUND);
        assert_int_equal(guira_remove_uniform(f, hashes[i]), GUIRA_NOT_FOUND);
    }
    assert_true(words_equal(f, words));
    assert_int_equal(guira_size(f), 700);
    free(words);
    free(hashes);
    guira_destroy(f);
}

/* Two keys with one element are two entries: removing one leaves the other. */
static void keys_that_share_an_element_are_each_stored(void **state) {
    (void)state;
    struct guira *f = filter_of(16, 4, 2); /* so few elements that keys collide at once */
    struct ref_shape s = shape_of_filter(f);
    uint64_t first = scrambled(0);
    uint64_t x = guira_element(f, guira_hash_u64(f, first));
    uint64_t i = 1;
    while (guira_element(f, guira_hash_u64(f, scrambled(i))) != x) {
        i++;
        assert_true(i < 1000 * s.U);
    }
    uint64_t other = scrambled(i);
    assert_int_equal(guira_insert_u64(f, first), GUIRA_OK);
    assert_int_equal(guira_insert_u64(f, other), GUIRA_OK);
    assert_int_equal(guira_count_u64(f, first), 2);
    assert_int_equal(guira_remove_u64(f, first), GUIRA_OK);
    assert_true(guira_contains_u64(f, other));
    assert_int_equal(guira_remove_u64(f, other), GUIRA_OK);
    assert_false(guira_contains_u64(f, first));
    assert_int_equal(guira_remove_u64(f, first), GUIRA_NOT_FOUND);
    guira_destroy(f);
}

static void require_cleared(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    for (int round = 0; round < 3; round++) {
        uint64_t n = fill(f, 0, UINT64_MAX);
        assert_true(n > 0);
        assert_int_equal(guira_clear(f), GUIRA_OK);
        assert_int_equal(guira_size(f), 0);
        for (uint64_t i = 0; i < n; i++) {
            assert_false(guira_contains_u64(f, scrambled(i)));
        }
        for (uint64_t bucket = 0; bucket < s->M; bucket++) {
            assert_int_equal(word_load(&f->table.words[bucket], memory_order_relaxed), 0);
        }
        require_sound(f);
    }
    guira_destroy(f);
}

static void a_cleared_filter_is_empty_and_serves_again(void **state) {
    (void)state;
    for_each_geometry(17, require_cleared);
}

/* facts.md section 1: 1,024 buckets of 4, 3,946 items, remove the first 1,973. */
static void half_of_a_nearly_full_table_can_be_removed(void **state) {
    (void)state;
    struct guira *f = filter_of(1024, 16, 4);
    assert_int_equal(fill(f, 0, 3946), 3946);
    for (uint64_t i = 0; i < 1973; i++) {
        assert_int_equal(guira_remove_u64(f, scrambled(i)), GUIRA_OK);
    }
    for (uint64_t i = 1973; i < 3946; i++) {
        assert_true(guira_contains_u64(f, scrambled(i)));
    }
    assert_int_equal(guira_size(f), 1973);
    require_sound(f);
    guira_destroy(f);
}

static void null_is_refused(void **state) {
    (void)state;
    struct guira *f = filter_of(8, 12, 2);
    assert_int_equal(guira_remove(NULL, "a", 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_remove(f, NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_remove_u64(NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_remove_uniform(NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_clear(NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_remove(f, NULL, 0), GUIRA_NOT_FOUND);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_table_is_emptied_one_by_one),
        cmocka_unit_test(removing_an_absent_element_changes_nothing_however_often),
        cmocka_unit_test(keys_that_share_an_element_are_each_stored),
        cmocka_unit_test(a_cleared_filter_is_empty_and_serves_again),
        cmocka_unit_test(half_of_a_nearly_full_table_can_be_removed),
        cmocka_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
