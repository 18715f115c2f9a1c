/*
 * One thread inserts and removes keys, another looks them up, with no more order between them than
 * the filter gives. Built twice:
 *
 *     tsan_readers          with the library as it is: no report
 *     tsan_readers_plain    with plain words for its atomic objects: a data race
 *
 * They take turns, by a flag that orders nothing, as a race is a matter of order, not of time; and
 * ThreadSanitizer reports one only while it remembers the stacks of both accesses.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "guira/guira.h"

enum { KEYS = 64, ROUNDS = 20 };

enum side { WRITER, READER };

static struct guira *filter;
static atomic_int turn;

static void await_turn(enum side side) {
    while (atomic_load_explicit(&turn, memory_order_relaxed) != (int)side) {
        struct timespec nap = {.tv_nsec = 50000};
        (void)nanosleep(&nap, NULL);
    }
}

static void give_turn(enum side side) {
    atomic_store_explicit(&turn, (int)side, memory_order_relaxed);
}

static void *write_keys(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        await_turn(WRITER);
        for (uint64_t key = 0; key < KEYS; key++) {
            (void)(round % 2 == 0 ? guira_insert_u64(filter, key) : guira_remove_u64(filter, key));
        }
        give_turn(READER);
    }
    return NULL;
}

static unsigned read_keys(void) {
    unsigned found = 0;
    for (int round = 0; round < ROUNDS; round++) {
        await_turn(READER);
        for (uint64_t key = 0; key < KEYS; key++) {
            found += guira_contains_u64(filter, key);
        }
        give_turn(WRITER);
    }
    return found;
}

int main(void) {
    struct guira_options options = {.buckets = 16, .tag_bits = 12, .window = 2, .seed = 1};
    pthread_t writer;
    if (guira_create(&options, &filter) != GUIRA_OK ||
        pthread_create(&writer, NULL, write_keys, NULL) != 0) {
        return 2;
    }
    unsigned found = read_keys();
    (void)pthread_join(writer, NULL);
    (void)printf("%u found\n", found);
    guira_destroy(filter);
    return 0;
}
