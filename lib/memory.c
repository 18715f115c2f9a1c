/*
 * Allocation. Large requests that no hook takes go to the system's pages, which are zero at first
 * touch and may be huge.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS and madvise, which POSIX.1-2008 lacks */

#include "memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

/* From here on pages of the system, and worth huge ones. */
#define PAGES_FROM ((size_t)2 << 20)

/* No system that the library runs on has smaller ones. */
enum { SMALLEST_PAGE = 4096 };

static bool wants_pages(const struct guira_allocator *allocator, size_t size) {
    return allocator->allocate == NULL && size >= PAGES_FROM;
}

size_t guira__memory_size(const struct guira_allocator *allocator, size_t size) {
    size_t unit = wants_pages(allocator, size) ? (size_t)sysconf(_SC_PAGESIZE) : CACHE_LINE;
    return (size + unit - 1) / unit * unit;
}

static void *get_pages(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE); /* advice: without it all is right, too */
#endif
    return memory;
}

enum guira_status guira__memory_get(const struct guira_allocator *allocator, size_t size,
                                    void **out) {
    if (wants_pages(allocator, size)) {
        *out = get_pages(size);
        return *out == NULL ? GUIRA_NO_MEMORY : GUIRA_OK;
    }
    void *memory = allocator->allocate != NULL
                       ? allocator->allocate(allocator->context, size, CACHE_LINE)
                       : aligned_alloc(CACHE_LINE, size);
    if (memory == NULL) {
        return GUIRA_NO_MEMORY;
    }
    if ((uintptr_t)memory % CACHE_LINE != 0) {
        guira__memory_give_back(allocator, memory, size);
        return GUIRA_BAD_ALLOCATOR;
    }
    memset(memory, 0, size);
    *out = memory;
    return GUIRA_OK;
}

void guira__memory_touch(const struct guira_allocator *allocator, void *memory, size_t size) {
    if (!wants_pages(allocator, size)) {
        return;
    }
    for (size_t at = 0; at < size; at += SMALLEST_PAGE) {
        ((volatile char *)memory)[at] = 0;
    }
}

void guira__memory_drop(const struct guira_allocator *allocator, void *memory, size_t size,
                        size_t from, size_t to) {
    if (!wants_pages(allocator, size)) {
        return;
    }
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t first = (from + page - 1) / page * page;
    size_t end = to / page * page;
    if (first < end) {
        int kept = errno;
        (void)madvise((char *)memory + first, end - first, MADV_DONTNEED);
        errno = kept;
    }
}

void guira__memory_give_back(const struct guira_allocator *allocator, void *memory, size_t size) {
    int kept = errno;
    if (allocator->release != NULL) {
        allocator->release(allocator->context, memory, size, CACHE_LINE);
    } else if (wants_pages(allocator, size)) {
        (void)munmap(memory, size);
    } else {
        free(memory);
    }
    errno = kept;
}
