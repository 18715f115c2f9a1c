/*
 * The fast checker says what trying out all orders says.
 */
#include "test.h"

#include "naive.h"

enum { MOST_OPERATIONS = 8, MOST_TIME = 14 };

static uint8_t random_result(unsigned call, unsigned capacity, uint64_t random) {
    static const uint8_t insert[] = {GUIRA_OK, GUIRA_OK, GUIRA_FULL, GUIRA_LIMIT};
    static const uint8_t unique[] = {GUIRA_OK, GUIRA_OK, GUIRA_FULL, GUIRA_EXISTS};
    static const uint8_t removal[] = {GUIRA_OK, GUIRA_OK, GUIRA_OK, GUIRA_NOT_FOUND};
    switch (call) {
    case CALL_CONTAINS:
        return random % 2;
    case CALL_COUNT:
        return (uint8_t)(random % (capacity + 1));
    case CALL_REMOVE:
        return removal[random % 4];
    default:
        return call == CALL_INSERT ? insert[random % 4] : unique[random % 4];
    }
}

/* Any results at all: mostly contradictions. */
static void make_wild(struct operation *o, unsigned capacity, uint64_t *state) {
    o->called = test_random(state) % MOST_TIME;
    o->returned = o->called + test_random(state) % (MOST_TIME - o->called);
    o->call = (uint8_t)(test_random(state) % CALLS);
    o->result = random_result(o->call, capacity, test_random(state));
    o->thread = (uint16_t)(test_random(state) % 4);
}

/* Results as one copy after the other would have it, at an instant inside a random interval. */
static unsigned make_true(struct operation *o, uint64_t instant, unsigned capacity, unsigned copies,
                          uint64_t *state) {
    make_wild(o, capacity, state);
    o->called = instant - (instant > 0 ? test_random(state) % instant : 0) / 2;
    o->returned = instant + test_random(state) % MOST_TIME / 2;
    while (specified(o, (int)copies, (int)capacity) == IMPOSSIBLE) {
        o->result = random_result(o->call, capacity, test_random(state));
    }
    return (unsigned)specified(o, (int)copies, (int)capacity);
}

static size_t make_history(struct operation *operation, unsigned capacity, uint64_t *possible,
                           uint64_t *state) {
    size_t operations = 1 + test_random(state) % MOST_OPERATIONS;
    uint64_t kind = test_random(state) % 4;
    unsigned copies = (unsigned)(test_random(state) % (capacity + 1));
    *possible = UINT64_C(1) << copies;
    if (test_random(state) % 4 == 0) {
        *possible |= test_random(state) & ((UINT64_C(2) << capacity) - 1);
    }
    for (size_t i = 0; i < operations; i++) {
        operation[i] = (struct operation){0};
        if (kind == 0) {
            make_wild(&operation[i], capacity, state);
        } else {
            copies = make_true(&operation[i], 2 * i, capacity, copies, state);
        }
    }
    if (kind == 1) { /* one lie */
        struct operation *o = &operation[test_random(state) % operations];
        o->result = random_result(o->call, capacity, test_random(state));
    }
    qsort(operation, operations, sizeof *operation, by_call_time);
    return operations;
}

/* The culprit's return is the first that nothing explains. */
static void expect_smallest_prefix(const struct operation *o, size_t n, unsigned capacity,
                                   uint64_t possible, const struct judgement *j) {
    uint64_t end = o[j->culprit].returned;
    EXPECT(naive_check(o, n, capacity, possible, end) == 0, "the prefix does not fail");
    for (size_t i = 0; i < n; i++) {
        EXPECT(o[i].returned >= end || naive_check(o, n, capacity, possible, o[i].returned) != 0,
               "a smaller prefix fails");
        EXPECT((i < j->called) == (o[i].called <= end), "the wrong operations belong to it");
    }
}

void test_against_naive_checker(struct checker *checker, uint64_t seed, unsigned histories) {
    struct operation operation[MOST_NAIVE];
    uint64_t state = seed;
    unsigned right = 0;
    for (unsigned i = 0; i < histories; i++) {
        unsigned capacity = 1 + (unsigned)(test_random(&state) % 3);
        uint64_t possible;
        size_t n = make_history(operation, capacity, &possible, &state);
        struct judgement j = checker_judge(checker, operation, n, capacity, possible, NULL);
        uint64_t finals = naive_check(operation, n, capacity, possible, UINT64_MAX);
        EXPECT(j.verdict == (finals != 0 ? LINEARIZABLE : VIOLATED), "history %u: verdict %d", i,
               (int)j.verdict);
        if (finals != 0) {
            right++;
            EXPECT(j.possible == finals, "history %u: possible in the end %llx, not %llx", i,
                   (unsigned long long)j.possible, (unsigned long long)finals);
        } else {
            expect_smallest_prefix(operation, n, capacity, possible, &j);
        }
    }
    EXPECT(histories < 1000 || (right > histories / 5 && right < histories / 5 * 4),
           "too one-sided: %u of %u linearizable", right, histories);
    (void)printf("%u random histories, %u linearizable, as the naive checker says\n", histories,
                 right);
}

/* What would be 2^60 sets without the reductions. */
void test_many_pending_operations(struct checker *checker) {
    struct operation o[MOST_PENDING + 2] = {0};
    size_t n = 0;
    for (; n < 60; n++) {
        o[n] = (struct operation){.called = n, .returned = 1000 - n, .thread = (uint16_t)n};
        o[n].call = n % 3 == 2 ? CALL_REMOVE : n % 3 == 1 ? CALL_INSERT_UNIQUE : CALL_INSERT;
        o[n].result = GUIRA_OK;
    }
    /* 20 inserts, 20 unique ones and 20 removes. */
    o[n++] = (struct operation){.called = 2000, .returned = 2001, .call = CALL_COUNT, .result = 20};
    struct judgement j = checker_judge(checker, o, n, 32, 1, NULL);
    EXPECT(j.verdict == LINEARIZABLE && j.possible == 1 << 20, "verdict %d", (int)j.verdict);
    EXPECT(j.most_configurations < 100000, "%zu configurations", j.most_configurations);
    o[n - 1].result = 19;
    j = checker_judge(checker, o, n, 32, 1, NULL);
    EXPECT(j.verdict == VIOLATED && j.culprit == n - 1, "verdict %d", (int)j.verdict);

    for (n = 0; n < MOST_PENDING + 1; n++) {
        o[n] = (struct operation){.called = n, .returned = 1000, .thread = (uint16_t)n};
    }
    j = checker_judge(checker, o, n, 4, 1, NULL);
    EXPECT(j.verdict == UNDECIDED, "verdict %d", (int)j.verdict);
    (void)printf("60 operations pending at once\n");
}
