/*
 * Threads that start together; see the header.
 */
#include "threads.h"

#include <stdlib.h>
#include <time.h>

struct job {
    void *(*work)(void *);
    void *context;
    pthread_barrier_t *start;
};

static void *run_job(void *context) {
    struct job job = *(struct job *)context;
    free(context);
    (void)pthread_barrier_wait(job.start);
    return job.work(job.context);
}

void crew_begin(struct crew *crew, unsigned size) {
    crew->size = 0;
    crew->expected = size;
    if (size > MAX_THREADS || pthread_barrier_init(&crew->start, NULL, size) != 0) {
        abort();
    }
}

void crew_hire(struct crew *crew, void *(*work)(void *), void *context) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL || crew->size == crew->expected) {
        abort();
    }
    *job = (struct job){work, context, &crew->start};
    if (pthread_create(&crew->thread[crew->size++], NULL, run_job, job) != 0) {
        abort();
    }
}

void crew_end(struct crew *crew) {
    if (crew->size != crew->expected) {
        abort();
    }
    for (unsigned i = 0; i < crew->size; i++) {
        (void)pthread_join(crew->thread[i], NULL);
    }
    (void)pthread_barrier_destroy(&crew->start);
}

void nap(void) {
    struct timespec millisecond = {.tv_sec = 0, .tv_nsec = 1000000};
    (void)nanosleep(&millisecond, NULL);
}
