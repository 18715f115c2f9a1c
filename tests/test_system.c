/*
 * Verifies seeds and processors when the system has none to give: its calls are wrapped.
 */
#include "system.h"

#include <unistd.h>

#include "filters.h"
#include "test.h"

int __wrap_getentropy(void *buffer, size_t length);
int __real_getentropy(void *buffer, size_t length);
long __wrap_sysconf(int name);
long __real_sysconf(int name);

static bool refuse;
static unsigned zeros; /* how many more draws give zero */
static long processors;

int __wrap_getentropy(void *buffer, size_t length) {
    if (refuse) {
        return -1;
    }
    if (zeros > 0) {
        zeros--;
        memset(buffer, 0, length);
        return 0;
    }
    return __real_getentropy(buffer, length);
}

long __wrap_sysconf(int name) {
    return name == _SC_NPROCESSORS_ONLN && processors != 0 ? processors : __real_sysconf(name);
}

static void without_entropy_there_is_no_filter(void **state) {
    (void)state;
    struct guira_options options = {.capacity = 10, .false_positive_rate = 0.1};
    struct guira *f = NULL;
    refuse = true;
    enum guira_status status = guira_create(&options, &f);
    struct guira_sizing sizing;
    enum guira_status size_status = guira_size_for(&options, &sizing);
    options.seed = 1;
    enum guira_status seeded_status = guira_create(&options, &f);
    refuse = false;
    assert_int_equal(status, GUIRA_NO_ENTROPY);
    assert_int_equal(size_status, GUIRA_OK);   /* needs no seed */
    assert_int_equal(seeded_status, GUIRA_OK); /* has one */
    guira_destroy(f);
}

static void a_drawn_zero_is_drawn_again(void **state) {
    (void)state;
    uint64_t seed = 0;
    zeros = 3;
    assert_true(guira__random_seed(&seed));
    assert_int_equal(zeros, 0);
    assert_int_not_equal(seed, 0);
}

static void any_number_of_processors_gives_a_filter(void **state) {
    (void)state;
    static const long number[] = {-1, 1, 2, 64, 100000};
    uint32_t before = 0;
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        processors = number[i];
        assert_int_equal(guira__processors(), number[i] < 1 ? 1 : number[i]);
        struct guira_options options = {.capacity = 10000000, .false_positive_rate = 0.01};
        struct guira_sizing sizing;
        assert_int_equal(guira_size_for(&options, &sizing), GUIRA_OK);
        assert_in_range(sizing.stripes, before > 1 ? before : 1, 8192);
        before = sizing.stripes;
    }
    processors = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_entropy_there_is_no_filter),
        cmocka_unit_test(a_drawn_zero_is_drawn_again),
        cmocka_unit_test(any_number_of_processors_gives_a_filter),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
