/*
 * Verifies the stripe lock: mutual exclusion and visibility between threads, a try that never
 * waits, and waiting for a holder that naps.
 */
#include "lock.h"
#include "test.h"
#include "threads.h"

struct shared {
    struct lock lock;
    uint64_t number; /* plain: a lock that does not exclude or publish loses additions */
    uint64_t copy;
    uint64_t rounds;
    atomic_uint torn;
};

static void *add_up(void *context) {
    struct shared *s = context;
    for (uint64_t i = 0; i < s->rounds; i++) {
        (void)lock_take(&s->lock);
        (void)atomic_fetch_add(&s->torn, s->number != s->copy);
        s->number++;
        s->copy++;
        lock_release(&s->lock);
    }
    return NULL;
}

static void no_addition_under_the_lock_is_lost(void **state) {
    (void)state;
    struct shared s = {.rounds = scaled(200000)};
    struct crew crew;
    lock_init(&s.lock);
    crew_begin(&crew, 8);
    for (int i = 0; i < 8; i++) {
        crew_hire(&crew, add_up, &s);
    }
    crew_end(&crew);
    assert_int_equal(s.number, 8 * s.rounds);
    assert_int_equal(s.copy, 8 * s.rounds);
    assert_int_equal(s.torn, 0);
    lock_end(&s.lock);
}

static void *take_once(void *context) {
    struct shared *s = context;
    (void)lock_take(&s->lock);
    s->number++;
    lock_release(&s->lock);
    return NULL;
}

static void *hold_and_nap(void *context) {
    struct shared *s = context;
    (void)lock_take(&s->lock);
    s->number++;
    nap();
    nap();
    lock_release(&s->lock);
    return NULL;
}

static void waiters_outlast_a_holder_that_naps(void **state) {
    (void)state;
    struct shared s = {.rounds = 0};
    lock_init(&s.lock);
    for (int round = 0; round < 10; round++) {
        struct crew crew;
        crew_begin(&crew, 4);
        crew_hire(&crew, hold_and_nap, &s);
        for (int i = 0; i < 3; i++) {
            crew_hire(&crew, take_once, &s);
        }
        crew_end(&crew);
    }
    assert_int_equal(s.number, 40);
    lock_end(&s.lock);
}

static void backing_off_ends(void **state) {
    (void)state;
    for (unsigned attempt = 0; attempt < 200; attempt++) {
        guira__back_off(attempt);
    }
    guira__back_off(UINT32_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_addition_under_the_lock_is_lost),
        cmocka_unit_test(waiters_outlast_a_holder_that_naps),
        cmocka_unit_test(backing_off_ends),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
