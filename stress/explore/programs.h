/*
 * The programs that the protocol, and each mutant of it, is explored with.
 */
#ifndef GUIRA_EXPLORE_PROGRAMS_H
#define GUIRA_EXPLORE_PROGRAMS_H

#include "explore.h"

struct scenario {
    const char *name;
    uint32_t buckets, stripe_shift; /* of the table; 0: `prepare` makes some that grow */
    uint32_t threads;
    void (*prepare)(struct machine *m); /* defines the elements, fills the table */
    void (*body)(uint32_t thread);
    const char *(*check)(const struct machine *end); /* table_check() or more */
    bool limit; /* must fail, for it asks for more than the protocol gives */
};

struct scenarios {
    const struct scenario *scenario;
    uint32_t count;
};

extern const struct scenarios about_moving, about_changing, about_two_elements, about_growth;

/* family.c: every program of a kind, one after the other. */
struct family {
    const char *name;
    uint32_t members;
    uint32_t threads;
    uint32_t buckets;                /* as of a scenario */
    bool (*choose)(uint32_t member); /* prepare and body become that one; false: skip it */
    void (*prepare)(struct machine *m);
    void (*body)(uint32_t thread);
};

extern const struct family families[];
extern const uint32_t family_count;

#endif
