/*
 * The kernel for any shape, and the choice of one.
 */
#include "kernel_body.h"

#include "kernel_list.h"

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
