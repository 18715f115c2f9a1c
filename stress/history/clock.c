/*
 * How far apart the clocks of processors are. Each thread takes the latest reading that any thread
 * has published, then reads the clock itself: a reading that is older than the published one, which
 * was complete before, shows the disagreement. It also publishes its own.
 */
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_TESTERS = 16, TEST_MILLISECONDS = 20 };

struct skew_test {
    _Atomic uint64_t latest;
    _Atomic uint64_t skew;
    uint64_t end;
};

static void raise_to(_Atomic uint64_t *maximum, uint64_t value) {
    uint64_t seen = atomic_load(maximum);
    while (value > seen && !atomic_compare_exchange_weak(maximum, &seen, value)) {
    }
}

static void *hand_on_readings(void *argument) {
    struct skew_test *test = argument;
    uint64_t now;
    do {
        uint64_t latest = atomic_load(&test->latest);
        now = clock_after_call();
        raise_to(&test->skew, now < latest ? latest - now : 0);
        raise_to(&test->latest, now);
    } while (now < test->end);
    return NULL;
}

uint64_t clock_skew(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = processors < 2              ? 2
                      : processors > MOST_TESTERS ? MOST_TESTERS
                                                  : (unsigned)processors;
    struct skew_test test = {.end = read_clock() + TEST_MILLISECONDS * UINT64_C(1000000)};
    pthread_t thread[MOST_TESTERS];
    unsigned started = 0;
    while (started < wanted &&
           pthread_create(&thread[started], NULL, hand_on_readings, &test) == 0) {
        started++;
    }
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(thread[i], NULL);
    }
    return atomic_load(&test.skew);
}
