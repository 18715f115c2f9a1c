#define _GNU_SOURCE /* affinity */

#include "crew.h"

#include <stdatomic.h>

#include <pthread.h>
#include <sched.h>

#include "support.h"

static unsigned core_count;
static int cores[CPU_SETSIZE];

struct crew {
    crew_work work;
    void *shared;
    unsigned size;
    atomic_uint arrived;
};

struct member {
    struct crew *crew;
    unsigned number;
    pthread_t thread;
};

static cpu_set_t core_of(unsigned member) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cores[member % core_count], &one);
    return one;
}

void crew_pin_caller(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        fail("no way to ask for this process's cores");
    }
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET((size_t)core, &allowed)) {
            cores[core_count++] = core;
        }
    }
    cpu_set_t first = core_of(0);
    if (sched_setaffinity(0, sizeof first, &first) != 0) {
        fail("no way to pin a thread");
    }
}

unsigned crew_cores(void) {
    return core_count;
}

/* The gate: nobody works before all are here. More threads than cores must not spin for long. */
static void *member_main(void *argument) {
    const struct member *member = argument;
    struct crew *crew = member->crew;
    (void)atomic_fetch_add(&crew->arrived, 1);
    while (atomic_load(&crew->arrived) < crew->size) {
        (void)sched_yield();
    }
    crew->work(crew->shared, member->number);
    return NULL;
}

static void start(struct member *member) {
    cpu_set_t core = core_of(member->number);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setaffinity_np(&attributes, sizeof core, &core) != 0 ||
        pthread_create(&member->thread, &attributes, member_main, member) != 0) {
        fail("no way to start thread %u", member->number);
    }
    (void)pthread_attr_destroy(&attributes);
}

void crew_run(unsigned size, crew_work work, void *shared) {
    struct crew crew = {.work = work, .shared = shared, .size = size};
    struct member members[MAX_THREADS];
    members[0] = (struct member){.crew = &crew};
    for (unsigned i = 1; i < size; i++) {
        members[i] = (struct member){.crew = &crew, .number = i};
        start(&members[i]);
    }
    (void)member_main(&members[0]);
    for (unsigned i = 1; i < size; i++) {
        (void)pthread_join(members[i].thread, NULL);
    }
}
