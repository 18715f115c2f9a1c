/*
 * A kernel: the operations on elements, compiled for one shape of table. The source is one,
 * kernel_body.h. kernel_any.c compiles it for any shape; each kernel_F_W.c for tags of F bits and
 * windows of W slots, with all that follows from these as constants. The shapes that have one are
 * those that the sizing rule chooses for round rates (docs/sizing.md). A filter picks its kernel
 * once, at creation. Filters that grow have kernels of their own, likewise: kernel_growing_body.h,
 * kernel_growing.c and each kernel_growing_F_W.c.
 *
 * All take uniform hashes. Those with `n` take an array of them, and an array for the results.
 */
#ifndef GUIRA_LIB_KERNEL_H
#define GUIRA_LIB_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guira/status.h"

#include "geometry.h"

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
    /* The same, where guira__fits_eights says so; takes the place of contains_many there. */
    void (*contains_many_in_eights)(const struct guira *f, const uint64_t *hash, size_t n,
                                    bool *result);
    void (*count_many)(const struct guira *f, const uint64_t *hash, size_t n, unsigned *result);
    change_many insert_many;
    change_many insert_unique_many;
    change_many remove_many;
};

/* The kernel for tags of that many bits and windows of that many slots. */
const struct kernel *guira__kernel(uint32_t tag_bits, uint32_t window);

/* Whether look-ups in eights, see eight.h, suit the table and the processor. */
bool guira__fits_eights(const struct geometry *g);

/* The kernel for a table, with the best of the two for look-ups of many. */
struct kernel guira__kernel_for(const struct geometry *g);

/* The kernel for a filter that grows to that table. */
struct kernel guira__kernel_growing_for(const struct geometry *highest);

#endif
