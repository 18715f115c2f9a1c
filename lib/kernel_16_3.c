/* The kernel for tags of 16 bits and windows of 3 slots. */
#define KERNEL_TAG_BITS 16
#define KERNEL_WINDOW 3
#include "kernel_body.h"

#include "kernel_list.h"

const struct kernel guira__kernel_16_3 = KERNEL;
