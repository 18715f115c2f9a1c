/*
 * Time. Short spans are counted in ticks of the processor's time-stamp counter, which costs some
 * ten nanoseconds a reading; elsewhere than on x86-64 a tick is a nanosecond of the system's clock.
 */
#ifndef GUIRA_BENCH_CLOCK_H
#define GUIRA_BENCH_CLOCK_H

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

uint64_t clock_nanoseconds(void);

/* The fences keep what is measured from drifting past the readings. */
static inline uint64_t clock_ticks(void) {
#if defined(__x86_64__)
    _mm_lfence();
    uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#else
    return clock_nanoseconds();
#endif
}

/* How long the calling thread has been running on a processor, in ticks. */
uint64_t clock_thread_ticks(void);

/* Compare the counter with the system's clock; once, before ticks are made into time. */
void clock_calibrate(void);
double clock_seconds(uint64_t ticks);
double clock_ticks_per_nanosecond(void);

#endif
