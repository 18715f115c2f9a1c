/*
 * The atomic objects of the library, and the only way to touch them: a load or a store whose order
 * is named. A model checker that explores C11 orders brings its own header with the same names
 * (GUIRA_ATOMIC_HEADER) and compiles the real lib/protocol.h against it.
 */
#ifndef GUIRA_LIB_ATOMIC_H
#define GUIRA_LIB_ATOMIC_H

#ifdef GUIRA_ATOMIC_HEADER
#include GUIRA_ATOMIC_HEADER
#else

#include <stdatomic.h>
#include <stdint.h>

/* A struct, so that it cannot be read or assigned but by these functions. */
typedef struct {
    _Atomic uint64_t value;
} atomic_word;

static inline uint64_t word_load(const atomic_word *word, memory_order order) {
    return atomic_load_explicit(&word->value, order);
}

static inline void word_store(atomic_word *word, uint64_t value, memory_order order) {
    atomic_store_explicit(&word->value, value, order);
}

/* Returns the value before. */
static inline uint64_t word_add(atomic_word *word, uint64_t amount, memory_order order) {
    return atomic_fetch_add_explicit(&word->value, amount, order);
}

#endif

#endif
