/*
 * Loads, stores and locks on horizons; see machine.h.
 */
#include "machine.h"

#include <stddef.h>
#include <string.h>

#include "fail.h"

void machine_copy(struct machine *to, const struct machine *from) {
    memcpy(to, from,
           offsetof(struct machine, location) + from->locations * sizeof(struct location));
}

static bool acquires(memory_order order) {
    return order != memory_order_relaxed && order != memory_order_release;
}

static bool releases(memory_order order) {
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static void join(struct horizon *into, const struct horizon *from) {
    for (uint32_t i = 0; i < MAX_LOCATIONS; i++) {
        if (into->oldest[i] < from->oldest[i]) {
            into->oldest[i] = from->oldest[i];
        }
    }
    into->before |= from->before;
    into->ordered |= from->ordered;
    into->calls |= from->calls;
}

/* Whether a new store may come just before the location's store number `at`. */
static bool place_is_free(const struct location *l, uint32_t at) {
    return at == l->stores || !l->store[at].updates;
}

uint32_t machine_choices(const struct machine *m, uint32_t thread) {
    const struct thread *t = &m->thread[thread];
    const struct access *next = &t->next;
    if (next->kind == NO_ACCESS) {
        return 0;
    }
    if (next->kind == LOCK) {
        return m->lock[next->at].taken ? 0 : 1;
    }
    if (next->kind == UNLOCK) {
        return 1;
    }
    return m->location[next->at].stores - t->horizon.oldest[next->at];
}

static void shift_horizon(struct horizon *horizon, uint32_t location, uint32_t at) {
    horizon->oldest[location] =
        (uint8_t)(horizon->oldest[location] + (horizon->oldest[location] >= at));
}

/* Views and events name stores by their number: renumber those from `at` on. */
static void renumber(struct machine *m, uint32_t location, uint32_t at) {
    for (uint32_t i = 0; i < m->threads; i++) {
        shift_horizon(&m->thread[i].horizon, location, at);
    }
    for (uint32_t i = 0; i < m->locks; i++) {
        shift_horizon(&m->lock[i].carried, location, at);
    }
    for (uint32_t i = 0; i < m->locations; i++) {
        for (uint32_t j = 0; j < m->location[i].stores; j++) {
            shift_horizon(&m->location[i].store[j].carried, location, at);
        }
    }
    for (uint32_t i = 0; i < MAX_EVENTS; i++) {
        struct event *event = &m->event[i];
        if ((m->events >> i & 1) != 0 && event->at == location) {
            event->read = (uint8_t)(event->read + (event->loads && event->read >= at));
            event->written = (uint8_t)(event->written + (event->stores && event->written >= at));
        }
    }
}

static struct store *make_room(struct machine *m, uint32_t location, uint32_t at) {
    struct location *l = &m->location[location];
    if (l->stores == MAX_STORES) {
        explore_fail("more than %d stores to one location", MAX_STORES);
    }
    if (at < l->stores) {
        renumber(m, location, at);
        for (uint32_t i = l->stores; i > at; i--) {
            l->store[i] = l->store[i - 1];
        }
    }
    l->stores++;
    l->store[at] = (struct store){0};
    return &l->store[at];
}

/* A load, a store, or both at once; `read` is the store to read, `at` the place of the new one. */
static bool touch(struct machine *m, uint32_t thread, const struct access *a, uint32_t read,
                  uint32_t at) {
    struct thread *t = &m->thread[thread];
    bool loads = a->kind != STORE;
    bool stores = a->kind != LOAD;
    order_pass(m, thread, a->at);
    struct horizon carried = {0};
    uint64_t value = a->value;
    if (loads) {
        const struct store *from = &m->location[a->at].store[read];
        t->horizon.oldest[a->at] = (uint8_t)read;
        carried = from->carried;
        value += from->value;
        if (acquires(a->order)) {
            join(&t->horizon, &carried);
        }
    }
    struct store *made = stores ? make_room(m, a->at, at) : NULL;
    if (stores) {
        t->horizon.oldest[a->at] = (uint8_t)at;
    }
    struct event event = {(uint8_t)a->at, (uint8_t)read, (uint8_t)at, loads, stores};
    if (a->order == memory_order_seq_cst && !order_add(m, thread, event)) {
        return false;
    }
    if (stores) {
        made->value = value;
        made->updates = loads;
        if (loads) {
            made->carried = carried;
        }
        if (releases(a->order)) {
            join(&made->carried, &t->horizon);
        }
    }
    return true;
}

static void take_lock(struct machine *m, uint32_t thread, uint32_t lock) {
    order_pass(m, thread, MAX_LOCATIONS + lock);
    if (m->locks_carry) {
        join(&m->thread[thread].horizon, &m->lock[lock].carried);
    }
    m->lock[lock].taken = true;
}

static void release_lock(struct machine *m, uint32_t thread, uint32_t lock) {
    order_pass(m, thread, MAX_LOCATIONS + lock);
    m->lock[lock].taken = false;
    m->lock[lock].carried = m->thread[thread].horizon;
}

bool machine_step(struct machine *m, uint32_t thread, uint32_t choice, struct step *step) {
    struct thread *t = &m->thread[thread];
    struct access a = t->next;
    uint64_t result = 0;
    *step = (struct step){.thread = thread, .access = a};
    if (a.kind == LOCK) {
        take_lock(m, thread, a.at);
    } else if (a.kind == UNLOCK) {
        release_lock(m, thread, a.at);
    } else {
        uint32_t stores = m->location[a.at].stores;
        uint32_t read = stores - 1 - choice;
        uint32_t at = stores - choice;
        result = a.kind == STORE ? a.value : m->location[a.at].store[read].value;
        if ((a.kind != LOAD && !place_is_free(&m->location[a.at], at)) ||
            !touch(m, thread, &a, read, at)) {
            return false;
        }
        step->value = result;
        step->store = a.kind == LOAD ? read : at;
        step->stores = m->location[a.at].stores;
    }
    if (t->accesses == MAX_ACCESSES) {
        explore_fail("more than %d accesses of one thread", MAX_ACCESSES);
    }
    t->result[t->accesses++] = result;
    return true;
}

uint64_t machine_newest(const struct machine *m, uint32_t location) {
    const struct location *l = &m->location[location];
    return l->store[l->stores - 1].value;
}
