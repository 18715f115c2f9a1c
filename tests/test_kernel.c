/*
 * Verifies that the kernels compiled for one shape do what the kernel for any shape does, word for
 * word, and that each is chosen for its shape and no other.
 */
#include "filters.h"
#include "kernel_list.h"
#include "system.h"
#include "test.h"

static const uint32_t shapes[][2] = {
#define ROW(f, w) {f, w},
    KERNEL_LIST(ROW)
#undef ROW
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const struct kernel *any(void) {
    return guira__kernel(4, 1);
}

static bool is_in_list(uint32_t tag_bits, uint32_t window) {
    for (size_t i = 0; i < SHAPES; i++) {
        if (shapes[i][0] == tag_bits && shapes[i][1] == window) {
            return true;
        }
    }
    return false;
}

static void each_shape_of_the_list_and_no_other_has_its_own_kernel(void **state) {
    (void)state;
    for (uint32_t tag_bits = 4; tag_bits <= 32; tag_bits++) {
        for (uint32_t window = 1; window <= 64 / tag_bits; window++) {
            bool own = guira__kernel(tag_bits, window) != any();
            assert_int_equal(own, is_in_list(tag_bits, window));
        }
    }
    for (size_t i = 0; i < SHAPES; i++) {
        const struct kernel *own = guira__kernel(shapes[i][0], shapes[i][1]);
        for (size_t j = 0; j < i; j++) {
            assert_ptr_not_equal(own, guira__kernel(shapes[j][0], shapes[j][1]));
        }
        struct guira *f = filter_of(100, shapes[i][0], shapes[i][1]);
        assert_true(f->kernel.insert == own->insert && f->kernel.contains == own->contains);
        guira_destroy(f);
    }
}

/* Some operation with some hash; few hashes, so that copies, limits and removes occur. */
static uint64_t operate(struct guira *f, struct rng *rng) {
    uint64_t hash = scrambled(rng_below(rng, 700));
    switch (rng_below(rng, 8)) {
    case 0:
        return f->kernel.contains(f, hash);
    case 1:
        return f->kernel.count(f, hash);
    case 2:
        return f->kernel.insert_unique(f, hash);
    case 3:
    case 4:
        return f->kernel.remove(f, hash);
    default:
        return f->kernel.insert(f, hash);
    }
}

static void own_kernels_do_what_the_one_for_any_shape_does(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct guira *own = filter_of(100, shapes[i][0], shapes[i][1]);
        struct guira *general = filter_of(100, shapes[i][0], shapes[i][1]);
        general->kernel = *any();
        struct rng a = rng_stream(i);
        struct rng b = rng_stream(i);
        for (uint64_t n = 0; n < scaled(20000); n++) {
            assert_int_equal(operate(own, &a), operate(general, &b));
        }
        uint64_t *words = words_of(general);
        assert_true(words_equal(own, words));
        free(words);
        require_sound(own);
        guira_destroy(own);
        guira_destroy(general);
    }
}

static void require_eights(uint32_t tag_bits, uint32_t window) {
    enum { KEYS = 90 };
    uint64_t hashes[KEYS];
    bool one_by_one[KEYS];
    bool in_eights[KEYS];
    struct guira *f = filter_of(300, tag_bits, window);
    const struct kernel *kernel = guira__kernel(tag_bits, window);
    (void)fill(f, 0, UINT64_MAX);
    struct rng rng = rng_stream(tag_bits);
    for (size_t n = 0; n <= KEYS; n++) {
        for (size_t i = 0; i < n; i++) {
            hashes[i] = i % 2 == 0 ? rng_next(&rng) : guira_hash_u64(f, scrambled(i));
        }
        kernel->contains_many(f, hashes, n, one_by_one);
        kernel->contains_many_in_eights(f, hashes, n, in_eights);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(in_eights[i], one_by_one[i]);
            assert_int_equal(in_eights[i], guira_contains_uniform(f, hashes[i]));
        }
    }
    guira_destroy(f);
}

static void look_ups_in_eights_find_what_single_ones_do(void **state) {
    (void)state;
    if (!guira__has_avx512()) {
        skip();
    }
    for (uint32_t tag_bits = 8; tag_bits <= 32; tag_bits++) {
        for (uint32_t window = 1; window <= 64 / tag_bits; window++) {
            require_eights(tag_bits, window);
        }
    }
}

/* Lanes are looked up in a vector of eight, and bucket numbers have 32 bits. */
static void only_tables_that_fit_are_looked_up_in_eights(void **state) {
    (void)state;
    static const struct {
        uint64_t buckets;
        uint32_t tag_bits, window;
        bool fits;
    } table[] = {{UINT32_MAX, 8, 3, true},
                 {UINT64_C(1) << 32, 8, 3, false},
                 {100, 7, 3, false},
                 {100, 4, 16, true}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct geometry g;
        assert_int_equal(guira__geometry(table[i].buckets, table[i].tag_bits, table[i].window, &g),
                         GUIRA_OK);
        bool fits = table[i].fits && guira__has_avx512();
        assert_int_equal(guira__fits_eights(&g), fits);
        struct kernel kernel = guira__kernel_for(&g);
        const struct kernel *base = guira__kernel(table[i].tag_bits, table[i].window);
        assert_true(kernel.contains_many ==
                    (fits ? base->contains_many_in_eights : base->contains_many));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shape_of_the_list_and_no_other_has_its_own_kernel),
        cmocka_unit_test(own_kernels_do_what_the_one_for_any_shape_does),
        cmocka_unit_test(look_ups_in_eights_find_what_single_ones_do),
        cmocka_unit_test(only_tables_that_fit_are_looked_up_in_eights),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
