/*
 * Verifies that one filter takes another's place in one step: readers see the one or the other and
 * never neither, what served comes back whole, and what is retired gives its memory back and harms
 * no reader that is late.
 */
#include "test.h"

#include "allocators.h"
#include "filters.h"
#include "guira/seat.h"
#include "threads.h"

enum { KEYS = 2000 };

static struct guira *filter_with_numbers(uint64_t capacity, uint64_t seed, uint64_t n) {
    struct guira *f = filter_with(
        (struct guira_options){.capacity = capacity, .false_positive_rate = 0.001, .seed = seed});
    for (uint64_t i = 0; i < n; i++) {
        assert_int_equal(guira_insert_u64(f, i), GUIRA_OK);
    }
    return f;
}

static struct guira_seat *seat_of(struct guira *first) {
    struct guira_seat *seat = NULL;
    assert_int_equal(guira_seat_create(first, &seat), GUIRA_OK);
    return seat;
}

static uint64_t missing(const struct guira_seat *seat, uint64_t n) {
    uint64_t missing = 0;
    for (uint64_t i = 0; i < n; i++) {
        missing += !guira_seat_contains_u64(seat, i);
    }
    return missing;
}

static void what_has_the_seat_answers(void **state) {
    (void)state;
    struct guira *first = filter_with_numbers(KEYS, 1, KEYS);
    assert_int_equal(guira_insert(first, "key", 3), GUIRA_OK);
    struct guira_seat *seat = seat_of(first);
    assert_ptr_equal(guira_seat_filter(seat), first);
    assert_int_equal(missing(seat, KEYS), 0);
    assert_true(guira_seat_contains(seat, "key", 3));

    struct guira *second =
        filter_with_numbers(UINT64_C(2) * KEYS, 2, 10); /* another seed and geometry */
    struct guira *old = NULL;
    assert_int_equal(guira_seat_replace(seat, second, &old), GUIRA_OK);
    assert_ptr_equal(old, first);
    assert_ptr_equal(guira_seat_filter(seat), second);
    assert_int_equal(missing(seat, 10), 0);
    assert_false(guira_seat_contains(seat, "key", 3));
    assert_true(missing(seat, KEYS) > KEYS / 2);

    /* Back again: it is what it was. */
    assert_int_equal(guira_seat_replace(seat, first, &old), GUIRA_OK);
    assert_ptr_equal(old, second);
    assert_int_equal(missing(seat, KEYS), 0);
    assert_int_equal(guira_size(first), KEYS + 1);
    assert_int_equal(guira_seat_retire(seat, second), GUIRA_OK);
    guira_seat_destroy(seat);
}

static void misuse_is_refused(void **state) {
    (void)state;
    struct guira *first = filter_with_numbers(KEYS, 1, 1);
    struct guira *second = filter_with_numbers(KEYS, 2, 1);
    struct guira_seat *seat = NULL;
    struct guira *old = NULL;
    assert_int_equal(guira_seat_create(NULL, &seat), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_seat_create(first, NULL), GUIRA_NULL_ARGUMENT);
    seat = seat_of(first);
    assert_int_equal(guira_seat_replace(NULL, second, &old), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_seat_replace(seat, NULL, &old), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_seat_replace(seat, second, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_seat_replace(seat, first, &old), GUIRA_CONFLICT); /* it serves */
    assert_null(old);
    assert_int_equal(guira_seat_retire(seat, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_seat_retire(NULL, second), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_seat_retire(seat, first), GUIRA_CONFLICT); /* it serves */
    assert_null(guira_seat_filter(NULL));
    assert_false(guira_seat_contains(NULL, "key", 3));
    assert_false(guira_seat_contains_u64(NULL, 3));
    assert_false(guira_seat_contains(seat, NULL, 3));
    assert_ptr_equal(guira_seat_filter(seat), first);

    assert_int_equal(guira_seat_replace(seat, second, &old), GUIRA_OK);
    assert_int_equal(guira_seat_retire(seat, first), GUIRA_OK);
    assert_int_equal(guira_seat_retire(seat, first), GUIRA_CONFLICT);
    assert_int_equal(guira_seat_replace(seat, first, &old), GUIRA_CONFLICT);
    assert_ptr_equal(guira_seat_filter(seat), second);
    guira_seat_destroy(seat);
    guira_seat_destroy(NULL);
}

static void without_memory_the_filter_is_still_the_callers(void **state) {
    (void)state;
    struct counting counting = {.fail_at = 3}; /* a filter takes two */
    struct guira_options options = {.capacity = 100,
                                    .false_positive_rate = 0.01,
                                    .seed = 1,
                                    .allocator = counting_allocator(&counting)};
    struct guira *f = NULL;
    assert_int_equal(guira_create(&options, &f), GUIRA_OK);
    struct guira_seat *seat = NULL;
    assert_int_equal(guira_seat_create(f, &seat), GUIRA_NO_MEMORY);
    assert_null(seat);
    assert_int_equal(guira_insert_u64(f, 1), GUIRA_OK);
    guira_destroy(f);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

/* ---- Readers beside replacements ------------------------------------------------------------- */

struct reading {
    const struct guira_seat *seat;
    atomic_bool *stop;
    uint64_t missed;
    uint64_t rounds;
};

static void *read_all(void *context) {
    struct reading *r = context;
    do {
        r->missed += missing(r->seat, KEYS);
        r->rounds++;
    } while (!atomic_load(r->stop));
    return NULL;
}

struct replacing {
    struct guira_seat *seat;
    atomic_bool *stop;
    uint64_t times;
    uint64_t failed;
};

/* A large filter, so that its pages are the system's, that is retired once it has been replaced. */
static void *replace_often(void *context) {
    struct replacing *r = context;
    for (uint64_t i = 0; i < r->times; i++) {
        struct guira *next = NULL;
        struct guira_options options = {
            .buckets = 300000 + i, .tag_bits = 16, .window = 2, .seed = i + 3};
        r->failed += guira_create(&options, &next) != GUIRA_OK;
        for (uint64_t key = 0; key < KEYS; key++) {
            r->failed += guira_insert_u64(next, key) != GUIRA_OK;
        }
        struct guira *old = NULL;
        r->failed += guira_seat_replace(r->seat, next, &old) != GUIRA_OK;
        r->failed += guira_seat_retire(r->seat, old) != GUIRA_OK;
    }
    atomic_store(r->stop, true);
    return NULL;
}

static void readers_beside_replacements_miss_nothing(void **state) {
    (void)state;
    atomic_bool stop = false;
    struct guira_seat *seat = seat_of(filter_with_numbers(KEYS, 1, KEYS));
    struct reading reading[2] = {{seat, &stop, 0, 0}, {seat, &stop, 0, 0}};
    struct replacing replacing = {seat, &stop, scaled(100), 0};
    struct crew crew;
    crew_begin(&crew, 3);
    crew_hire(&crew, read_all, &reading[0]);
    crew_hire(&crew, read_all, &reading[1]);
    crew_hire(&crew, replace_often, &replacing);
    crew_end(&crew);
    assert_int_equal(replacing.failed, 0);
    assert_int_equal(reading[0].missed + reading[1].missed, 0);
    guira_seat_destroy(seat);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_the_seat_answers),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(without_memory_the_filter_is_still_the_callers),
        cmocka_unit_test(readers_beside_replacements_miss_nothing),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
