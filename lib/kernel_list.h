/*
 * The shapes that have a kernel of their own, kernel_F_W.c each.
 */
#ifndef GUIRA_LIB_KERNEL_LIST_H
#define GUIRA_LIB_KERNEL_LIST_H

#include "kernel.h"

#define KERNEL_LIST(each)                                                                          \
    each(8, 3) each(9, 2) each(9, 3) each(12, 2) each(12, 4) each(16, 3) each(16, 4)

#define DECLARE(f, w) extern const struct kernel guira__kernel_##f##_##w;
KERNEL_LIST(DECLARE)
#undef DECLARE

/* Likewise of filters that grow, kernel_growing_F_W.c: those that many ranges and rates lead to. */
#define KERNEL_GROWING_LIST(each) each(12, 4) each(16, 4) each(21, 2) each(21, 3) each(32, 2)

#define DECLARE(f, w) extern const struct kernel guira__kernel_growing_##f##_##w;
KERNEL_GROWING_LIST(DECLARE)
#undef DECLARE

#endif
