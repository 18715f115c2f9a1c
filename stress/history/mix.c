#define _POSIX_C_SOURCE 200809L

#include "mix.h"

#include "checker.h"

#include <stdlib.h>

/* What a thread knows of what it did. */
struct writer {
    _Alignas(128) double entries; /* inserts less removes, all rounds together */
    bool refused;                 /* the last insert found no room: remove something first */
};

enum {
    CALLS_BETWEEN_SIGNS_OF_LIFE = 64,
    PHASE_BITS = 9,
    LEAST_KEYS = 8,
    MOST_IN_ONE_BATCH = 64, /* half of them long enough for every way that look-ups have */
    MOST_EQUAL = 4          /* operations on one element in a batch */
};

struct mix mix_create(struct team *team, uint64_t hot, double load, uint64_t round) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    uint64_t slots =
        info.slots << (info.sizing.doublings - info.sizing.doubled); /* when it has grown */
    struct mix m = {.team = team,
                    .keys = oracle_create(team->filter, slots + LEAST_KEYS, team->seed),
                    .capacity = 2 * info.sizing.window,
                    .entries = load * (double)slots / team->threads,
                    .recorder = recorder_create(team->threads, round / team->threads + 1)};
    m.hot = hot < m.keys.keys ? hot : m.keys.keys;
    m.counts = recorder_create(1, m.keys.keys);
    m.counts.log[0].thread = (uint16_t)team->threads;
    m.writer = aligned_alloc(_Alignof(struct writer), team->threads * sizeof *m.writer);
    if (m.writer == NULL) {
        m.writer = allocate(SIZE_MAX, 1); /* reports that there is no memory */
    }
    for (unsigned i = 0; i < team->threads; i++) {
        m.writer[i] = (struct writer){0};
    }
    return m;
}

void mix_destroy(struct mix *m) {
    recorder_destroy(&m->recorder);
    recorder_destroy(&m->counts);
    free(m->writer);
    oracle_destroy(&m->keys);
}

static void take_note(struct writer *writer, enum call call, uint8_t result) {
    if (call == CALL_INSERT || call == CALL_INSERT_UNIQUE) {
        writer->entries += result == GUIRA_OK;
        writer->refused = result == GUIRA_FULL;
    } else if (call == CALL_REMOVE && result == GUIRA_OK) {
        writer->entries -= 1;
        writer->refused = false;
    }
}

static uint64_t hot_element(const struct mix *m, uint64_t number) {
    return number * (m->keys.keys / m->hot);
}

/* All calls; for a while more inserts than removes, then more removes, for each element in turn. */
static enum call call_for_hot(const struct log *log, uint64_t number, uint64_t random) {
    uint64_t inserts_of_four = 1 + ((log->used >> PHASE_BITS) + number) % 3;
    switch (random % 8) {
    case 0:
    case 1:
        return CALL_CONTAINS;
    case 2:
        return CALL_COUNT;
    case 3:
        return CALL_INSERT_UNIQUE;
    default:
        return (random >> 3) % 4 < inserts_of_four ? CALL_INSERT : CALL_REMOVE;
    }
}

static enum call call_for_any(const struct mix *m, const struct writer *writer, uint64_t random) {
    return random % 8 == 0                                    ? CALL_CONTAINS
           : writer->entries < m->entries && !writer->refused ? CALL_INSERT
                                                              : CALL_REMOVE;
}

static bool is_for_hot(uint64_t random) {
    return random >> 63 == 0;
}

