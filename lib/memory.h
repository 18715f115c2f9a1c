/*
 * Memory from the user's hooks, the C library or the system's pages.
 */
#ifndef GUIRA_LIB_MEMORY_H
#define GUIRA_LIB_MEMORY_H

#include <stddef.h>

#include "guira/options.h"
#include "guira/status.h"

enum { CACHE_LINE = 64 };

/* The bytes that a request for `size` takes: whole cache lines, or whole pages for what comes from
 * the system's pages. */
size_t guira__memory_size(const struct guira_allocator *allocator, size_t size);

/* Zeroed memory, aligned to a cache line; `size` as guira__memory_size gave it. */
enum guira_status guira__memory_get(const struct guira_allocator *allocator, size_t size,
                                    void **out);

/* See to it that no page has to be found for the memory later, when a lock is held. Pages of the
 * system are written to; all else guira__memory_get has written to. For memory as it was got, which
 * stays zero. */
void guira__memory_touch(const struct guira_allocator *allocator, void *memory, size_t size);

/* Give the pages between two bytes of memory of `size` bytes back to the system, if they are its.
 * Who reads them, even at the same time, finds what was there or 0. */
void guira__memory_drop(const struct guira_allocator *allocator, void *memory, size_t size,
                        size_t from, size_t to);

/* errno stays as it is, as this is often done after a call that failed. */
void guira__memory_give_back(const struct guira_allocator *allocator, void *memory, size_t size);

#endif
