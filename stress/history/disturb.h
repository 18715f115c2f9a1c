/*
 * Holding threads up at random instructions, as no scheduler does by itself often enough: a helper
 * sends signals to random threads that are making calls, and the signal's handler sleeps for a
 * moment. So a reader comes to stand between its two loads, a writer in the middle of a move with
 * its locks held, and the others go on. The handler does not touch the filter.
 */
#ifndef GUIRA_STRESS_HISTORY_DISTURB_H
#define GUIRA_STRESS_HISTORY_DISTURB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_DISTURBED = 64 };

struct disturber {
    pthread_mutex_t mutex; /* guards all below; not taken by threads while they make calls */
    pthread_t target[MOST_DISTURBED];
    bool present[MOST_DISTURBED];
    bool stop;
    unsigned pause; /* microseconds between two signals; 0: no signals at all */
    uint64_t random;
    pthread_t helper;
    bool runs;
};

void disturber_start(struct disturber *disturber, unsigned pause, uint64_t seed);
void disturber_stop(struct disturber *disturber);

/* The calling thread may be held up from now on; and no more. */
void disturb_me(struct disturber *disturber, unsigned index);
void leave_me_alone(struct disturber *disturber, unsigned index);

#endif
