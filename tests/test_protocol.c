/*
 * Verifies the single steps of the protocol on a table of its own, in one thread: what a look sees,
 * and that fills move no counter while each emptying moves its stripe's counter by one.
 */
#include "protocol.h"
#include "test.h"

enum { BUCKETS = 16, SHIFT = 2 };

static atomic_word words[BUCKETS];
static atomic_word removals[BUCKETS >> SHIFT];

static struct table fresh_table(void) {
    struct table t = {.words = words, .removals = removals, .stripe_shift = SHIFT};
    assert_int_equal(guira__geometry(BUCKETS, 12, 2, &t.geometry), GUIRA_OK);
    for (int i = 0; i < BUCKETS; i++) {
        word_store(&words[i], 0, memory_order_relaxed);
        word_store(&removals[i >> SHIFT], 0, memory_order_relaxed);
    }
    return t;
}

static uint64_t all_removals(void) {
    uint64_t sum = 0;
    for (int i = 0; i < BUCKETS >> SHIFT; i++) {
        sum += word_load(&removals[i], memory_order_relaxed);
    }
    return sum;
}

static void a_look_tells_the_side_where_a_copy_is(void **state) {
    (void)state;
    struct table t = fresh_table();
    struct rng rng = rng_stream(1);
    for (int i = 0; i < 1000; i++) {
        struct candidates c =
            candidates_of(&t.geometry, element_of_hash(&t.geometry, rng_next(&rng)));
        uint64_t home = c.pattern[0].tags & lowest_slot_mask(&t.geometry, c.pattern[0].top);
        uint64_t away = c.pattern[1].tags & lowest_slot_mask(&t.geometry, c.pattern[1].top);
        assert_int_equal(look(&t, &c), NOT_THERE);
        fill_and_complete(&t, c.bucket[1], away);
        assert_int_equal(look(&t, &c), SEEN_AWAY);
        fill_for_move(&t, c.bucket[0], home);
        assert_int_equal(look(&t, &c), SEEN_AT_HOME);
        empty_after_move(&t, c.bucket[1], away);
        assert_int_equal(look(&t, &c), SEEN_AT_HOME);
        empty_and_complete(&t, c.bucket[0], home);
        assert_int_equal(look(&t, &c), NOT_THERE);
    }
}

static void only_emptying_moves_a_counter_and_only_its_own(void **state) {
    (void)state;
    struct table t = fresh_table();
    uint64_t tag = slot_mask(&t.geometry, 1);
    for (uint64_t bucket = 0; bucket < BUCKETS; bucket++) {
        uint64_t before = all_removals();
        const atomic_word *own = &removals[stripe_of(&t, bucket)];
        uint64_t own_before = word_load(own, memory_order_relaxed);
        fill_for_move(&t, bucket, tag);
        fill_and_complete(&t, bucket, slot_mask(&t.geometry, 2));
        assert_int_equal(all_removals(), before);
        empty_after_move(&t, bucket, tag);
        empty_and_complete(&t, bucket, slot_mask(&t.geometry, 2));
        assert_int_equal(all_removals(), before + 2);
        assert_int_equal(word_load(own, memory_order_relaxed), own_before + 2);
        assert_int_equal(held_word(&t, bucket), 0);
    }
}

static void a_change_of_one_slot_leaves_the_others(void **state) {
    (void)state;
    struct table t = fresh_table();
    uint64_t others = slot_mask(&t.geometry, 0) | slot_mask(&t.geometry, 4);
    fill_and_complete(&t, 3, others);
    fill_for_move(&t, 3, UINT64_C(5) << 12);
    assert_int_equal(search_word(&t, 3), others | UINT64_C(5) << 12);
    empty_after_move(&t, 3, slot_mask(&t.geometry, 1));
    assert_int_equal(search_word(&t, 3), others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_tells_the_side_where_a_copy_is),
        cmocka_unit_test(only_emptying_moves_a_counter_and_only_its_own),
        cmocka_unit_test(a_change_of_one_slot_leaves_the_others),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
