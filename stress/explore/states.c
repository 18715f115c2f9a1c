/*
 * Hashing a machine's state, and an open-addressing set of the hashes.
 */
#include "states.h"

#include <stdlib.h>

#include "fail.h"

struct hash {
    uint64_t a, b;
};

struct states {
    struct hash *slot; /* {0, 0}: free */
    uint64_t slots;    /* a power of two */
    uint64_t used;
};

/* Two independent multiply-xorshift chains. */
static void put(struct hash *h, uint64_t word) {
    h->a = (h->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    h->a ^= h->a >> 32;
    h->b = (h->b + word) * UINT64_C(0xc2b2ae3d27d4eb4f);
    h->b ^= h->b >> 29;
}

static void put_horizon(struct hash *h, const struct horizon *horizon, uint32_t locations) {
    uint64_t packed = 0;
    for (uint32_t i = 0; i < locations; i++) {
        packed = packed << 4 | horizon->oldest[i]; /* below MAX_STORES */
    }
    put(h, packed);
    put(h, horizon->before);
    put(h, horizon->ordered);
    put(h, horizon->calls);
}

static void put_thread(struct hash *h, const struct thread *t, uint32_t locations) {
    put(h, t->accesses);
    for (uint32_t i = 0; i < t->accesses; i++) {
        put(h, t->result[i]);
    }
    for (uint32_t i = 0; i < t->calls; i++) {
        put(h, t->call[i].after);
    }
    put_horizon(h, &t->horizon, locations);
    put(h, t->last_place);
    put(h, t->ordered_elsewhere);
}

static struct hash hash_of(const struct machine *m) {
    struct hash h = {1, 2};
    for (uint32_t i = 0; i < m->threads; i++) {
        put_thread(&h, &m->thread[i], m->locations);
    }
    for (uint32_t i = 0; i < m->locations; i++) {
        const struct location *l = &m->location[i];
        put(&h, l->stores);
        for (uint32_t j = 0; j < l->stores; j++) {
            put(&h, l->store[j].value);
            put(&h, l->store[j].updates);
            put_horizon(&h, &l->store[j].carried, m->locations);
        }
    }
    for (uint32_t i = 0; i < m->locks; i++) {
        put(&h, m->lock[i].taken);
        put_horizon(&h, &m->lock[i].carried, m->locations);
    }
    put(&h, m->events);
    for (uint32_t i = 0; i < MAX_EVENTS; i++) {
        if ((m->events >> i & 1) != 0) {
            const struct event *e = &m->event[i];
            put(&h, (uint64_t)e->at << 24 | (uint64_t)e->read << 16 | (uint64_t)e->written << 8 |
                        (uint64_t)e->loads << 1 | e->stores);
            put(&h, m->after[i]);
        }
    }
    return h;
}

static bool insert(struct states *s, struct hash h) {
    uint64_t i = h.a & (s->slots - 1);
    while (s->slot[i].a != 0 || s->slot[i].b != 0) {
        if (s->slot[i].a == h.a && s->slot[i].b == h.b) {
            return false;
        }
        i = (i + 1) & (s->slots - 1);
    }
    s->slot[i] = h;
    s->used++;
    return true;
}

static struct hash *allocate(uint64_t slots) {
    struct hash *slot = calloc(slots, sizeof *slot);
    if (slot == NULL) {
        explore_fail("out of memory");
    }
    return slot;
}

struct states *states_create(void) {
    struct states *s = calloc(1, sizeof *s);
    if (s == NULL) {
        explore_fail("out of memory");
    }
    s->slots = 1024;
    s->slot = allocate(s->slots);
    return s;
}

void states_destroy(struct states *states) {
    free(states->slot);
    free(states);
}

static void grow(struct states *s) {
    struct states larger = {allocate(s->slots * 2), s->slots * 2, 0};
    for (uint64_t i = 0; i < s->slots; i++) {
        if (s->slot[i].a != 0 || s->slot[i].b != 0) {
            (void)insert(&larger, s->slot[i]);
        }
    }
    free(s->slot);
    *s = larger;
}

bool states_add(struct states *states, const struct machine *m) {
    if (states->used * 2 > states->slots) {
        grow(states);
    }
    return insert(states, hash_of(m));
}
