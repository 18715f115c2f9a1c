/*
 * Verifies sets of stripes: ascending and without doubles whatever comes in, locked and unlocked as
 * a whole or not at all; and the sum of item counts, clamped at 0.
 */
#include "stripe.h"
#include "test.h"

enum { STRIPES = 40 };

static struct stripe all[STRIPES];
static struct stats_shard shard;
static const struct stats stats = {&shard, 1};

static struct stripes fresh(bool unlocked) {
    memset(all, 0, sizeof all);
    for (int i = 0; i < STRIPES; i++) {
        lock_init(&all[i].lock);
    }
    return (struct stripes){.all = all, .stats = &stats, .count = STRIPES, .unlocked = unlocked};
}

static unsigned held(void) {
    unsigned n = 0;
    for (int i = 0; i < STRIPES; i++) {
        n += ck_spinlock_locked(&all[i].lock.spin);
    }
    return n;
}

static void a_set_is_ascending_and_has_no_doubles(void **state) {
    (void)state;
    struct rng rng = rng_stream(1);
    for (int round = 0; round < 20000; round++) {
        struct stripe_set set;
        set.size = 0;
        bool in[STRIPES] = {false};
        unsigned distinct = 0;
        unsigned adds = 1 + (unsigned)rng_below(&rng, MAX_STRIPE_SET);
        uint64_t range = 1 + rng_below(&rng, STRIPES);
        for (unsigned i = 0; i < adds; i++) {
            uint32_t stripe = (uint32_t)rng_below(&rng, range);
            distinct += !in[stripe];
            in[stripe] = true;
            guira__stripe_set_add(&set, stripe);
        }
        assert_int_equal(set.size, distinct);
        for (uint32_t i = 0; i < set.size; i++) {
            assert_true(in[set.stripe[i]]);
            assert_true(i == 0 || set.stripe[i - 1] < set.stripe[i]);
        }
    }
}

static void a_set_is_locked_as_a_whole(void **state) {
    (void)state;
    struct stripes s = fresh(false);
    struct stripe_set set;
    set.size = 0;
    guira__stripe_set_add(&set, 7);
    guira__stripe_set_add(&set, 3);
    guira__stripe_set_add(&set, 7);
    guira__stripe_set_lock(&s, &set);
    assert_int_equal(held(), 2);
    assert_true(ck_spinlock_locked(&all[3].lock.spin) && ck_spinlock_locked(&all[7].lock.spin));
    guira__stripe_set_unlock(&s, &set);
    assert_int_equal(held(), 0);
}

static void all_locks_are_taken_and_given_back(void **state) {
    (void)state;
    struct stripes s = fresh(false);
    guira__lock_all(&s);
    assert_int_equal(held(), STRIPES);
    guira__unlock_all(&s);
    assert_int_equal(held(), 0);
}

static void a_single_writer_takes_no_lock(void **state) {
    (void)state;
    struct stripes s = fresh(true);
    struct stripe_set set;
    set.size = 0;
    guira__stripe_set_add(&set, 1);
    guira__stripe_set_lock(&s, &set);
    guira__lock_all(&s);
    stripe_lock(&s, stripe_at(&s, 2));
    assert_int_equal(held(), 0);
    stripe_unlock(&s, stripe_at(&s, 2));
    guira__unlock_all(&s);
    guira__stripe_set_unlock(&s, &set);
    assert_int_equal(held(), 0);
}

static void items_add_up_over_stripes_and_never_show_below_zero(void **state) {
    (void)state;
    struct stripes s = fresh(false);
    assert_int_equal(items_now(&s), 0);
    stripe_count(stripe_at(&s, 3), 1);
    stripe_count(stripe_at(&s, 4), -1); /* inserted in one stripe, moved, removed from another */
    assert_int_equal(items_now(&s), 0);
    stripe_count(stripe_at(&s, 5), 1);
    assert_int_equal(items_now(&s), 1);
    stripe_count(stripe_at(&s, 5), -5);
    assert_int_equal(items_now(&s), 0);
    stripe_count(stripe_at(&s, 6), 10);
    assert_int_equal(items_now(&s), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_ascending_and_has_no_doubles),
        cmocka_unit_test(a_set_is_locked_as_a_whole),
        cmocka_unit_test(all_locks_are_taken_and_given_back),
        cmocka_unit_test(a_single_writer_takes_no_lock),
        cmocka_unit_test(items_add_up_over_stripes_and_never_show_below_zero),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
