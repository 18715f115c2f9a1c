#define _POSIX_C_SOURCE 200809L

#include "pauses.h"

#include <sched.h>
#include <time.h>

enum { LONGEST_LOOP = 512, LONGEST_SELDOM_LOOP = 1 << 14 };

void pause_longer(uint64_t random) {
    if (random % ACCESSES_PER_SLEEP == ACCESSES_PER_LOOP) {
        const struct timespec time = {.tv_nsec = 10000};
        (void)nanosleep(&time, NULL);
    } else if (random % ACCESSES_PER_YIELD == 0) {
        (void)sched_yield();
    } else {
        uint64_t longest = random >> 60 == 0 ? LONGEST_SELDOM_LOOP : LONGEST_LOOP;
        for (volatile uint64_t left = (random >> 32) % longest; left > 0;) {
            left = left - 1;
        }
    }
}
