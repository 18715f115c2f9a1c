/*
 * What the operating system is asked for besides memory.
 */
#ifndef GUIRA_LIB_SYSTEM_H
#define GUIRA_LIB_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

/* A random seed that is not 0. False if the system has none to give. */
bool guira__random_seed(uint64_t *seed);

/* Processors that are online, at least 1. */
uint32_t guira__processors(void);

#if defined(__x86_64__) && defined(__GNUC__)
#define GUIRA_X86_64 1
#endif

/* Whether processor and system have AVX-512 with its parts F, DQ, BW and VL. */
bool guira__has_avx512(void);

#endif
