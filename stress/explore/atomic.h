/*
 * The atomics that lib/ is compiled against here, in place of lib/atomic.h's own: each access is
 * one step of the machine. An atomic object is the number of its location.
 *
 * lib/protocol.h and lib/view.h name an order for one or two lines at a time; here each line has
 * a site of its own, whose order a mutant can weaken.
 */
#ifndef GUIRA_EXPLORE_ATOMIC_H
#define GUIRA_EXPLORE_ATOMIC_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    uint32_t location;
} atomic_word;

/* explore.c: ask for one access of the running thread, and return what it read. */
uint64_t explore_load(uint32_t location, memory_order order);
void explore_store(uint32_t location, uint64_t value, memory_order order);
uint64_t explore_add(uint32_t location, uint64_t amount, memory_order order);

static inline uint64_t word_load(const atomic_word *word, memory_order order) {
    return explore_load(word->location, order);
}

static inline void word_store(atomic_word *word, uint64_t value, memory_order order) {
    explore_store(word->location, value, order);
}

static inline uint64_t word_add(atomic_word *word, uint64_t amount, memory_order order) {
    return explore_add(word->location, amount, order);
}

/* mutant.c: the order of the line that is being executed. */
memory_order order_counter_store(void);
memory_order order_counter_before(void);
memory_order order_move_store(void);
memory_order order_move_clear(void);
memory_order order_complete_store(void);
memory_order order_word_read(void);
memory_order order_search_read(void);
memory_order order_view_store(void);
memory_order order_view_read(void);
memory_order order_stripe_emptied(void);

#define ORDER_COUNTER_STORE order_counter_store()
#define ORDER_COUNTER_BEFORE order_counter_before()
#define ORDER_MOVE_STORE order_move_store()
#define ORDER_MOVE_CLEAR order_move_clear()
#define ORDER_COMPLETE_STORE order_complete_store()
#define ORDER_WORD_READ order_word_read()
#define ORDER_SEARCH_READ order_search_read()
#define ORDER_VIEW_STORE order_view_store()
#define ORDER_VIEW_READ order_view_read()
#define ORDER_STRIPE_EMPTIED order_stripe_emptied()

#endif
