/*
 * The part of cmocka that the tests use, for machines for which Debian has no cmocka here. The
 * first assertion that does not hold ends the program.
 */
#ifndef GUIRA_TESTS_CMOCKA_H
#define GUIRA_TESTS_CMOCKA_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
    { #function, function }

#define print_message(...) ((void)printf(__VA_ARGS__))
#define print_error(...) ((void)printf(__VA_ARGS__))

static inline _Noreturn void _fail(const char *file, int line) {
    (void)printf("%s:%d: failed\n", file, line);
    exit(1);
}

static inline void require_equality(uintmax_t a, uintmax_t b, int should, const char *file,
                                    int line) {
    if ((a == b) != should) {
        (void)printf("%" PRIuMAX " (0x%" PRIxMAX ") and %" PRIuMAX " (0x%" PRIxMAX ")\n", a, a, b,
                     b);
        _fail(file, line);
    }
}

#define assert_true(condition) ((condition) ? (void)0 : _fail(__FILE__, __LINE__))
#define assert_false(condition) assert_true(!(condition))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_int_equal(a, b)                                                                     \
    require_equality((uintmax_t)(a), (uintmax_t)(b), 1, __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    require_equality((uintmax_t)(a), (uintmax_t)(b), 0, __FILE__, __LINE__)
#define assert_in_range(value, low, high) assert_true((value) >= (low) && (value) <= (high))
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) assert_true(memcmp(a, b, size) != 0)

/* Where skip() leads to. */
static jmp_buf after_test __attribute__((unused));
#define skip() longjmp(after_test, 1)

static inline int run_tests(const struct CMUnitTest *test, size_t count,
                            int (*set_up)(void **state), int (*tear_down)(void **state)) {
    void *state = NULL;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (set_up != NULL && set_up(&state) != 0) {
        return 1;
    }
    for (volatile size_t i = 0; i < count; i++) {
        (void)printf("%s\n", test[i].name);
        if (setjmp(after_test) == 0) {
            test[i].run(&state);
        } else {
            (void)printf("    skipped\n");
        }
    }
    return tear_down == NULL ? 0 : tear_down(&state);
}

#define cmocka_run_group_tests(tests, set_up, tear_down)                                           \
    run_tests(tests, sizeof(tests) / sizeof(tests)[0], set_up, tear_down)

#endif
