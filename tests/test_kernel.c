/*
 * Verifies that the kernels compiled for one shape do what the kernel for any shape does, word for
 * word, and that each is chosen for its shape and no other.
 */
#include "filters.h"
#include "kernel_list.h"
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

static void each_shape_of_the_list_has_its_own_kernel(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        const struct kernel *own = guira__kernel(shapes[i][0], shapes[i][1]);
        assert_ptr_not_equal(own, any());
        for (size_t j = 0; j < i; j++) {
            assert_ptr_not_equal(own, guira__kernel(shapes[j][0], shapes[j][1]));
        }
        struct guira *f = filter_of(100, shapes[i][0], shapes[i][1]);
        assert_memory_equal(&f->kernel, own, sizeof *own);
        guira_destroy(f);
        assert_ptr_equal(guira__kernel(shapes[i][0] + 16, shapes[i][1]), any());
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
        for (uint64_t n = 0; n < scaled(100000); n++) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shape_of_the_list_has_its_own_kernel),
        cmocka_unit_test(own_kernels_do_what_the_one_for_any_shape_does),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
