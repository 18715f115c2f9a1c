/*
 * Allocators for tests, to be plugged in through guira_options: one counts, fails on demand, spoils
 * errno and checks that what comes back is what went out; one puts memory flush before a forbidden
 * page; one looks whether locks are held.
 */
#ifndef GUIRA_TESTS_ALLOCATORS_H
#define GUIRA_TESTS_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter.h"

enum { MAX_LIVE = 16 };

struct counting {
    unsigned calls;       /* of allocate */
    unsigned releases;    /* of release */
    unsigned fail_at;     /* the call that fails, from 1; 0: none */
    unsigned misalign_at; /* the call that returns misaligned memory; 0: none */
    bool for_ever;        /* and all calls after those too */
    size_t bytes;         /* live now */
    size_t peak;          /* the most that were live at once */
    unsigned live;        /* allocations live now */
    bool mismatch;        /* a release that fits no allocation, or an odd request */
    struct {
        void *memory;
        size_t size;
        size_t alignment;
    } block[MAX_LIVE];
};

struct guira_allocator counting_allocator(struct counting *c);

/* The last byte of each allocation is followed by a page that cannot be touched, and the first is
 * preceded by one when the size is whole pages. Fresh memory is full of ones, not zero. */
struct guira_allocator guarded_allocator(void);

/* Whether a stripe of the filter is locked now. */
bool is_locked(const struct guira *f);

struct watching {
    const struct guira *filter[2]; /* whose locks must not be held; NULL: none */
    unsigned calls;                /* of both hooks */
    bool locked;                   /* one was, in a call */
};

struct guira_allocator watching_allocator(struct watching *w);

#endif
