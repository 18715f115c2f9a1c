/*
 * Verifies insert: a failed one leaves every word, the size and the counts as they were; LIMIT
 * comes after exactly 2w copies, whatever room there is elsewhere; unique inserts; bad arguments.
 */
#include "elements.h"
#include "grid.h"

/* Fills to the brim and goes on: each failure must leave the table word for word. */
static void require_failed_inserts_change_nothing(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    struct guira_info before;
    struct guira_info after;
    unsigned failures = 0;
    uint64_t most = 40 * s->M * s->k;
    for (uint64_t i = 0; i < most && failures < 30; i++) {
        uint64_t *words = words_of(f);
        uint64_t hash = scrambled(i);
        bool unique = i % 3 == 0;
        unsigned copies = guira_count_uniform(f, hash);
        assert_int_equal(guira_get_info(f, &before), GUIRA_OK);
        enum guira_status status =
            unique ? guira_insert_unique_uniform(f, hash) : guira_insert_uniform(f, hash);
        assert_int_equal(guira_get_info(f, &after), GUIRA_OK);
        if (status == GUIRA_OK) {
            assert_int_equal(after.items, before.items + 1);
        } else {
            failures += status == GUIRA_FULL;
            require(words_equal(f, words), "f %u, w %u: %s", s->f, s->w, guira_status_text(status));
            assert_int_equal(after.items, before.items);
            assert_int_equal(guira_count_uniform(f, hash), copies);
            assert_int_equal(after.full_inserts, before.full_inserts + (status == GUIRA_FULL));
            assert_true(after.searches >= before.searches + (status == GUIRA_FULL ? 2 : 0));
            assert_int_equal(after.moves, before.moves);
        }
        free(words);
    }
    require_sound(f);
    guira_destroy(f);
}

static void failed_insert_leaves_filter_unchanged(void **state) {
    (void)state;
    for_each_geometry(24, require_failed_inserts_change_nothing);
}

static void require_limit(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    for (uint64_t key = 0; key < 3; key++) {
        assert_int_equal(guira_clear(f), GUIRA_OK);
        uint64_t hash = scrambled(key);
        for (unsigned copies = 0; copies < 2 * s->w; copies++) {
            assert_int_equal(guira_count_uniform(f, hash), copies);
            assert_int_equal(guira_insert_uniform(f, hash), GUIRA_OK);
        }
        uint64_t *words = words_of(f);
        for (int again = 0; again < 20; again++) {
            assert_int_equal(guira_insert_uniform(f, hash), GUIRA_LIMIT);
        }
        assert_int_equal(guira_insert_unique_uniform(f, hash), GUIRA_EXISTS);
        assert_true(words_equal(f, words));
        free(words);
        for (unsigned copies = 2 * s->w; copies > 0; copies--) {
            assert_int_equal(guira_count_uniform(f, hash), copies);
            assert_true(guira_contains_uniform(f, hash));
            assert_int_equal(guira_size(f), copies);
            assert_int_equal(guira_remove_uniform(f, hash), GUIRA_OK);
        }
        assert_int_equal(guira_remove_uniform(f, hash), GUIRA_NOT_FOUND);
        assert_false(guira_contains_uniform(f, hash));
        require_sound(f);
    }
    guira_destroy(f);
}

static void two_windows_of_copies_fit_and_then_comes_limit(void **state) {
    (void)state;
    for_each_geometry(2, require_limit);
    for_each_geometry(24, require_limit);
}

/* Others that hold slots of the element are moved away until all are its own. */
static void copies_push_others_aside_up_to_the_limit(void **state) {
    (void)state;
    struct guira *f = filter_of(400, 12, 2);
    (void)fill(f, 0, 1200); /* load 0.6 */
    for (uint64_t key = 0; key < 50; key++) {
        uint64_t hash = guira_hash_u64(f, 1000000 + key);
        unsigned before = guira_count_uniform(f, hash);
        for (unsigned copies = before; copies < 4; copies++) {
            assert_int_equal(guira_insert_uniform(f, hash), GUIRA_OK);
            assert_int_equal(guira_count_uniform(f, hash), copies + 1);
        }
        assert_int_equal(guira_insert_uniform(f, hash), GUIRA_LIMIT);
        for (unsigned copies = before; copies < 4; copies++) {
            assert_int_equal(guira_remove_uniform(f, hash), GUIRA_OK);
        }
    }
    for (uint64_t key = 0; key < 1200; key++) {
        assert_true(guira_contains_u64(f, scrambled(key)));
    }
    require_sound(f);
    guira_destroy(f);
}

static void a_unique_insert_adds_one_copy_only(void **state) {
    (void)state;
    struct guira *f = filter_of(400, 12, 2);
    uint64_t *hashes = distinct_hashes(f, 1500, 1);
    for (int i = 0; i < 1500; i++) {
        assert_int_equal(guira_insert_unique_uniform(f, hashes[i]), GUIRA_OK);
        assert_int_equal(guira_insert_unique_uniform(f, hashes[i]), GUIRA_EXISTS);
        assert_int_equal(guira_count_uniform(f, hashes[i]), 1);
    }
    assert_int_equal(guira_size(f), 1500);
    free(hashes);
    guira_destroy(f);
}

static void a_larger_budget_finds_more_room(void **state) {
    (void)state;
    uint64_t before = 0;
    static const uint32_t budget[] = {1, 10, 100, 2000};
    for (size_t i = 0; i < 4; i++) {
        struct guira *f = filter_with((struct guira_options){
            .buckets = 2000, .tag_bits = 12, .window = 2, .search_budget = budget[i]});
        uint64_t fitted = fill(f, 0, UINT64_MAX);
        require(fitted > before, "budget %u: %llu after %llu", budget[i],
                (unsigned long long)fitted, (unsigned long long)before);
        before = fitted;
        guira_destroy(f);
    }
    assert_true(before > 9000); /* load 0.90 */
}

static void null_is_refused(void **state) {
    (void)state;
    struct guira *f = filter_of(24, 12, 2);
    uint64_t *words = words_of(f);
    assert_int_equal(guira_insert(NULL, "a", 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert(f, NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert(f, NULL, SIZE_MAX), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_u64(NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_uniform(NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_unique(NULL, "a", 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_unique(f, NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_unique_u64(NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_unique_uniform(NULL, 1), GUIRA_NULL_ARGUMENT);
    assert_true(words_equal(f, words));
    assert_int_equal(guira_size(f), 0);
    free(words);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_insert_leaves_filter_unchanged),
        cmocka_unit_test(two_windows_of_copies_fit_and_then_comes_limit),
        cmocka_unit_test(copies_push_others_aside_up_to_the_limit),
        cmocka_unit_test(a_unique_insert_adds_one_copy_only),
        cmocka_unit_test(a_larger_budget_finds_more_room),
        cmocka_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
