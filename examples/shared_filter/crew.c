/*
 * Threads that wait at a gate until all of them exist, so that a measured time contains work only.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep */

#include "crew.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <pthread.h>

enum gate { SHUT, OPEN, GO_HOME };

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum gate gate; /* guarded by the lock */
    unsigned size;
    crew_work work;
    void *shared;
};

struct member {
    struct crew *crew;
    unsigned number;
    pthread_t thread;
    struct tally tally; /* written once, at the end of the work */
};

void tally_status(struct tally *tally, enum guira_status status) {
    switch (status) {
    case GUIRA_OK:
        tally->ok++;
        break;
    case GUIRA_FULL:
        tally->full++;
        break;
    case GUIRA_LIMIT:
        tally->limit++;
        break;
    default:
        tally->wrong++;
    }
}

struct slice slice_of(uint64_t count, unsigned member, unsigned size) {
    /* The first `longer` slices are one longer; no product that could overflow. */
    uint64_t each = count / size;
    uint64_t longer = count % size;
    uint64_t first = member * each + (member < longer ? member : longer);
    return (struct slice){.first = first, .end = first + each + (member < longer)};
}

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail with this clock */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds) {
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)(1e9 * (seconds - (double)t.tv_sec));
    while (nanosleep(&t, &t) != 0 && errno == EINTR) {
    }
}

static void *member_main(void *argument) {
    struct member *member = argument;
    struct crew *crew = member->crew;
    (void)pthread_mutex_lock(&crew->lock);
    while (crew->gate == SHUT) {
        (void)pthread_cond_wait(&crew->changed, &crew->lock);
    }
    bool works = crew->gate == OPEN;
    (void)pthread_mutex_unlock(&crew->lock);
    if (works) {
        member->tally = crew->work(crew->shared, member->number, crew->size);
    }
    return NULL;
}

static void set_gate(struct crew *crew, enum gate gate) {
    (void)pthread_mutex_lock(&crew->lock);
    crew->gate = gate;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->lock);
}

static void add(struct tally *total, const struct tally *part) {
    total->ok += part->ok;
    total->full += part->full;
    total->limit += part->limit;
    total->wrong += part->wrong;
    total->found += part->found;
    total->missed += part->missed;
}

bool crew_run_for(unsigned size, crew_work work, void *shared, double limit, atomic_bool *stop,
                  struct tally *total, double *seconds) {
    struct crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .gate = SHUT,
                        .size = size,
                        .work = work,
                        .shared = shared};
    struct member *members = calloc(size, sizeof *members);
    if (members == NULL) {
        return false;
    }
    unsigned made = 0;
    while (made < size) {
        members[made].crew = &crew;
        members[made].number = made;
        if (pthread_create(&members[made].thread, NULL, member_main, &members[made]) != 0) {
            break;
        }
        made++;
    }

    double start = now();
    set_gate(&crew, made == size ? OPEN : GO_HOME);
    if (stop != NULL && made == size) {
        sleep_for(limit);
        atomic_store(stop, true);
    }
    *total = (struct tally){.ok = 0};
    for (unsigned i = 0; i < made; i++) {
        (void)pthread_join(members[i].thread, NULL);
        add(total, &members[i].tally);
    }
    *seconds = now() - start;
    free(members);
    return made == size;
}

bool crew_run(unsigned size, crew_work work, void *shared, struct tally *total, double *seconds) {
    return crew_run_for(size, work, shared, 0, NULL, total, seconds);
}
