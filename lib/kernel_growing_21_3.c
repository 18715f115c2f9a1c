/* The kernel for filters that grow, with tags of 21 bits and windows of 3 slots. */
#define KERNEL_TAG_BITS 21
#define KERNEL_WINDOW 3
#define KERNEL_GROWS
#include "kernel_growing_body.h"

#include "kernel_list.h"

const struct kernel guira__kernel_growing_21_3 = KERNEL;
