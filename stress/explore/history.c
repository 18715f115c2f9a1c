/*
 * The specification, a multiset of elements, and a search for an order that obeys it (Wing, Gong,
 * "Testing and Verifying Concurrent Objects", 1993).
 */
#include "history.h"

#include <stdio.h>
#include <string.h>

struct order {
    const struct machine *end;
    uint32_t all; /* the calls, a bit each */
    const uint8_t *after;
    uint8_t copies[MAX_ELEMENTS];
};

static const struct call *call_of(const struct machine *end, uint32_t number) {
    return &end->thread[number / MAX_CALLS].call[number % MAX_CALLS];
}

/* What the call does to the number of copies of its element, or false if it cannot return that. */
static bool allowed(const struct call *call, uint8_t copies, int *change) {
    *change = 0;
    switch (call->kind) {
    case CONTAINS:
        return (call->result == YES) == (copies > 0);
    case INSERT:
        *change = call->result == YES;
        return true;
    case INSERT_UNIQUE:
        *change = call->result == YES;
        return call->result == REFUSED || (call->result == YES) == (copies == 0);
    default:
        *change = -(call->result == YES);
        return (call->result == YES) == (copies > 0);
    }
}

static bool complete(struct order *order, uint32_t done) {
    if (done == order->all) {
        return memcmp(order->copies, order->after, MAX_ELEMENTS) == 0;
    }
    for (uint32_t i = 0; i < MAX_THREADS * MAX_CALLS; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if ((order->all & ~done & bit) == 0) {
            continue;
        }
        const struct call *call = call_of(order->end, i);
        uint8_t *copies = &order->copies[call->element];
        int change;
        if ((call->after & ~done) == 0 && allowed(call, *copies, &change)) {
            *copies = (uint8_t)(*copies + change);
            if (complete(order, done | bit)) {
                return true;
            }
            *copies = (uint8_t)(*copies - change);
        }
    }
    return false;
}

bool history_explained(const struct machine *end, const uint8_t before[MAX_ELEMENTS],
                       const uint8_t after[MAX_ELEMENTS]) {
    struct order order = {.end = end, .after = after};
    memcpy(order.copies, before, MAX_ELEMENTS);
    for (uint32_t i = 0; i < end->threads; i++) {
        order.all |= ((UINT32_C(1) << end->thread[i].calls) - 1) << (i * MAX_CALLS);
    }
    return complete(&order, 0);
}

void history_print(const struct machine *end, const char *element_names) {
    static const char *const kinds[] = {"contains", "insert", "insert_unique", "remove"};
    static const char *const results[] = {"no", "yes", "refused"};
    for (uint32_t i = 0; i < end->threads; i++) {
        const struct thread *t = &end->thread[i];
        for (uint32_t j = 0; j < t->calls; j++) {
            const struct call *call = &t->call[j];
            printf("    thread %u: %s(%c) = %s\n", i + 1, kinds[call->kind],
                   element_names[call->element], results[call->result]);
        }
    }
}
