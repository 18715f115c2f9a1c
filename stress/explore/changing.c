/*
 * Programs about inserts and removes of one element, and about a search for room.
 *
 * In pictures of words, X is the element X on its side 0, x the same on its side 1.
 */
#include "programs.h"

#include <stddef.h>

#include "atomic.h"
#include "operations.h"

/* A flag by which the program itself orders two of its threads. */
static uint32_t flag(void) {
    return table_locations();
}

static void raise_flag(void) {
    explore_store(flag(), 1, memory_order_release);
}

static bool flag_is_up(void) {
    return explore_load(flag(), memory_order_acquire) != 0;
}

static const struct spot x_home_0 = {X, HOME, 0};
static const struct spot x_away_0 = {X, AWAY, 0};
static const struct spot y_home_0 = {Y, HOME, 0};

static void x_at_home(struct machine *m) {
    table_element(X, 0, 1);
    table_put(m, X, HOME, 0);
}

/* ---- Remove against contains ----------------------------------------------------------------- */

static void remove_and_look(uint32_t thread) {
    if (thread == 0) {
        remove_any(X);
        raise_flag();
    } else if (thread == 1) {
        (void)flag_is_up();
        contains(X);
    } else {
        contains(X);
        contains(X);
    }
}

static void remove_what_moves(uint32_t thread) {
    if (thread == 0) {
        remove_any(X);
    } else if (thread == 1) {
        move(x_home_0, 1);
    } else {
        contains(X);
    }
}

static void two_removers(uint32_t thread) {
    if (thread < 2) {
        remove_any(X);
        contains(X);
    } else {
        insert(X, AWAY);
    }
}

/* ---- A second copy comes, then the first goes ------------------------------------------------ */

static void second_copy_away(uint32_t thread) {
    if (thread == 0) {
        insert(X, AWAY);
        remove_at(X, HOME);
    } else {
        contains(X);
        contains(X);
    }
}

static void x_away(struct machine *m) {
    table_element(X, 0, 1);
    table_put(m, X, AWAY, 0);
}

static void second_copy_at_home(uint32_t thread) {
    if (thread == 0) {
        insert(X, HOME);
        remove_at(X, AWAY);
    } else {
        contains(X);
        contains(X);
    }
}

/* Another thread removes, knowing that there is a second copy. */
static void second_copy_by_another(uint32_t thread) {
    if (thread == 0) {
        insert(X, AWAY);
        raise_flag();
    } else if (thread == 1) {
        if (flag_is_up()) {
            remove_at(X, HOME);
        }
    } else {
        contains(X);
    }
}

/* The removal may be announced, but not done, before the second copy comes and readers look. */
static void second_copy_meanwhile(uint32_t thread) {
    if (thread == 0) {
        remove_at(X, AWAY);
    } else if (thread == 1) {
        insert(X, HOME);
    } else {
        contains(X);
        contains(X);
    }
}

/* ---- insert_unique --------------------------------------------------------------------------- */

/* [Y Z] [. .]: X has room at home only when Y has moved. */
static void home_is_full(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 0, 1);
    table_element(Z, 0, 1);
    table_put(m, Y, HOME, 0);
    table_put(m, Z, HOME, 1);
}

static void unique_beside_move(uint32_t thread) {
    if (thread < 2) {
        insert_unique(X);
    } else {
        move(y_home_0, 1);
    }
}

static void unique_of_what_moves(uint32_t thread) {
    if (thread == 0) {
        insert_unique(X);
    } else if (thread == 1) {
        move(x_home_0, 0);
        move(x_away_0, 0);
    } else {
        contains(X);
    }
}

/* ---- A failed search: [X Y] [Z .] [W .], one counter for the first two words ----------------- */

static void nearly_full(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 0, 1);
    table_element(Z, 1, 2);
    table_element(W, 2, 0);
    table_element(V, 2, 0);
    table_put(m, X, HOME, 0);
    table_put(m, Y, HOME, 1);
    table_put(m, Z, HOME, 0);
    table_put(m, W, HOME, 0);
}

static void search(void) {
    uint64_t removals;
    explore_note(search_fails(0, 2, &removals));
    explore_note(removals);
}

/* Words 0 and 2 have a free slot between them at any time: word 2 until V comes, and V comes only
 * when it is known that X has gone. */
static void failed_search(uint32_t thread) {
    if (thread == 0) {
        remove_at(X, HOME);
        remove_at(Z, HOME);
        raise_flag();
    } else if (thread == 1) {
        if (flag_is_up()) {
            insert(V, HOME);
        }
    } else {
        search();
    }
}

static void search_beside_removal(uint32_t thread) {
    if (thread == 0) {
        remove_at(X, HOME);
        raise_flag();
    } else if (thread == 1) {
        if (flag_is_up()) {
            insert(V, HOME);
        }
    } else {
        search();
    }
}

static const char *never_missed(const struct machine *end) {
    const char *failure = table_check(end);
    return failure == NULL && end->thread[2].note[0] == 1 ? "a search missed a free slot" : failure;
}

/* A search that begins with a removal announced may see the slot before it is emptied, and not
 * notice: that is the limit. Here, that removal is the first of two, so with both announced X has
 * gone. */
static const char *no_free_slot_missed(const struct machine *end) {
    return end->thread[2].note[1] == 1 ? table_check(end) : never_missed(end);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct scenario scenarios[] = {
    {"remove and look", 2, 0, 3, x_at_home, remove_and_look, table_check, false},
    {"remove what moves", 2, 0, 3, x_at_home, remove_what_moves, table_check, false},
    {"two removers and an insert", 2, 0, 3, x_at_home, two_removers, table_check, false},
    {"second copy away", 2, 0, 2, x_at_home, second_copy_away, table_check, false},
    {"second copy at home", 2, 0, 2, x_away, second_copy_at_home, table_check, false},
    {"second copy by another", 2, 0, 3, x_at_home, second_copy_by_another, table_check, false},
    {"second copy meanwhile", 2, 0, 3, x_away, second_copy_meanwhile, table_check, false},
    {"second copy meanwhile, two readers", 2, 0, 4, x_away, second_copy_meanwhile, table_check,
     false},
    {"insert_unique twice beside a move", 2, 0, 3, home_is_full, unique_beside_move, table_check,
     false},
    {"insert_unique of what moves", 2, 0, 3, x_at_home, unique_of_what_moves, table_check, false},
    {"failed search", 3, 1, 3, nearly_full, failed_search, no_free_slot_missed, false},
    {"failed search beside a removal", 3, 1, 3, nearly_full, search_beside_removal, never_missed,
     true},
};

const struct scenarios about_changing = {scenarios, sizeof scenarios / sizeof scenarios[0]};
