/*
 * Histories recorded from the library, with one result flipped. What each flip is, an error or
 * another possible answer, is known without the checker: the inserts and removes that answered OK
 * leave exactly as many copies as were counted in the end, and a small window can be tried out in
 * all orders.
 */
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <string.h>

#include "files.h"
#include "mix.h"
#include "naive.h"
#include "partition.h"

enum { THREADS = 4, OPERATIONS = 20000, FLIPS = 4000 };

static int change_of(const struct operation *o) {
    return !changes(o) ? 0 : o->call == CALL_REMOVE ? -1 : 1;
}

struct window {
    size_t begin;
    size_t end;
    unsigned before; /* copies */
    unsigned after;
};

/* The window between two quiescent moments that operation `at` of an element's belongs to. Copies
 * between windows are known: they follow from what answered OK. */
static struct window window_of(const struct operation *o, size_t n, size_t at) {
    struct window w = {0};
    uint64_t last_return = 0;
    int copies = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i == n || i == 0 || o[i].called > last_return) {
            w.end = i;
            w.after = (unsigned)copies;
            if (i > at) {
                break;
            }
            w.begin = i;
            w.before = (unsigned)copies;
        }
        copies += change_of(&o[i]);
        last_return = o[i].returned > last_return ? o[i].returned : last_return;
    }
    return w;
}

static uint8_t flipped(const struct operation *o, unsigned capacity, uint64_t random) {
    switch (o->call) {
    case CALL_CONTAINS:
        return !o->result;
    case CALL_COUNT:
        return (uint8_t)((o->result + 1 + random % capacity) % (capacity + 1));
    case CALL_REMOVE:
        return o->result == GUIRA_OK ? GUIRA_NOT_FOUND : GUIRA_OK;
    default: {
        const uint8_t results[3] = {GUIRA_OK, GUIRA_FULL,
                                    o->call == CALL_INSERT ? GUIRA_LIMIT : GUIRA_EXISTS};
        uint8_t result = results[random % 3];
        return result != o->result ? result : results[(random + 1) % 3];
    }
    }
}

enum truth { WRONG, RIGHT, UNKNOWN };

/* What the history with operation `at` flipped is; o[at] is flipped already. */
static enum truth truth_of(const struct operation *o, const struct window *w, int old_change,
                           size_t at, unsigned capacity) {
    if (change_of(&o[at]) != old_change) {
        return WRONG; /* it no longer adds up to the final count */
    }
    if (w->end - w->begin > MOST_NAIVE - 1 || w->before > 63 || w->after > 63) {
        return UNKNOWN;
    }
    uint64_t finals = naive_check(&o[w->begin], w->end - w->begin, capacity,
                                  UINT64_C(1) << w->before, UINT64_MAX);
    return (finals >> w->after & 1) != 0 ? RIGHT : WRONG;
}

static struct history record(struct mix *mix, struct checker *checker) {
    mix_record(mix, OPERATIONS);
    struct history h = {.elements = mix->keys.keys, .operations = mix_recorded(mix)};
    h.element = allocate(h.elements, sizeof *h.element);
    for (size_t i = 0; i < h.elements; i++) {
        h.element[i] = (struct element_state){i, mix->capacity, 1};
    }
    h.operation = allocate(h.operations, sizeof *h.operation);
    EXPECT(mix_collect(mix, 0, h.operation) == h.operations, "operations are missing");
    struct findings f = history_check(&h, checker);
    EXPECT(f.violated == 0 && f.undecided == 0, "the library is wrong, or the checker");
    return h;
}

static void flip_some(struct checker *checker, const struct history *h, unsigned capacity,
                      uint64_t seed) {
    unsigned said[3] = {0};
    uint64_t state = seed;
    for (unsigned flips = 0; flips < FLIPS; flips++) {
        size_t chosen = test_random(&state) % h->operations;
        size_t begin = chosen;
        size_t end = chosen;
        uint32_t element = h->operation[chosen].element;
        while (begin > 0 && h->operation[begin - 1].element == element) {
            begin--;
        }
        while (end < h->operations && h->operation[end].element == element) {
            end++;
        }
        struct operation *o = &h->operation[begin];
        size_t at = chosen - begin;
        struct window w = window_of(o, end - begin, at);
        uint8_t old = o[at].result;
        int old_change = change_of(&o[at]);
        o[at].result = flipped(&o[at], capacity, test_random(&state));
        enum truth truth = truth_of(o, &w, old_change, at, capacity);
        struct judgement j = checker_judge(checker, o, end - begin, capacity, 1, NULL);
        said[truth]++;
        EXPECT(truth == UNKNOWN || (truth == RIGHT) == (j.verdict == LINEARIZABLE),
               "%s %s, flipped from %u, in a window of %zu: verdict %d", call_name(o[at].call),
               result_name(o[at].call, o[at].result), old, w.end - w.begin, (int)j.verdict);
        o[at].result = old;
    }
    EXPECT(said[WRONG] > FLIPS / 4, "only %u flips were wrong", said[WRONG]);
    (void)printf("%d flipped results: %u wrong, %u possible, %u in windows too large to know\n",
                 FLIPS, said[WRONG], said[RIGHT], said[UNKNOWN]);
}

void test_flipped_results(struct checker *checker, uint64_t seed) {
    static struct team team;
    struct guira_options options = {
        .buckets = 64, .tag_bits = 16, .window = 2, .stripes = 4, .seed = seed};
    memset(&team, 0, sizeof team);
    team.scenario = "flips";
    team.table = "256 slots";
    team.threads = THREADS;
    team.seed = seed;
    EXPECT(guira_create(&options, &team.filter) == GUIRA_OK, "create");
    struct mix mix = mix_create(&team, 4, 0.8, OPERATIONS);
    mix.calls_per_batch = 32;
    struct history h = record(&mix, checker);
    flip_some(checker, &h, mix.capacity, seed);
    history_free(&h);
    mix_destroy(&mix);
    guira_destroy(team.filter);
    EXPECT(atomic_load(&team.violations) == 0, "violations");
}
