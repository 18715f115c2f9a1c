/*
 * A filter's contents at one instant, copied while other threads change it.
 *
 * All stripes are locked for as long as it takes to copy the words. Writers, and count, wait for
 * that one copy; readers never wait. So nothing slow happens under the locks: the memory is got
 * and its pages are touched before, and what is done with the copy is done after.
 */
#ifndef GUIRA_LIB_SNAPSHOT_H
#define GUIRA_LIB_SNAPSHOT_H

#include "whole.h"

/* The words of one table. */
struct copied {
    uint64_t *words; /* one for each bucket; the owner may change them */
    size_t bytes;    /* of the memory that they are in: what the table takes */
};

struct snapshot {
    struct whole of; /* the tables that were copied */
    struct copied copy[MOST_TABLES];
    uint64_t items; /* entries in them, exactly */
};

/* GUIRA_OK, or what the failure of the filter's allocator is. A filter without locks is taken for
 * a writer's: none may run meanwhile. */
enum guira_status guira__snapshot_take(const struct guira *f, struct snapshot *out);

/* Give its memory back to the allocator of the filter that it was taken of. */
void guira__snapshot_release(const struct guira *f, struct snapshot *snapshot);

#endif
