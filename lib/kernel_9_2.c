/* The kernel for tags of 9 bits and windows of 2 slots. */
#define KERNEL_TAG_BITS 9
#define KERNEL_WINDOW 2
#include "kernel_body.h"

#include "kernel_list.h"

const struct kernel guira__kernel_9_2 = KERNEL;
