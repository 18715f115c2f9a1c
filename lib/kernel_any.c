/*
 * The kernel for any shape, and the choice of one.
 */
#include "kernel_body.h"

#include "kernel_list.h"
#include "system.h"

static const struct kernel any = KERNEL;

const struct kernel *guira__kernel(uint32_t tag_bits, uint32_t window) {
#define CHOOSE(f, w)                                                                               \
    if (tag_bits == (f) && window == (w)) {                                                        \
        return &guira__kernel_##f##_##w;                                                           \
    }
    KERNEL_LIST(CHOOSE)
#undef CHOOSE
    return &any;
}

bool guira__fits_eights(const struct geometry *g) {
    return g->buckets <= UINT32_MAX && g->shape.lanes <= EIGHT && guira__has_avx512();
}

struct kernel guira__kernel_for(const struct geometry *g) {
    struct kernel kernel = *guira__kernel(g->shape.tag_bits, g->shape.window_slots);
    if (guira__fits_eights(g)) {
        kernel.contains_many = kernel.contains_many_in_eights;
    }
    return kernel;
}
