/*
 * Programs about one order of all changes: two elements, and threads that change one and look for
 * the other.
 *
 * In pictures of words, X is the element X on its side 0, x the same on its side 1.
 */
#include "programs.h"

#include "operations.h"

static const struct spot x_home_0 = {X, HOME, 0};

/* [X .] [Y .] */
static void x_and_y(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 1, 0);
    table_put(m, X, HOME, 0);
    table_put(m, Y, HOME, 0);
}

/* ---- Store buffering and IRIW over two elements ---------------------------------------------- */

static void no_x_no_y(struct machine *m) {
    (void)m;
    table_element(X, 0, 1);
    table_element(Y, 1, 0);
}

static void buffered_inserts_home(uint32_t thread) {
    insert(thread == 0 ? X : Y, HOME);
    contains(thread == 0 ? Y : X);
}

static void buffered_inserts_away(uint32_t thread) {
    insert(thread == 0 ? X : Y, AWAY);
    contains(thread == 0 ? Y : X);
}

static void buffered_removes(uint32_t thread) {
    remove_at(thread == 0 ? X : Y, HOME);
    contains(thread == 0 ? Y : X);
}

static void y_at_home(struct machine *m) {
    no_x_no_y(m);
    table_put(m, Y, HOME, 0);
}

static void buffered_mixed(uint32_t thread) {
    if (thread == 0) {
        insert(X, HOME);
        contains(Y);
    } else {
        remove_at(Y, HOME);
        contains(X);
    }
}

static void buffered_beside_move(uint32_t thread) {
    if (thread < 2) {
        buffered_inserts_home(thread);
    } else {
        move(x_home_0, 1);
    }
}

static void two_looks(uint32_t thread) {
    contains(thread == 2 ? X : Y);
    contains(thread == 2 ? Y : X);
}

static void iriw_inserts(uint32_t thread) {
    if (thread < 2) {
        insert(thread == 0 ? X : Y, HOME);
    } else {
        two_looks(thread);
    }
}

static void iriw_removes(uint32_t thread) {
    if (thread < 2) {
        remove_at(thread == 0 ? X : Y, HOME);
    } else {
        two_looks(thread);
    }
}

static void iriw_mixed(uint32_t thread) {
    if (thread == 0) {
        insert(X, HOME);
    } else if (thread == 1) {
        remove_at(Y, HOME);
    } else {
        two_looks(thread);
    }
}

/* One reader may know X only from the move, which is no seq_cst store. */
static void iriw_with_move(uint32_t thread) {
    if (thread == 0) {
        insert(X, HOME);
        move(x_home_0, 1);
    } else if (thread == 1) {
        insert(Y, HOME);
    } else {
        two_looks(thread);
    }
}

/* X is removed from where it was moved to. The move's clear is no seq_cst store, so C11 lets a
 * reader see X in its old place after the removal, in an order of all calls: that is the limit. */
static void buffered_beside_leaving(uint32_t thread) {
    if (thread == 0) {
        remove_any(X);
        contains(Y);
    } else if (thread == 1) {
        insert(Y, HOME);
        contains(X);
    } else {
        move(x_home_0, 1);
    }
}

static void x_apart_from_y(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 2, 3);
    table_put(m, X, HOME, 0);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct scenario scenarios[] = {
    {"SB, inserts at home", 2, 0, 2, no_x_no_y, buffered_inserts_home, table_check, false},
    {"SB, inserts away", 2, 0, 2, no_x_no_y, buffered_inserts_away, table_check, false},
    {"SB, removes", 2, 0, 2, x_and_y, buffered_removes, table_check, false},
    {"SB, insert and remove", 2, 0, 2, y_at_home, buffered_mixed, table_check, false},
    {"SB, inserts, one moved on", 2, 0, 3, no_x_no_y, buffered_beside_move, table_check, false},
    {"SB, removed where it moved to", 4, 0, 3, x_apart_from_y, buffered_beside_leaving, table_check,
     false},
    {"IRIW, inserts", 2, 0, 4, no_x_no_y, iriw_inserts, table_check, false},
    {"IRIW, removes", 2, 0, 4, x_and_y, iriw_removes, table_check, false},
    {"IRIW, insert and remove", 2, 0, 4, y_at_home, iriw_mixed, table_check, false},
    {"IRIW, inserts, one moved on", 2, 0, 4, no_x_no_y, iriw_with_move, table_check, false},
};

const struct scenarios about_two_elements = {scenarios, sizeof scenarios / sizeof scenarios[0]};
