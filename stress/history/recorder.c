#define _POSIX_C_SOURCE 200809L

#include "recorder.h"

#include "../calls.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>

struct recorder recorder_create(unsigned threads, size_t operations_each) {
    struct recorder r = {aligned_alloc(_Alignof(struct log), threads * sizeof(struct log)),
                         threads};
    if (r.log == NULL) {
        r.log = allocate(SIZE_MAX, 1); /* reports that there is no memory */
    }
    for (unsigned i = 0; i < threads; i++) {
        r.log[i] = (struct log){.operation = allocate(operations_each, sizeof(struct operation)),
                                .room = operations_each,
                                .thread = (uint16_t)i};
        memset(r.log[i].operation, 0xff, operations_each * sizeof(struct operation));
    }
    return r;
}

void recorder_destroy(struct recorder *recorder) {
    for (unsigned i = 0; i < recorder->logs; i++) {
        free(recorder->log[i].operation);
    }
    free(recorder->log);
}

void recorder_restart(struct recorder *recorder) {
    for (unsigned i = 0; i < recorder->logs; i++) {
        recorder->log[i].used = 0;
    }
}

uint8_t recorded_call(struct log *log, struct guira *filter, enum call call, uint64_t hash,
                      uint32_t element) {
    uint64_t called = clock_before_call();
    uint8_t result = (uint8_t)call_one(filter, call, hash);
    uint64_t returned = clock_after_call();
    log->operation[log->used++] = (struct operation){.called = called,
                                                     .returned = returned,
                                                     .element = element,
                                                     .thread = log->thread,
                                                     .call = (uint8_t)call,
                                                     .result = result};
    return result;
}

void recorded_batch(struct log *log, struct guira *filter, enum call call, const uint64_t *hash,
                    const uint32_t *element, size_t size) {
    union answers answers = {.copies = {0}}; /* all bytes */
    struct guira_keys keys = guira_keys_uniform(hash, size);
    struct operation o = {.thread = log->thread, .call = (uint8_t)call};
    o.called = clock_before_call();
    (void)call_many(filter, call, keys, &answers);
    o.returned = clock_after_call();
    for (size_t i = 0; i < size; i++) {
        o.element = element[i];
        o.result = (uint8_t)answer_of(&answers, call, i);
        log->operation[log->used++] = o;
    }
    log->in_batches += size;
}

size_t recorder_collect(struct recorder *recorder, uint64_t skew, struct operation *out) {
    size_t collected = 0;
    for (unsigned i = 0; i < recorder->logs; i++) {
        struct log *log = &recorder->log[i];
        for (size_t j = 0; j < log->used; j++) {
            struct operation o = log->operation[j];
            o.called -= o.called < skew ? o.called : skew;
            o.returned += skew;
            out[collected++] = o;
        }
        log->used = 0;
    }
    return collected;
}
