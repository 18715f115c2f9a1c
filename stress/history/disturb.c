#define _POSIX_C_SOURCE 200809L

#include "disturb.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/select.h>
#include <time.h>

static _Atomic unsigned signals; /* only so that sleeps differ */

static void sleep_a_moment(int signal_number) {
    (void)signal_number;
    int saved = errno;
    unsigned turn = atomic_fetch_add_explicit(&signals, 1, memory_order_relaxed);
    /* Nothing much, or some tens of microseconds, seldom long: time for few or for many calls. */
    static const long nanoseconds[8] = {0, 1000, 1000, 20000, 20000, 50000, 50000, 400000};
    struct timespec time = {.tv_nsec = nanoseconds[turn % 8]};
    (void)pselect(0, NULL, NULL, NULL, &time, NULL);
    errno = saved;
}

static void signal_someone(struct disturber *d) {
    d->random = d->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    unsigned first = (unsigned)(d->random >> 58);
    for (unsigned i = 0; i < MOST_DISTURBED; i++) {
        unsigned index = (first + i) % MOST_DISTURBED;
        if (d->present[index]) {
            (void)pthread_kill(d->target[index], SIGUSR1);
            return;
        }
    }
}

static void *disturb(void *argument) {
    struct disturber *d = argument;
    const struct timespec pause = {.tv_sec = d->pause / 1000000,
                                   .tv_nsec = (long)(d->pause % 1000000) * 1000};
    for (bool stop = false; !stop;) {
        (void)nanosleep(&pause, NULL);
        (void)pthread_mutex_lock(&d->mutex);
        stop = d->stop;
        if (!stop) {
            signal_someone(d);
        }
        (void)pthread_mutex_unlock(&d->mutex);
    }
    return NULL;
}

void disturber_start(struct disturber *d, unsigned pause, uint64_t seed) {
    *d = (struct disturber){.pause = pause, .random = seed};
    (void)pthread_mutex_init(&d->mutex, NULL);
    if (pause > 0) {
        struct sigaction action = {.sa_handler = sleep_a_moment, .sa_flags = SA_RESTART};
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(SIGUSR1, &action, NULL);
        d->runs = pthread_create(&d->helper, NULL, disturb, d) == 0;
    }
}

void disturber_stop(struct disturber *d) {
    (void)pthread_mutex_lock(&d->mutex);
    d->stop = true;
    (void)pthread_mutex_unlock(&d->mutex);
    if (d->runs) {
        (void)pthread_join(d->helper, NULL);
    }
    (void)pthread_mutex_destroy(&d->mutex);
}

static void set_presence(struct disturber *d, unsigned index, bool present) {
    (void)pthread_mutex_lock(&d->mutex);
    d->target[index] = pthread_self();
    d->present[index] = present;
    (void)pthread_mutex_unlock(&d->mutex);
}

void disturb_me(struct disturber *d, unsigned index) {
    set_presence(d, index, true);
}

void leave_me_alone(struct disturber *d, unsigned index) {
    set_presence(d, index, false);
}
