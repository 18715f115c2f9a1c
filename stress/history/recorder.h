/*
 * Recording: each thread has a log of its own, allocated and touched before the run, so a recorded
 * call costs two readings of the clock and one store to memory that no other thread uses. Nothing
 * is shared, so recording adds no order between threads that the library would profit from. Why the
 * intervals are sound: clock.h.
 */
#ifndef GUIRA_STRESS_HISTORY_RECORDER_H
#define GUIRA_STRESS_HISTORY_RECORDER_H

#include <guira/guira.h>

#include "history.h"

struct log {
    _Alignas(128) struct operation *operation; /* a log shares no cache line with another */
    size_t used;
    size_t room;
    uint64_t in_batches; /* of all operations ever recorded */
    uint16_t thread;
};

struct recorder {
    struct log *log;
    unsigned logs;
};

struct recorder recorder_create(unsigned threads, size_t operations_each);
void recorder_destroy(struct recorder *recorder);

/* Forget everything that was recorded. */
void recorder_restart(struct recorder *recorder);

static inline bool log_is_full(const struct log *log) {
    return log->used == log->room;
}

/* Make one call and record it; the log must not be full. The answer. */
uint8_t recorded_call(struct log *log, struct guira *filter, enum call call, uint64_t hash,
                      uint32_t element);

/*
 * Make a batch of `size` calls, at most MOST_IN_BATCH, and record each as an operation of its own,
 * in their order; the log must have room for them. The interval of each is that of the whole batch,
 * which is sound: each takes effect at an instant of its own inside the call, so inside that
 * interval. That they take effect in their order is not recorded.
 */
void recorded_batch(struct log *log, struct guira *filter, enum call call, const uint64_t *hash,
                    const uint32_t *element, size_t size);

/* Move all that was recorded to `out`, which has room for it, widening each interval by `skew`
 * nanoseconds on either side. How many operations that were. */
size_t recorder_collect(struct recorder *recorder, uint64_t skew, struct operation *out);

#endif
