/*
 * The library's atomic objects (in the place of those in lib/atomic.h, see GUIRA_ATOMIC_HEADER
 * there) for guira_history_paused: the same accesses, but before each the thread may pause. Most of
 * what goes wrong between threads goes wrong only if one stands between two particular instructions
 * for long enough; here that happens all the time. A pause is no barrier for memory (but for the
 * rare system calls), so weak orders still show.
 */
#ifndef GUIRA_STRESS_HISTORY_PAUSES_H
#define GUIRA_STRESS_HISTORY_PAUSES_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic uint64_t atomic_word;

/* One pause in so many accesses is a short loop, a call of sched_yield, a sleep. */
enum { ACCESSES_PER_LOOP = 1 << 6, ACCESSES_PER_YIELD = 1 << 11, ACCESSES_PER_SLEEP = 1 << 12 };

/* In pauses.c: a longer pause, by the random number. */
void pause_longer(uint64_t random);

static inline void pause_maybe(void) {
    static _Thread_local uint64_t state;
    if (state == 0) {
        state = (uint64_t)(uintptr_t)&state | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    if (state % ACCESSES_PER_LOOP == 0) {
        pause_longer(state);
    }
}

static inline uint64_t word_load(const atomic_word *word, memory_order order) {
    pause_maybe();
    return atomic_load_explicit(word, order);
}

static inline void word_store(atomic_word *word, uint64_t value, memory_order order) {
    pause_maybe();
    atomic_store_explicit(word, value, order);
}

static inline uint64_t word_add(atomic_word *word, uint64_t amount, memory_order order) {
    pause_maybe();
    return atomic_fetch_add_explicit(word, amount, order);
}

#endif
