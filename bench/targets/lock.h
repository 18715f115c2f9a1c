/*
 * A lock of a kind that is known when the code is compiled: what a user would put around a filter
 * that is not made for threads.
 */
#ifndef GUIRA_BENCH_LOCK_H
#define GUIRA_BENCH_LOCK_H

#include <pthread.h>

enum lock_kind { NO_LOCK, MUTEX, READ_WRITE_LOCK };

struct lock {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
};

static inline void lock_make(struct lock *lock) {
    (void)pthread_mutex_init(&lock->mutex, NULL);
    (void)pthread_rwlock_init(&lock->rwlock, NULL);
}

static inline void lock_end(struct lock *lock) {
    (void)pthread_mutex_destroy(&lock->mutex);
    (void)pthread_rwlock_destroy(&lock->rwlock);
}

static inline void lock_for_reading(struct lock *lock, enum lock_kind kind) {
    if (kind == MUTEX) {
        (void)pthread_mutex_lock(&lock->mutex);
    } else if (kind == READ_WRITE_LOCK) {
        (void)pthread_rwlock_rdlock(&lock->rwlock);
    }
}

static inline void lock_for_writing(struct lock *lock, enum lock_kind kind) {
    if (kind == MUTEX) {
        (void)pthread_mutex_lock(&lock->mutex);
    } else if (kind == READ_WRITE_LOCK) {
        (void)pthread_rwlock_wrlock(&lock->rwlock);
    }
}

static inline void lock_release(struct lock *lock, enum lock_kind kind) {
    if (kind == MUTEX) {
        (void)pthread_mutex_unlock(&lock->mutex);
    } else if (kind == READ_WRITE_LOCK) {
        (void)pthread_rwlock_unlock(&lock->rwlock);
    }
}

#endif
