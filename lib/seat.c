/*
 * A seat: a pointer to the filter that serves, which changes in one step, and a list of those that
 * were retired.
 *
 * A reader that found nothing reads the pointer again. If it is the same, the filter served when
 * the reader first read it, and had not been retired, so its answer is the seat's at that moment.
 * If another had the seat in between, no key has left this one meanwhile: the header demands that.
 * A filter that is retired is emptied, page by page, after it was replaced for good; who finds
 * nothing because of that finds another filter in the seat too.
 */
#include "guira/seat.h"

#include <string.h>

#include "create.h"
#include "filter.h"
#include "memory.h"

_Static_assert(sizeof(uintptr_t) == sizeof(void *) && sizeof(uintptr_t) <= sizeof(uint64_t),
               "a pointer fits an atomic word");

struct guira_seat {
    _Alignas(CACHE_LINE) atomic_word serving; /* a pointer: read by all, so alone in its line */
    _Alignas(CACHE_LINE) struct lock changing;
    struct guira *retired; /* a list, guarded by the lock */
    struct guira_allocator allocator;
    size_t bytes;
};

/* What the word that was made of a pointer points to. */
static struct guira *pointer_of(uint64_t word) {
    uintptr_t address = (uintptr_t)word;
    struct guira *pointer;
    memcpy(&pointer, &address, sizeof address);
    return pointer;
}

static struct guira *serving(const struct guira_seat *seat) {
    return pointer_of(word_load(&seat->serving, memory_order_seq_cst)); /* E7 observes */
}

enum guira_status guira_seat_create(struct guira *first, struct guira_seat **out) {
    if (first == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    size_t bytes = guira__memory_size(&first->allocator, sizeof(struct guira_seat));
    void *memory;
    enum guira_status status = guira__memory_get(&first->allocator, bytes, &memory);
    if (status != GUIRA_OK) {
        return status;
    }
    struct guira_seat *seat = memory;
    seat->allocator = first->allocator;
    seat->bytes = bytes;
    lock_init(&seat->changing);
    word_store(&seat->serving, (uintptr_t)first, memory_order_seq_cst); /* E7 publishes */
    *out = seat;
    return GUIRA_OK;
}

void guira_seat_destroy(struct guira_seat *seat) {
    if (seat == NULL) {
        return;
    }
    guira_destroy(serving(seat));
    while (seat->retired != NULL) {
        struct guira *next = seat->retired->next_retired;
        guira_destroy(seat->retired);
        seat->retired = next;
    }
    lock_end(&seat->changing);
    struct guira_allocator allocator = seat->allocator;
    guira__memory_give_back(&allocator, seat, seat->bytes);
}

struct guira *guira_seat_filter(const struct guira_seat *seat) {
    return seat == NULL ? NULL : serving(seat);
}

bool guira_seat_contains(const struct guira_seat *seat, const void *key, size_t length) {
    const struct guira *filter = guira_seat_filter(seat);
    for (;;) {
        if (guira_contains(filter, key, length)) {
            return true;
        }
        const struct guira *now = guira_seat_filter(seat);
        if (now == filter) {
            return false;
        }
        filter = now;
    }
}

bool guira_seat_contains_u64(const struct guira_seat *seat, uint64_t key) {
    const struct guira *filter = guira_seat_filter(seat);
    for (;;) {
        if (guira_contains_u64(filter, key)) {
            return true;
        }
        const struct guira *now = guira_seat_filter(seat);
        if (now == filter) {
            return false;
        }
        filter = now;
    }
}

enum guira_status guira_seat_replace(struct guira_seat *seat, struct guira *next,
                                     struct guira **old) {
    if (seat == NULL || next == NULL || old == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    (void)lock_take(&seat->changing);
    bool can_serve = next != serving(seat) && !next->is_retired;
    if (can_serve) {
        *old = serving(seat);
        word_store(&seat->serving, (uintptr_t)next, memory_order_seq_cst); /* E7 publishes */
    }
    lock_release(&seat->changing);
    return can_serve ? GUIRA_OK : GUIRA_CONFLICT;
}

enum guira_status guira_seat_retire(struct guira_seat *seat, struct guira *old) {
    if (seat == NULL || old == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    (void)lock_take(&seat->changing);
    bool free_to_go = old != serving(seat) && !old->is_retired;
    if (free_to_go) {
        old->is_retired = true;
        old->next_retired = seat->retired;
        seat->retired = old;
    }
    lock_release(&seat->changing);
    if (!free_to_go) {
        return GUIRA_CONFLICT;
    }
    guira__drop_tables(old);
    return GUIRA_OK;
}
