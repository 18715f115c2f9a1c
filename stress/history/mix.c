#define _POSIX_C_SOURCE 200809L

#include "mix.h"

#include <stdlib.h>

/* What a thread knows of what it did. */
struct writer {
    _Alignas(128) double entries; /* inserts less removes, all rounds together */
    bool refused;                 /* the last insert found no room: remove something first */
};

enum { CALLS_BETWEEN_SIGNS_OF_LIFE = 64, PHASE_BITS = 9, LEAST_KEYS = 8 };

struct mix mix_create(struct team *team, uint64_t hot, double load, uint64_t round) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    struct mix m = {.team = team,
                    .keys = oracle_create(team->filter, info.slots + LEAST_KEYS, team->seed),
                    .capacity = 2 * info.sizing.window,
                    .entries = load * (double)info.slots / team->threads,
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

static void call_on(struct mix *m, struct writer *writer, struct log *log, enum call call,
                    uint64_t element) {
    uint8_t result =
        recorded_call(log, m->team->filter, call, m->keys.key[element].hash, (uint32_t)element);
    if (call == CALL_INSERT || call == CALL_INSERT_UNIQUE) {
        writer->entries += result == GUIRA_OK;
        writer->refused = result == GUIRA_FULL;
    } else if (call == CALL_REMOVE && result == GUIRA_OK) {
        writer->entries -= 1;
        writer->refused = false;
    }
}

/* All calls; for a while more inserts than removes, then more removes, for each element in turn. */
static void call_on_hot(struct mix *m, struct writer *writer, struct log *log, uint64_t random) {
    uint64_t number = (random >> 32) % m->hot;
    uint64_t element = number * (m->keys.keys / m->hot);
    uint64_t inserts_of_four = 1 + ((log->used >> PHASE_BITS) + number) % 3;
    enum call call = CALL_CONTAINS;
    switch (random % 8) {
    case 0:
    case 1:
        break;
    case 2:
        call = CALL_COUNT;
        break;
    case 3:
        call = CALL_INSERT_UNIQUE;
        break;
    default:
        call = (random >> 3) % 4 < inserts_of_four ? CALL_INSERT : CALL_REMOVE;
    }
    call_on(m, writer, log, call, element);
}

static void call_on_any(struct mix *m, struct writer *writer, struct log *log, uint64_t random) {
    uint64_t element = (random >> 32) % m->keys.keys;
    enum call call = random % 8 == 0                                    ? CALL_CONTAINS
                     : writer->entries < m->entries && !writer->refused ? CALL_INSERT
                                                                        : CALL_REMOVE;
    call_on(m, writer, log, call, element);
}

static void make_calls(struct worker *w) {
    struct mix *m = w->team->context;
    struct log *log = &m->recorder.log[w->index];
    struct writer *writer = &m->writer[w->index];
    struct worker dice = {.random = w->random}; /* on a cache line of its own */
    disturb_me(&m->disturber, w->index);
    while (!log_is_full(log) &&
           (log->used % CALLS_BETWEEN_SIGNS_OF_LIFE != 0 || go_on(w, "making recorded calls"))) {
        uint64_t random = next_random(&dice);
        if (random >> 63 == 0) {
            call_on_hot(m, writer, log, random);
        } else {
            call_on_any(m, writer, log, random);
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

size_t mix_collect(struct mix *m, uint64_t skew, struct operation *out) {
    size_t collected = recorder_collect(&m->recorder, skew, out);
    return collected + recorder_collect(&m->counts, skew, out + collected);
}
