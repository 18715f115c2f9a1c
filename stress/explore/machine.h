/*
 * A machine that executes atomic accesses as C11 allows them, one step at a time.
 *
 *     location   its stores in modification order:   [0] [1] [2] [3]
 *     horizon    for each location the oldest store that a thread may still read:   ^
 *
 * A load reads any store that is not older than its thread's horizon, and a store goes anywhere
 * behind what its thread's horizon holds. A release store carries its thread's horizon; an acquire
 * load joins the horizon that the store it reads carries; an unlock and the next lock do the same.
 * Where locks order all stores to a location, as in the filter, there is one place for a new store:
 * the end.
 *
 * A relaxed store carries nothing, so a release sequence goes on through read-modify-writes only,
 * as in C++20; in C11 also through the thread's own later stores. seq_cst is order.c's.
 *
 * View machines: Kang, Hur, Lahav, Vafeiadis, Dreyer, "A Promising Semantics for Relaxed-Memory
 * Concurrency", POPL 2017 (here without promises).
 *
 * The state of the machine is one plain struct, so that a search can go back by copying.
 */
#ifndef GUIRA_EXPLORE_MACHINE_H
#define GUIRA_EXPLORE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_THREADS = 4,
    MAX_LOCATIONS = 16,
    MAX_LOCKS = 4,
    MAX_STORES = 10,   /* to one location */
    MAX_ACCESSES = 64, /* of one thread */
    MAX_EVENTS = 64,   /* seq_cst accesses, shared out to the threads */
    MAX_NOTES = 4,     /* of one thread */
    MAX_CALLS = 4      /* of one thread */
};

/* What happened before a point of a thread, or before a store that carries it. */
struct horizon {
    uint8_t oldest[MAX_LOCATIONS]; /* the oldest store still visible */
    uint64_t before;               /* seq_cst events that happen before it */
    uint64_t ordered;              /* of them, those that order.c calls ordered */
    uint32_t calls;                /* calls that ended before it, a bit each, for history.c */
};

struct store {
    uint64_t value;
    struct horizon carried;
    bool updates; /* by a read-modify-write: nothing comes between it and the store before */
};

struct location {
    uint32_t stores;
    struct store store[MAX_STORES];
};

struct lock {
    bool taken;
    struct horizon carried; /* by the last unlock */
};

enum access_kind { NO_ACCESS, LOAD, STORE, ADD, LOCK, UNLOCK };

struct access {
    enum access_kind kind;
    uint32_t at; /* the location or the lock */
    memory_order order;
    uint64_t value; /* stored or added */
};

/* A call of the filter's interface, see history.c. */
struct call {
    uint8_t kind;
    uint8_t element;
    uint8_t result;
    bool ended;
    uint32_t after; /* calls that ended before this one began */
};

/*
 * A thread is its program and what its accesses returned so far. Its body is run anew from the
 * start for each access, with the recorded results, up to the first one that has none: `next`.
 */
struct thread {
    struct access next; /* NO_ACCESS when the body has returned */
    struct horizon horizon;
    uint32_t accesses;
    uint32_t events;            /* seq_cst accesses so far */
    uint32_t last_place;        /* of the last access: the location, or beyond them the lock */
    uint64_t ordered_elsewhere; /* view.ordered after the last access to any other place */
    uint32_t notes;
    uint32_t calls;
    uint64_t result[MAX_ACCESSES];
    uint64_t note[MAX_NOTES];
    struct call call[MAX_CALLS];
};

/* A seq_cst access; its number is the thread's first plus how many of that thread came before. */
struct event {
    uint8_t at;
    uint8_t read;    /* the store that it read, if it loads */
    uint8_t written; /* the store that it made, if it stores */
    bool loads, stores;
};

struct machine {
    struct thread thread[MAX_THREADS];
    struct lock lock[MAX_LOCKS];
    struct event event[MAX_EVENTS];
    uint64_t events;            /* those that happened */
    uint64_t after[MAX_EVENTS]; /* for each event those that must come after it */
    uint32_t threads, locations, locks;
    bool locks_carry; /* false: a mutant without edge E4 */
    struct location
        location[MAX_LOCATIONS]; /* last, so that a copy can leave out the unused ones */
};

void machine_copy(struct machine *to, const struct machine *from);

/* Between how many outcomes the thread's next access can choose; 0 if it cannot go on now. */
uint32_t machine_choices(const struct machine *m, uint32_t thread);

/* What one step did, for a trace. */
struct step {
    uint32_t thread;
    struct access access;
    uint64_t value;  /* read, stored, or read by an addition */
    uint32_t store;  /* which store of the location was read or made */
    uint32_t stores; /* how many there were then */
};

/* Carry out the next access with that outcome, 0 being the newest; false if seq_cst forbids it. */
bool machine_step(struct machine *m, uint32_t thread, uint32_t choice, struct step *step);

/* The value at the end of the location's modification order. */
uint64_t machine_newest(const struct machine *m, uint32_t location);

/* order.c: to be told of each access, seq_cst or not, before it joins any view. */
void order_pass(struct machine *m, uint32_t thread, uint32_t place);
/* order.c: add a seq_cst event and what orders it; false if no single order is left. */
bool order_add(struct machine *m, uint32_t thread, struct event event);

#endif
