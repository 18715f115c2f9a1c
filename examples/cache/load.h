/*
 * The load: threads that read, put and delete keys, some keys far more often than others.
 */
#ifndef CACHE_LOAD_H
#define CACHE_LOAD_H

#include "service.h"

/* What was counted. */
struct load {
    uint64_t answers[ANSWERS];   /* of reads */
    uint64_t outcomes[OUTCOMES]; /* of puts and deletes */
    uint64_t surely_there;       /* reads of keys that the store had all the time */
    uint64_t refused_wrongly;    /* those of them that found nothing */
    uint64_t wrong_values;       /* values of another key */
    double seconds;
    double p50; /* of reads, in microseconds */
    double p99;
};

/* Run `operations` on each of the threads, on keys below `keys`, a power of two. The same load each
 * time, but for how the threads overlap. */
struct load load_run(struct service *service, const struct store *store, uint32_t keys,
                     unsigned threads, uint64_t operations);

#endif
