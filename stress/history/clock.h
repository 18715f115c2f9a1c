/*
 * The clock of recorded histories.
 *
 * A recorded interval must contain the real one, from the call to the return; then an order that
 * the checker concludes, "a returned before b was called", is one that really was. Too wide an
 * interval only makes the check weaker, too narrow a one makes it accuse the innocent. So:
 *
 * - The source is CLOCK_MONOTONIC. It is one clock for all processors: the kernel serves it from
 *   the time-stamp counters only where it has found them in step, and from a slower common source
 *   elsewhere. Raw counters (rdtsc, cntvct) would save some 10 ns a reading and make it our
 *   business to know that. It needs no store to memory that threads share.
 *
 * - The reading before the call is followed by a barrier, so that no load of the call is carried
 *   out before the clock is read; its stores cannot be anyway. The reading after the call is
 *   preceded by one, so that it is not taken before the call's loads are done.
 *
 * - Not more than that. A full fence here would empty the store buffer, so a change that becomes
 *   visible only after its call has returned (an order too weak in the library) could not be seen.
 *   On x86 the barrier is lfence, which waits for loads and leaves the store buffer alone. Where
 *   the compiler has no such thing there is a full fence: sound, with that blind spot.
 *
 * - Should readings on two processors disagree after all, clock_skew measures by how much a reading
 *   can be older than one that was taken before it elsewhere. Intervals are widened by that much on
 *   either side. It is 0 where the kernel keeps its promise.
 *
 * - Readings that are equal prove no order: an operation that returns in the nanosecond in which
 *   another is called overlaps it.
 */
#ifndef GUIRA_STRESS_HISTORY_CLOCK_H
#define GUIRA_STRESS_HISTORY_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

static inline void loads_stay_behind(void) {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
    atomic_signal_fence(memory_order_seq_cst);
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static inline uint64_t read_clock(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static inline uint64_t clock_before_call(void) {
    uint64_t now = read_clock();
    loads_stay_behind();
    return now;
}

static inline uint64_t clock_after_call(void) {
    loads_stay_behind();
    return read_clock();
}

/* The largest disagreement seen, in nanoseconds, while threads on all processors hand on the latest
 * reading for some milliseconds. */
uint64_t clock_skew(void);

#endif
