/*
 * Every program of a kind: threads that each do one or two of a dozen things with two elements.
 *
 *     X at home in bucket 0, away in bucket 1; Y the other way round; a stripe for each bucket
 *
 * Or, of a filter that grows from two buckets to four, of eight things with one element.
 */
#include "growing.h"
#include "operations.h"
#include "programs.h"

enum { STARTS = 3, ACTIONS = 12, PAIRS = ACTIONS * ACTIONS, MAX_ACTIONS = 2 };

static struct {
    uint32_t start;
    uint32_t action[MAX_THREADS][MAX_ACTIONS];
    uint32_t actions[MAX_THREADS];
} now;

static void prepare(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 1, 0);
    if (now.start == 1) {
        table_put(m, X, HOME, 0);
    } else if (now.start == 2) {
        table_put(m, X, AWAY, 0);
        table_put(m, Y, HOME, 1);
    }
}

static void act(uint32_t action) {
    uint8_t element = action % 2 == 0 ? X : Y;
    switch (action / 2) {
    case 0:
        contains(element);
        break;
    case 1:
        remove_any(element);
        break;
    case 2:
        insert(element, HOME);
        break;
    case 3:
        insert(element, AWAY);
        break;
    case 4:
        move_any(element, HOME);
        break;
    default:
        move_any(element, AWAY);
        break;
    }
}

static void body(uint32_t thread) {
    for (uint32_t i = 0; i < now.actions[thread]; i++) {
        act(now.action[thread][i]);
    }
}

/* Cut a member's number into digits: the start, then each thread's actions. */
static void choose(uint32_t member, uint32_t threads, const uint32_t *actions, uint32_t kinds) {
    now.start = member % STARTS;
    member /= STARTS;
    for (uint32_t i = 0; i < threads; i++) {
        now.actions[i] = actions[i];
        for (uint32_t j = 0; j < actions[i]; j++) {
            now.action[i][j] = member % kinds;
            member /= kinds;
        }
    }
}

/* The threads are alike: of two programs that differ only in which is which, one will do. */
static bool choose_two_and_two(uint32_t member) {
    choose(member, 2, (const uint32_t[]){2, 2}, ACTIONS);
    return now.action[0][0] * ACTIONS + now.action[0][1] <=
           now.action[1][0] * ACTIONS + now.action[1][1];
}

/* The third looks for X. */
static bool choose_two_one_and_look(uint32_t member) {
    choose(member, 2, (const uint32_t[]){2, 1}, ACTIONS);
    now.actions[2] = 1;
    now.action[2][0] = 0;
    return true;
}

/* ---- Growth ---------------------------------------------------------------------------------- */

enum { GROWING_ACTIONS = 8, GROWING_PAIRS = GROWING_ACTIONS * GROWING_ACTIONS };

/* X: in the old table at home in 0, away in 1; in the new one 1 and 3. */
static void prepare_growing(struct machine *m) {
    levels_begin(2, 0, 2, 1);
    levels_element(X, 1, (const uint32_t[]){1, 3});
    levels_view(m, now.start == 0 ? view_word(0, 0, 0) : view_word(1, 0, 1));
    levels_put(m, 0, X, now.start == 1 ? AWAY : HOME, 0);
    if (now.start == 2) {
        levels_put(m, 1, X, AWAY, 0);
    }
}

static void act_growing(uint32_t action) {
    switch (action) {
    case 0:
        growing_contains(X);
        break;
    case 1:
        growing_remove(X);
        break;
    case 2:
        growing_insert(X, HOME);
        break;
    case 3:
        growing_insert_unique(X);
        break;
    case 4:
        growing_start();
        break;
    case 5:
        growing_migrate(0);
        break;
    case 6:
        growing_migrate(1);
        break;
    default:
        growing_move(X, AWAY);
        break;
    }
}

static void body_growing(uint32_t thread) {
    for (uint32_t i = 0; i < now.actions[thread]; i++) {
        act_growing(now.action[thread][i]);
    }
}

/* The other thread looks for X, twice. */
static bool choose_two_and_looks(uint32_t member) {
    choose(member, 1, (const uint32_t[]){2}, GROWING_ACTIONS);
    now.actions[1] = 2;
    now.action[1][0] = now.action[1][1] = 0;
    return true;
}

static bool choose_two_and_one(uint32_t member) {
    choose(member, 2, (const uint32_t[]){2, 1}, GROWING_ACTIONS);
    return true;
}

const struct family families[] = {
    {"two threads, two actions each", STARTS *PAIRS *PAIRS, 2, 2, choose_two_and_two, prepare,
     body},
    {"two actions, one action, one look", STARTS *PAIRS *ACTIONS, 3, 2, choose_two_one_and_look,
     prepare, body},
    {"growth, two actions, two looks", STARTS *GROWING_PAIRS, 2, 0, choose_two_and_looks,
     prepare_growing, body_growing},
    {"growth, two actions, one action", STARTS *GROWING_PAIRS *GROWING_ACTIONS, 2, 0,
     choose_two_and_one, prepare_growing, body_growing},
};

const uint32_t family_count = sizeof families / sizeof families[0];
