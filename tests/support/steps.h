/*
 * The library's atomic objects, in the place of those in lib/atomic.h (GUIRA_ATOMIC_HEADER), with a
 * step before each access, at which a test may do something else. Used in one thread.
 */
#ifndef GUIRA_TESTS_STEPS_H
#define GUIRA_TESTS_STEPS_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic uint64_t atomic_word;

/* Defined by the test: called before each access. */
void step_before_access(void);

static inline uint64_t word_load(const atomic_word *word, memory_order order) {
    (void)order;
    step_before_access();
    return atomic_load(word);
}

static inline void word_store(atomic_word *word, uint64_t value, memory_order order) {
    (void)order;
    step_before_access();
    atomic_store(word, value);
}

static inline uint64_t word_add(atomic_word *word, uint64_t amount, memory_order order) {
    (void)order;
    step_before_access();
    return atomic_fetch_add(word, amount);
}

#endif
