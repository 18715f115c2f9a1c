/*
 * Programs that ThreadSanitizer must judge rightly, or its silence about the library means nothing:
 *
 *     locked           two threads change a plain variable under a stripe's lock: no report
 *     lock-left-out    one of them forgets the lock: a data race
 *     inversion        two stripes are locked in both orders: a lock inversion
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "lock.h"

enum { ROUNDS = 1000 };

static struct lock first;
static struct lock second;
static long shared;
static const char *mode;

static void change(bool locked) {
    if (locked) {
        (void)lock_take(&first);
    }
    shared++;
    if (locked) {
        lock_release(&first);
    }
}

static void *other_thread(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        change(strcmp(mode, "lock-left-out") != 0);
    }
    return NULL;
}

static void lock_in_order(struct lock *a, struct lock *b) {
    (void)lock_take(a);
    (void)lock_take(b);
    lock_release(b);
    lock_release(a);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        return 2;
    }
    mode = argv[1];
    lock_init(&first);
    lock_init(&second);
    if (strcmp(mode, "inversion") == 0) {
        lock_in_order(&first, &second);
        lock_in_order(&second, &first);
        return 0;
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, other_thread, NULL) != 0) {
        return 2;
    }
    for (int i = 0; i < ROUNDS; i++) {
        change(true);
    }
    (void)pthread_join(thread, NULL);
    (void)printf("%ld\n", shared);
    return 0;
}
