/*
 * The kernel for filters that grow, of any shape, and the choice of one.
 */
#define KERNEL_GROWS
#include "kernel_growing_body.h"

#include "kernel_list.h"

static const struct kernel any = KERNEL;

static const struct kernel *kernel_of(const struct shape *s) {
#define CHOOSE(f, w)                                                                               \
    if (s->tag_bits == (f) && s->window_slots == (w)) {                                            \
        return &guira__kernel_growing_##f##_##w;                                                   \
    }
    KERNEL_GROWING_LIST(CHOOSE)
#undef CHOOSE
    return &any;
}

struct kernel guira__kernel_growing_for(const struct geometry *highest) {
    struct kernel kernel = *kernel_of(&highest->shape);
    if (guira__fits_eights(highest)) {
        kernel.contains_many = kernel.contains_many_in_eights;
    }
    return kernel;
}
