#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "clock.h"

#include <time.h>

static double ticks_per_nanosecond = 1;

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now); /* cannot fail with these clocks */
    return UINT64_C(1000000000) * (uint64_t)now.tv_sec + (uint64_t)now.tv_nsec;
}

uint64_t clock_nanoseconds(void) {
    return nanoseconds(CLOCK_MONOTONIC);
}

uint64_t clock_thread_ticks(void) {
    return (uint64_t)((double)nanoseconds(CLOCK_THREAD_CPUTIME_ID) * ticks_per_nanosecond);
}

void clock_calibrate(void) {
    const uint64_t span = 100000000; /* an error of a microsecond is then 1 in 10^5 */
    uint64_t start = clock_nanoseconds();
    uint64_t first = clock_ticks();
    uint64_t end;
    do {
        end = clock_nanoseconds();
    } while (end - start < span);
    ticks_per_nanosecond = (double)(clock_ticks() - first) / (double)(end - start);
}

double clock_ticks_per_nanosecond(void) {
    return ticks_per_nanosecond;
}

double clock_seconds(uint64_t ticks) {
    return (double)ticks / ticks_per_nanosecond * 1e-9;
}
