/*
 * Randomness and processors.
 */
#define _DEFAULT_SOURCE /* getentropy and _SC_NPROCESSORS_ONLN, which POSIX.1-2008 lacks */

#include "system.h"

#include <unistd.h>

bool guira__random_seed(uint64_t *seed) {
    do {
        if (getentropy(seed, sizeof *seed) != 0) {
            return false;
        }
    } while (*seed == 0);
    return true;
}

bool guira__has_avx512(void) {
#ifdef GUIRA_X86_64
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

uint32_t guira__processors(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (uint32_t)online;
}
