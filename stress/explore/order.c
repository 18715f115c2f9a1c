/*
 * The single order of all seq_cst accesses, exactly as RC11 has it (Lahav, Vafeiadis, Kang, Hur,
 * Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017): an execution is allowed if
 * these relations between seq_cst events have no cycle (the filter has no fences):
 *
 *     a, b of one thread, a first
 *     a -> c, c happens before d, d -> b, where a and c, and d and b, are of one thread each and
 *         touch different locations ("ordered" below: a is ordered before d)
 *     a happens before b, both on one location
 *     a, b both store to one location, a first in its modification order
 *     a reads a store, b is a later store to that location
 *
 * One global view that each seq_cst access joins and raises would be stronger: it turns every
 * seq_cst access into a fence between all others and would hide errors. One that is raised for the
 * accessed location only, in the order of the steps, is still stronger than RC11, as it wants the
 * single order to agree with happens-before everywhere; C11 says so, compilers for POWER do not
 * keep it. So the graph itself is kept here, and a step that closes a cycle is not taken. That
 * loses nothing: a part of an allowed execution is allowed, and the newest store can always be read
 * or followed.
 */
#include "machine.h"

#include "fail.h"

static uint64_t bit(uint32_t event) {
    return UINT64_C(1) << event;
}

/* How many events a thread may have, and the number of its first. */
static uint32_t share_of(const struct machine *m) {
    return MAX_EVENTS / m->threads;
}

static uint32_t first_of(const struct machine *m, uint32_t thread) {
    return thread * share_of(m);
}

static uint64_t events_of(const struct machine *m, uint32_t thread) {
    return m->events & ((bit(share_of(m)) - 1) << first_of(m, thread));
}

static uint64_t events_at(const struct machine *m, uint64_t among, uint32_t location) {
    uint64_t found = 0;
    for (uint32_t i = 0; i < MAX_EVENTS; i++) {
        if ((among >> i & 1) != 0 && m->event[i].at == location) {
            found |= bit(i);
        }
    }
    return found;
}

void order_pass(struct machine *m, uint32_t thread, uint32_t place) {
    struct thread *t = &m->thread[thread];
    if (t->last_place != place) {
        t->ordered_elsewhere = t->horizon.ordered;
        t->last_place = place;
    }
    uint64_t own = events_of(m, thread);
    t->horizon.ordered |= own & ~events_at(m, own, place);
}

bool order_add(struct machine *m, uint32_t thread, struct event event) {
    struct thread *t = &m->thread[thread];
    if (t->events == share_of(m)) {
        explore_fail("more than %u seq_cst accesses of one thread", share_of(m));
    }
    uint64_t same = events_at(m, m->events, event.at);
    uint64_t before = events_of(m, thread) | t->ordered_elsewhere | (t->horizon.before & same);
    uint64_t behind = 0;
    for (uint32_t i = 0; i < MAX_EVENTS; i++) {
        const struct event *other = &m->event[i];
        if ((same >> i & 1) == 0) {
            continue;
        }
        uint8_t seen = event.stores ? event.written : event.read;
        if (other->stores && other->written > seen) {
            behind |= bit(i);
        }
        if (event.stores && ((other->stores && other->written < event.written) ||
                             (other->loads && other->read < event.written))) {
            before |= bit(i);
        }
    }

    uint32_t number = first_of(m, thread) + t->events;
    uint64_t after = behind;
    for (uint32_t i = 0; i < MAX_EVENTS; i++) {
        after |= (behind >> i & 1) != 0 ? m->after[i] : 0;
    }
    if ((after & before) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < MAX_EVENTS; i++) {
        if ((before >> i & 1) != 0 || (m->after[i] & before) != 0) {
            m->after[i] |= bit(number) | after;
        }
    }
    m->event[number] = event;
    m->after[number] = after;
    m->events |= bit(number);
    t->horizon.before |= bit(number);
    t->events++;
    return true;
}
