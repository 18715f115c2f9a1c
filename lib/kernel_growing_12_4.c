/* The kernel for filters that grow, with tags of 12 bits and windows of 4 slots. */
#define KERNEL_TAG_BITS 12
#define KERNEL_WINDOW 4
#define KERNEL_GROWS
#include "kernel_growing_body.h"

#include "kernel_list.h"

const struct kernel guira__kernel_growing_12_4 = KERNEL;
