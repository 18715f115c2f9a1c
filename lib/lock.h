/*
 * A stripe's lock: a ConcurrencyKit spinlock that waits politely.
 *
 * A thread tries; if that fails it pauses some hundred times, then gives its processor away, then
 * naps, trying in between. With more threads than processors a plain spinlock spends the time of a
 * descheduled holder spinning.
 *
 * ConcurrencyKit is inline assembly, which ThreadSanitizer cannot see; the annotations here tell it
 * what the lock does. Edge E4 of docs/memory-model.md is this lock: what was written before an
 * unlock is seen after the next lock.
 */
#ifndef GUIRA_LIB_LOCK_H
#define GUIRA_LIB_LOCK_H

#include <stdbool.h>

#include <ck_spinlock.h>

#if defined(__SANITIZE_THREAD__)
#define GUIRA_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GUIRA_TSAN 1
#endif
#endif

#ifdef GUIRA_TSAN
#include <sanitizer/tsan_interface.h>
#define ANNOTATE(call) __tsan_mutex_##call
#else
#define ANNOTATE(call) ((void)0)
#endif

struct lock {
    ck_spinlock_t spin;
};

/* Waits until the lock is taken; the part of lock_take that is not in a hurry. */
void guira__lock_wait(struct lock *lock);

/* Lose some time after another thread was first: pauses that double with each attempt, from the
 * fifth on the processor. */
void guira__back_off(unsigned attempt);

static inline void lock_init(struct lock *lock) {
    ck_spinlock_init(&lock->spin);
    ANNOTATE(create(lock, __tsan_mutex_not_static));
}

static inline void lock_end(struct lock *lock) {
    (void)lock;
    ANNOTATE(destroy(lock, __tsan_mutex_not_static));
}

/*
 * The next two say whether they had to wait.
 *
 * For taking every lock there is: ThreadSanitizer's deadlock detector breaks down past 64 held
 * locks, so these go unannounced. All that the locks guard is atomic, so no race can be reported
 * for want of them.
 */
static inline bool lock_take_unannounced(struct lock *lock) {
    if (ck_spinlock_trylock(&lock->spin)) {
        return false;
    }
    guira__lock_wait(lock);
    return true;
}

static inline void lock_release_unannounced(struct lock *lock) {
    ck_spinlock_unlock(&lock->spin);
}

static inline bool lock_take(struct lock *lock) {
    ANNOTATE(pre_lock(lock, 0));
    bool waited = lock_take_unannounced(lock);
    ANNOTATE(post_lock(lock, 0, 0));
    return waited;
}

static inline void lock_release(struct lock *lock) {
    ANNOTATE(pre_unlock(lock, 0));
    lock_release_unannounced(lock);
    ANNOTATE(post_unlock(lock, 0));
}

#endif
