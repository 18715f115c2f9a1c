/*
 * Programs about moves: whatever moves meanwhile, an element that is there is found.
 *
 * In pictures of words, X is the element X on its side 0, x the same on its side 1.
 */
#include "programs.h"

#include "operations.h"

static const struct spot x_home_0 = {X, HOME, 0};
static const struct spot x_away_0 = {X, AWAY, 0};
static const struct spot y_home_0 = {Y, HOME, 0};

/* ---- One item moved to and fro: [X .] [. .] -------------------------------------------------- */

static void x_at_home(struct machine *m) {
    table_element(X, 0, 1);
    table_put(m, X, HOME, 0);
}

static void to_and_fro(uint32_t thread) {
    if (thread == 0) {
        move(x_home_0, 0);
        move(x_away_0, 0);
    } else {
        contains(X);
    }
}

static void two_movers(uint32_t thread) {
    if (thread < 2) {
        move(x_home_0, (uint8_t)thread);
    } else {
        contains(X);
    }
}

/* ---- Two moves of different items: [X .] [Y .] ----------------------------------------------- */

static void x_and_y(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 1, 0);
    table_put(m, X, HOME, 0);
    table_put(m, Y, HOME, 0);
}

/* Y moves to the slot that X leaves. */
static void move_into_the_hole(uint32_t thread) {
    if (thread == 0) {
        move(x_home_0, 1);
    } else if (thread == 1) {
        move(y_home_0, 0);
    } else {
        contains(X);
        contains(Y);
    }
}

/* Y moves to the slot beside the one that X leaves. */
static void move_beside_the_hole(uint32_t thread) {
    if (thread == 0) {
        move(x_home_0, 1);
    } else if (thread == 1) {
        move(y_home_0, 1);
    } else {
        contains(X);
    }
}

/* ---- A third party changes the word that X left: [X Z] [. .] --------------------------------- */

static void x_alone(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Z, 0, 1);
    table_put(m, X, HOME, 0);
}

static void third_party_fills(uint32_t thread) {
    if (thread == 0) {
        move(x_home_0, 0);
    } else if (thread == 1) {
        insert(Z, HOME);
    } else {
        contains(X);
    }
}

static void x_and_z(struct machine *m) {
    x_alone(m);
    table_put(m, Z, HOME, 1);
}

static void third_party_removes(uint32_t thread) {
    if (thread == 0) {
        move(x_home_0, 0);
    } else if (thread == 1) {
        remove_at(Z, HOME);
    } else {
        contains(X);
    }
}

static void third_party_moves(uint32_t thread) {
    if (thread == 0) {
        move(x_home_0, 0);
    } else if (thread == 1) {
        move((struct spot){Z, HOME, 1}, 1);
    } else {
        contains(X);
    }
}

/* ---- A path of two hops: [X .] [Y .] [. .] becomes [V .] [x .] [y .] ------------------------- */

static void path_of_two(struct machine *m) {
    table_element(X, 0, 1);
    table_element(Y, 1, 2);
    table_element(V, 0, 1);
    table_element(W, 1, 2);
    table_put(m, X, HOME, 0);
    table_put(m, Y, HOME, 0);
}

static const struct spot two_hops[] = {{X, HOME, 0}, {Y, HOME, 0}};

static void insert_in_the_middle(uint32_t thread) {
    if (thread == 0) {
        insert_along(V, HOME, two_hops, 2, 0);
    } else if (thread == 1) {
        insert(W, HOME);
    } else {
        contains(X);
        contains(Y);
    }
}

/* W takes the free slot that the path wanted. */
static void insert_at_the_end(uint32_t thread) {
    if (thread == 0) {
        insert_along(V, HOME, two_hops, 2, 0);
    } else if (thread == 1) {
        insert(W, AWAY);
    } else {
        contains(X);
        contains(V);
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct scenario scenarios[] = {
    {"to and fro, one stripe", 2, 1, 2, x_at_home, to_and_fro, table_check, false},
    {"to and fro, two stripes", 2, 0, 2, x_at_home, to_and_fro, table_check, false},
    {"to and fro, two readers", 2, 0, 3, x_at_home, to_and_fro, table_check, false},
    {"two movers of one item", 2, 0, 3, x_at_home, two_movers, table_check, false},
    {"move into a hole, one stripe", 2, 1, 3, x_and_y, move_into_the_hole, table_check, false},
    {"move into a hole, two stripes", 2, 0, 3, x_and_y, move_into_the_hole, table_check, false},
    {"move beside a hole", 2, 0, 3, x_and_y, move_beside_the_hole, table_check, false},
    {"third party fills, one stripe", 2, 1, 3, x_alone, third_party_fills, table_check, false},
    {"third party fills, two stripes", 2, 0, 3, x_alone, third_party_fills, table_check, false},
    {"third party removes", 2, 0, 3, x_and_z, third_party_removes, table_check, false},
    {"third party moves", 2, 0, 3, x_and_z, third_party_moves, table_check, false},
    {"two hops, insert in the middle", 3, 0, 3, path_of_two, insert_in_the_middle, table_check,
     false},
    {"two hops, insert at the end", 3, 0, 3, path_of_two, insert_at_the_end, table_check, false},
};

const struct scenarios about_moving = {scenarios, sizeof scenarios / sizeof scenarios[0]};
