/*
 * Test allocators; see the header.
 */
#include "allocators.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

/* Hooks may leave anything in errno; the library must not let it pass for a reason. */
static void spoil_errno(void) {
    errno = EDOM;
}

/* Whether this is the call that something was planned for; 0: none. */
static bool is_due(const struct counting *c, unsigned call) {
    return call != 0 && (c->calls == call || (c->for_ever && c->calls > call));
}

static void *counted_allocate(void *context, size_t size, size_t alignment) {
    struct counting *c = context;
    spoil_errno();
    c->calls++;
    c->mismatch |=
        size == 0 || size % alignment != 0 || alignment > 64 || (alignment & (alignment - 1)) != 0;
    if (is_due(c, c->fail_at) || c->live == MAX_LIVE) {
        return NULL;
    }
    char *memory = aligned_alloc(alignment, size + alignment);
    if (memory == NULL) {
        return NULL;
    }
    memset(memory, 0xff, size + alignment); /* the library must not count on zeroed memory */
    memory += is_due(c, c->misalign_at) ? 8 : 0;
    c->block[c->live].memory = memory;
    c->block[c->live].size = size;
    c->block[c->live].alignment = alignment;
    c->live++;
    c->bytes += size;
    c->peak = c->bytes > c->peak ? c->bytes : c->peak;
    return memory;
}

static void counted_release(void *context, void *memory, size_t size, size_t alignment) {
    struct counting *c = context;
    spoil_errno();
    c->releases++;
    for (unsigned i = 0; i < c->live; i++) {
        if (c->block[i].memory == memory) {
            c->mismatch |= c->block[i].size != size || c->block[i].alignment != alignment;
            c->bytes -= c->block[i].size;
            c->block[i] = c->block[--c->live];
            free((char *)memory - (uintptr_t)memory % alignment); /* undoes a misalignment */
            return;
        }
    }
    c->mismatch = true;
}

struct guira_allocator counting_allocator(struct counting *c) {
    return (struct guira_allocator){counted_allocate, counted_release, c};
}

/* Bytes of the pages that hold `size`, and a forbidden page on either side. */
static size_t guarded_bytes(size_t size, size_t page) {
    return (size + page - 1) / page * page + 2 * page;
}

static void *guarded_allocate(void *context, size_t size, size_t alignment) {
    (void)context;
    (void)alignment;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t all = guarded_bytes(size, page);
    char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    memset(memory, 0xff, all);
    if (mprotect(memory, page, PROT_NONE) != 0 ||
        mprotect(memory + all - page, page, PROT_NONE) != 0) {
        abort();
    }
    return memory + all - page - size;
}

static void guarded_release(void *context, void *memory, size_t size, size_t alignment) {
    (void)context;
    (void)alignment;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t all = guarded_bytes(size, page);
    (void)munmap((char *)memory + size + page - all, all);
}

struct guira_allocator guarded_allocator(void) {
    return (struct guira_allocator){guarded_allocate, guarded_release, NULL};
}

bool is_locked(const struct guira *f) {
    bool locked = false;
    for (uint32_t i = 0; i < f->stripes.count; i++) {
        locked |= ck_spinlock_locked(&f->stripes.all[i].lock.spin);
    }
    return locked;
}

static void watch_call(struct watching *w) {
    w->calls++;
    for (int i = 0; i < 2; i++) {
        w->locked |= w->filter[i] != NULL && is_locked(w->filter[i]);
    }
}

static void *watched_allocate(void *context, size_t size, size_t alignment) {
    watch_call(context);
    return aligned_alloc(alignment, size);
}

static void watched_release(void *context, void *memory, size_t size, size_t alignment) {
    (void)size;
    (void)alignment;
    watch_call(context);
    free(memory);
}

struct guira_allocator watching_allocator(struct watching *w) {
    return (struct guira_allocator){watched_allocate, watched_release, w};
}
