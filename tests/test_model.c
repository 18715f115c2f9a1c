/*
 * Verifies the specification: a filter is an exact multiset of elements. Ten million random calls,
 * over every valid tag width and window and tables from two buckets up, each answer foretold.
 * And that the comparison notices a damaged table, whichever way it is damaged.
 */
#include "model.h"

static const uint64_t small_tables[] = {2, 3, 5, 8, 37};
enum { SMALL_TABLES = sizeof small_tables / sizeof small_tables[0] };

static uint64_t run_one(uint64_t buckets, uint32_t tag_bits, uint32_t window, uint64_t operations,
                        struct model *sums) {
    struct model m;
    model_begin(&m, buckets, tag_bits, window, buckets << 16 | tag_bits << 8 | window);
    bool agreed = model_run(&m, operations) && model_compare(&m);
    require(agreed, "%s", m.wrong);
    sums->full += m.full;
    sums->limit += m.limit;
    model_end(&m);
    return operations;
}

static void every_answer_is_that_of_an_exact_multiset(void **state) {
    (void)state;
    struct model sums = {0};
    uint64_t done = 0;
    uint64_t longer = test_is_long() ? 10 : 1;
    for (uint32_t tag_bits = 4; tag_bits <= 32; tag_bits++) {
        for (uint32_t window = 1; window <= 64 / tag_bits; window++) {
            struct ref_shape shape;
            if (!ref_shape(2, tag_bits, window, &shape)) {
                continue;
            }
            for (size_t i = 0; i < SMALL_TABLES; i++) {
                done += run_one(small_tables[i], tag_bits, window, longer * scaled(6000), &sums);
            }
            done += run_one(509, tag_bits, window, longer * scaled(52000), &sums);
        }
    }
    require(done >= scaled(10000000), "only %llu operations", (unsigned long long)done);
    require(sums.full > 0 && sums.limit > 0, "FULL %llu, LIMIT %llu times",
            (unsigned long long)sums.full, (unsigned long long)sums.limit);
    print_message("%llu operations, %llu FULL, %llu LIMIT\n", (unsigned long long)done,
                  (unsigned long long)sums.full, (unsigned long long)sums.limit);
}

static void a_large_table_behaves_as_small_ones_do(void **state) {
    (void)state;
    struct model sums = {0};
    (void)run_one(10007, 9, 3, scaled(400000), &sums);
    (void)run_one(16384, 12, 2, scaled(400000), &sums);
}

/* The model must be able to fail: each kind of damage, in several geometries, has to be noticed by
 * going on with the operations and comparing at the end. */
static void every_injected_fault_is_noticed(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{8, 8}, {8, 2}, {9, 3}, {12, 5}, {16, 1}, {32, 2}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        for (int fault = FAULT_NONE; fault <= FAULT_ENTRY_MISPLACED; fault++) {
            struct model m;
            model_begin(&m, 64, shape[i][0], shape[i][1], (uint64_t)fault);
            bool agreed = model_run(&m, 150) && model_compare(&m);
            require(agreed, "before any damage: %s", m.wrong);
            bool damaged = fault == FAULT_NONE || model_damage(&m, (enum model_fault)fault);
            require(damaged, "no occasion for fault %d", fault);
            agreed = model_run(&m, 50) && model_compare(&m);
            require(agreed == (fault == FAULT_NONE), "fault %d, f %u, w %u, noticed: %d", fault,
                    shape[i][0], shape[i][1], !agreed);
            model_end(&m);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_an_exact_multiset),
        cmocka_unit_test(a_large_table_behaves_as_small_ones_do),
        cmocka_unit_test(every_injected_fault_is_noticed),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