static void make_call(struct mix *m, struct writer *writer, struct log *log, uint64_t random) {
    bool hot = is_for_hot(random);
    uint64_t number = (random >> 32) % (hot ? m->hot : m->keys.keys);
    uint64_t element = hot ? hot_element(m, number) : number;
    enum call call = hot ? call_for_hot(log, number, random) : call_for_any(m, writer, random);
    uint8_t result =
        recorded_call(log, m->team->filter, call, m->keys.key[element].hash, (uint32_t)element);
    take_note(writer, call, result);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/*
 * A batch, half of them look-ups, which have code of their own: on the hot elements in turn, so the
 * same several times, or on different ones all over the table. All its operations are pending
 * together, so an element is in it no oftener than the checker can bear if all threads do the same.
 */
static void make_batch(struct mix *m, struct writer *writer, struct log *log, uint64_t random) {
    bool hot = is_for_hot(random);
    uint64_t equal = smaller(MOST_EQUAL, MOST_PENDING / m->team->threads);
    uint64_t size = smaller(1 + (random >> 16) % MOST_IN_ONE_BATCH, log->room - log->used);
    size = smaller(size, hot ? m->hot * equal : m->keys.keys);
    uint64_t number = (random >> 32) % (hot ? m->hot : m->keys.keys);
    enum call call = (random >> 8) % 2 == 0 ? CALL_CONTAINS
                     : hot                  ? call_for_hot(log, number, random)
                                            : call_for_any(m, writer, random);
    uint64_t hash[MOST_IN_ONE_BATCH] = {0};
    uint32_t element[MOST_IN_ONE_BATCH] = {0};
    for (uint64_t i = 0; i < size; i++) {
        uint64_t chosen = hot ? hot_element(m, (number + i) % m->hot)
                              : (number + i * (m->keys.keys / size)) % m->keys.keys;
        element[i] = (uint32_t)chosen;
        hash[i] = m->keys.key[chosen].hash;
    }
    const struct operation *made = &log->operation[log->used];
    recorded_batch(log, m->team->filter, call, hash, element, size);
    for (uint64_t i = 0; i < size; i++) {
        take_note(writer, call, made[i].result);
    }
}

static void make_calls(struct worker *w) {
    struct mix *m = w->team->context;
    struct log *log = &m->recorder.log[w->index];
    struct writer *writer = &m->writer[w->index];
    struct worker dice = {.random = w->random}; /* on a cache line of its own */
    disturb_me(&m->disturber, w->index);
    uint64_t calls = 0;
    while (!log_is_full(log) &&
           (calls++ % CALLS_BETWEEN_SIGNS_OF_LIFE != 0 || go_on(w, "making recorded calls"))) {
        uint64_t random = next_random(&dice);
        if (m->calls_per_batch != 0 && (random >> 48) % m->calls_per_batch == 0) {
            make_batch(m, writer, log, random);
        } else {
            make_call(m, writer, log, random);
        }
    }
    leave_me_alone(&m->disturber, w->index);
}

static void check_quiet_table(struct mix *m) {
    struct guira *filter = m->team->filter;
    uint64_t total = 0;
    for (uint64_t i = 0; i < m->keys.keys; i++) {
        total +=
            recorded_call(&m->counts.log[0], filter, CALL_COUNT, m->keys.key[i].hash, (uint32_t)i);
    }
    unsigned broken = 0;
    REQUIRE(m->team, guira_check(filter, &broken) == GUIRA_OK, "invariant %u is broken", broken);
    REQUIRE(m->team, guira_size(filter) == total, "size is %llu, the counts' sum %llu",
            (unsigned long long)guira_size(filter), (unsigned long long)total);
}

void mix_record(struct mix *m, uint64_t operations) {
    struct team *team = m->team;
    team->context = m;
    uint64_t seed = team->seed;
    team->seed += m->rounds++ * UINT64_C(0x632be59bd9b4e019);
    for (unsigned i = 0; i < team->threads; i++) {
        m->recorder.log[i].room = operations / team->threads + (i < operations % team->threads);
    }
    disturber_start(&m->disturber, m->disturbance, team->seed);
    if (team->seconds > 0) {
        team_run(team, make_calls);
    } else {
        team_run_to_end(team, make_calls);
    }
    disturber_stop(&m->disturber);
    team->seed = seed;
    check_quiet_table(m);
}

size_t mix_recorded(const struct mix *m) {
    size_t recorded = m->counts.log[0].used;
    for (unsigned i = 0; i < m->recorder.logs; i++) {
        recorded += m->recorder.log[i].used;
    }
    return recorded;
}

uint64_t mix_in_batches(const struct mix *m) {
    uint64_t in_batches = 0;
    for (unsigned i = 0; i < m->recorder.logs; i++) {
        in_batches += m->recorder.log[i].in_batches;
    }
    return in_batches;
}

size_t mix_collect(struct mix *m, uint64_t skew, struct operation *out) {
    size_t collected = recorder_collect(&m->recorder, skew, out);
    return collected + recorder_collect(&m->counts, skew, out + collected);
}
