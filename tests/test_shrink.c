/*
 * Verifies that a filter that grew goes back to fewer buckets when most keys have left, loses
 * nothing on the way, grows again into the same tables, and stays as it is where it should.
 */
#include "test.h"

#include "filters.h"
#include "growth.h"
#include "tape.h"

enum { MOST = 60000 };

static struct guira *growing(void) {
    return filter_with(
        (struct guira_options){.buckets = 64, .tag_bits = 21, .window = 2, .max_capacity = MOST});
}

static void insert_up_to(struct guira *f, uint64_t from, uint64_t to) {
    for (uint64_t key = from; key < to; key++) {
        assert_int_equal(guira_insert_u64(f, key), GUIRA_OK);
    }
}

static void remove_up_to(struct guira *f, uint64_t from, uint64_t to) {
    for (uint64_t key = from; key < to; key++) {
        assert_int_equal(guira_remove_u64(f, key), GUIRA_OK);
    }
}

static void require_keys(const struct guira *f, uint64_t from, uint64_t to) {
    for (uint64_t key = from; key < to; key++) {
        require(guira_contains_u64(f, key), "key %llu of [%llu, %llu) is missing",
                (unsigned long long)key, (unsigned long long)from, (unsigned long long)to);
    }
    assert_int_equal(guira_size(f), to - from);
}

static uint64_t buckets(const struct guira *f) {
    return guira__view(f).to->geometry.buckets;
}

/* Changes that leave all as it was, until one table is left. */
static void let_it_migrate(struct guira *f, uint64_t key) {
    while (guira__view(f).from != NULL) {
        assert_int_equal(guira_insert_u64(f, key), GUIRA_OK);
        assert_int_equal(guira_remove_u64(f, key), GUIRA_OK);
    }
}

static void a_filter_goes_down_and_up_again(void **state) {
    (void)state;
    struct guira *f = growing();
    uint64_t lowest = buckets(f);
    for (unsigned round = 0; round < 3; round++) {
        insert_up_to(f, round == 0 ? 0 : 10, MOST);
        let_it_migrate(f, MOST);
        uint64_t highest = buckets(f);
        assert_true(highest >= 256 * lowest);
        remove_up_to(f, 10, MOST);
        while (buckets(f) > lowest) {
            uint64_t before = buckets(f);
            assert_int_equal(guira_shrink(f), GUIRA_OK);
            assert_int_equal(buckets(f), before / 2);
            require_keys(f, 0, 10);
            let_it_migrate(f, MOST);
            require_keys(f, 0, 10);
        }
        assert_int_equal(guira_shrink(f), GUIRA_OK); /* there is nothing below */
        assert_int_equal(buckets(f), lowest);
    }
    guira_destroy(f);
}

static void keys_come_while_it_goes_down(void **state) {
    (void)state;
    struct guira *f = growing();
    insert_up_to(f, 0, MOST);
    let_it_migrate(f, MOST);
    uint64_t before = buckets(f);
    uint64_t stay = MOST / 5;
    remove_up_to(f, stay, MOST);
    assert_int_equal(guira_shrink(f), GUIRA_OK);
    assert_int_equal(buckets(f), before / 2);
    insert_up_to(f, stay, MOST); /* it ends the one, and grows again */
    require_keys(f, 0, MOST);
    let_it_migrate(f, MOST);
    assert_int_equal(buckets(f), before);
    require_keys(f, 0, MOST);
    guira_destroy(f);
}

static void it_stays_where_it_would_be_half_full(void **state) {
    (void)state;
    struct guira *f = growing();
    insert_up_to(f, 0, MOST);
    let_it_migrate(f, MOST);
    uint64_t before = buckets(f);
    assert_int_equal(guira_shrink(f), GUIRA_OK);
    assert_int_equal(buckets(f), before);
    remove_up_to(f, MOST / 2, MOST);
    assert_int_equal(guira_shrink(f), GUIRA_OK);
    assert_int_equal(buckets(f), before);
    guira_destroy(f);
}

/* Its old table is the larger one. */
static void what_goes_down_is_copied_and_saved_in_the_middle(void **state) {
    (void)state;
    struct guira *f = growing();
    insert_up_to(f, 0, MOST);
    let_it_migrate(f, MOST);
    uint64_t stay = MOST / 5;
    remove_up_to(f, stay, MOST);
    assert_int_equal(guira_shrink(f), GUIRA_OK);
    insert_up_to(f, stay, stay + 100); /* some entries have gone over */
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_true(info.is_growing);
    assert_int_equal(info.sizing.table_bytes, UINT64_C(24) * buckets(f));

    struct tape tape = tape_of(f);
    struct guira *copies[2] = {filter_of_tape(&tape), NULL};
    assert_int_equal(guira_clone(f, &copies[1]), GUIRA_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(buckets(copies[i]), buckets(f));
        assert_non_null(guira__view(copies[i]).from);
        require_keys(copies[i], 0, stay + 100);
        let_it_migrate(copies[i], MOST);
        insert_up_to(copies[i], stay + 100, MOST);
        require_keys(copies[i], 0, MOST);
        require_sound(copies[i]);
        guira_destroy(copies[i]);
    }
    tape_free(&tape);
    guira_destroy(f);
}

static void misuse_is_harmless(void **state) {
    (void)state;
    assert_int_equal(guira_shrink(NULL), GUIRA_NULL_ARGUMENT);
    struct guira *fixed = filter_for(100, 0.01);
    assert_int_equal(guira_shrink(fixed), GUIRA_OK);
    guira_destroy(fixed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_goes_down_and_up_again),
        cmocka_unit_test(keys_come_while_it_goes_down),
        cmocka_unit_test(it_stays_where_it_would_be_half_full),
        cmocka_unit_test(what_goes_down_is_copied_and_saved_in_the_middle),
        cmocka_unit_test(misuse_is_harmless),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
