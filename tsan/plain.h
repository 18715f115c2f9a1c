/*
 * The library's atomic objects as plain words, so that each access of one thread to what another
 * changes is a data race. In place of lib/atomic.h's own, see there.
 */
#ifndef GUIRA_TSAN_PLAIN_H
#define GUIRA_TSAN_PLAIN_H

#include <stdatomic.h> /* memory_order */
#include <stdint.h>

typedef struct {
    uint64_t value;
} atomic_word;

static inline uint64_t word_load(const atomic_word *word, memory_order order) {
    (void)order;
    return word->value;
}

static inline void word_store(atomic_word *word, uint64_t value, memory_order order) {
    (void)order;
    word->value = value;
}

static inline uint64_t word_add(atomic_word *word, uint64_t amount, memory_order order) {
    (void)order;
    uint64_t before = word->value;
    word->value = before + amount;
    return before;
}

#endif
