/*
 * A kernel: the operations on elements, compiled for one shape of table. The source is one,
 * kernel_body.h. kernel_any.c compiles it for any shape; each kernel_F_W.c for tags of F bits and
 * windows of W slots, with all that follows from these as constants. The shapes that have one are
 * those that the sizing rule chooses for round rates (docs/sizing.md). A filter picks its kernel
 * once, at creation.
 *
 * All take uniform hashes. Those with `n` take an array of them, and an array for the results.
 */
#ifndef GUIRA_LIB_KERNEL_H
#define GUIRA_LIB_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guira/status.h"

struct guira;

typedef enum guira_status (*change_one)(struct guira *f, uint64_t hash);
typedef void (*change_many)(struct guira *f, const uint64_t *hash, size_t n,
                            enum guira_status *result);

struct kernel {
    bool (*contains)(const struct guira *f, uint64_t hash);
    unsigned (*count)(const struct guira *f, uint64_t hash);
    change_one insert;
    change_one insert_unique;
    change_one remove;

    void (*contains_many)(const struct guira *f, const uint64_t *hash, size_t n, bool *result);
    /* The same, for a processor with AVX-512 and a table of less than 2^32 buckets, see eight.h;
     * a filter that can takes it for contains_many. */
    void (*contains_in_eights)(const struct guira *f, const uint64_t *hash, size_t n, bool *result);
    void (*count_many)(const struct guira *f, const uint64_t *hash, size_t n, unsigned *result);
    change_many insert_many;
    change_many insert_unique_many;
    change_many remove_many;
};

/* Of functions of a kernel that are kept out of the way of the usual case, or seldom called. */
#if defined(__GNUC__)
#define KERNEL_APART __attribute__((noinline, unused))
#define KERNEL_RARE __attribute__((noinline, cold, unused))
#else
#define KERNEL_APART
#define KERNEL_RARE
#endif

/* The kernel for tags of that many bits and windows of that many slots. */
const struct kernel *guira__kernel(uint32_t tag_bits, uint32_t window);

#endif
