/* The kernel for filters that grow, with tags of 16 bits and windows of 4 slots. */
#define KERNEL_TAG_BITS 16
#define KERNEL_WINDOW 4
#define KERNEL_GROWS
#include "kernel_growing_body.h"

#include "kernel_list.h"

const struct kernel guira__kernel_growing_16_4 = KERNEL;
