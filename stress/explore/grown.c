/*
 * Programs about growth: entries move from table to table beside readers and writers that may know
 * an older view only.
 *
 * The levels have 2, 4 and 8 buckets. In the comments, A is the first level's table, B the
 * second's, and C the third's; A1 is bucket 1 of A. With two stripes, A0, B0 and B1 are in the
 * first.
 */
#include "programs.h"

#include "growing.h"

static uint64_t only_a(void) {
    return view_word(0, 0, 0);
}

static uint64_t from_a_to_b(void) {
    return view_word(1, 0, 1);
}

/* ---- X moves from A to B --------------------------------------------------------------------- */

/* X: A0, A1; B1, B3. */
static void x_of_two_levels(struct machine *m, uint32_t stripe_shift, uint64_t view) {
    levels_begin(2, stripe_shift, 2, 1);
    levels_element(X, 1, (const uint32_t[]){1, 3});
    levels_view(m, view);
}

static void x_at_home(struct machine *m) {
    x_of_two_levels(m, 0, from_a_to_b());
    levels_put(m, 0, X, HOME, 0);
}

static void x_at_home_one_stripe(struct machine *m) {
    x_of_two_levels(m, 1, from_a_to_b());
    levels_put(m, 0, X, HOME, 0);
}

static void x_away(struct machine *m) {
    x_of_two_levels(m, 0, from_a_to_b());
    levels_put(m, 0, X, AWAY, 0);
}

static void across_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_migrate_all();
    } else {
        growing_contains(X);
    }
}

/* Growth starts here, so that the reader may know no second table. */
static void x_at_home_before(struct machine *m) {
    x_of_two_levels(m, 0, only_a());
    levels_put(m, 0, X, HOME, 0);
}

static void x_at_home_before_one_stripe(struct machine *m) {
    x_of_two_levels(m, 1, only_a());
    levels_put(m, 0, X, HOME, 0);
}

static void start_across_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_migrate_all();
    } else {
        growing_contains(X);
    }
}

/* ---- Two threads empty a stripe each; who comes last says so --------------------------------- */

/* X: A0, A1; B1, B0, so that the second stripe's lock brings nothing of it along. */
static void x_in_first_stripe(struct machine *m) {
    levels_begin(2, 0, 2, 1);
    levels_element(X, 1, (const uint32_t[]){1, 0});
    levels_view(m, from_a_to_b());
    levels_put(m, 0, X, HOME, 0);
}

static void two_migrate_and_look(uint32_t thread) {
    if (thread < 2) {
        growing_migrate(thread);
    } else {
        growing_contains(X);
    }
}

/* Two threads for one stripe: one of them ends. */
static void same_stripe_and_look(uint32_t thread) {
    if (thread < 2) {
        growing_migrate(0);
    } else {
        growing_contains(X);
    }
}

/* ---- A writer that knows A only ---------------------------------------------------------------*/

static void no_x_before(struct machine *m) {
    x_of_two_levels(m, 0, only_a());
}

static void no_x_before_one_stripe(struct machine *m) {
    x_of_two_levels(m, 1, only_a());
}

/* The buckets are all empty, and one of them is filled just before it is visited, or never. */
static void start_and_fill(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_migrate_all();
    } else {
        growing_insert(X, HOME);
        growing_contains(X);
    }
}

static void fill_away_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_migrate_all();
    } else if (thread == 1) {
        growing_insert(X, AWAY);
    } else {
        growing_contains(X);
    }
}

static void two_unique(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_insert_unique(X);
    } else {
        growing_insert_unique(X);
    }
}

static void unique_beside_migration(uint32_t thread) {
    if (thread == 0) {
        growing_migrate_all();
    } else {
        growing_insert_unique(X);
        growing_contains(X);
    }
}

static void unique_beside_start(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_migrate_all();
    } else {
        growing_insert_unique(X);
    }
}

static void remove_beside_migration(uint32_t thread) {
    if (thread == 0) {
        growing_migrate_all();
    } else if (thread == 1) {
        growing_remove(X);
    } else {
        growing_contains(X);
    }
}

static void remove_beside_start(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_migrate_all();
    } else {
        growing_remove(X);
        growing_contains(X);
    }
}

/* A second copy comes before the first goes, so one is there at any time. */
static void replace_beside_start(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_insert(X, AWAY);
        growing_remove(X);
    } else {
        growing_contains(X);
    }
}

/* ---- The limit: as many copies as one table's windows have slots -------------------------------
 * */

/* [X X] [x .] in A. X: A0, A1; B1, B0. */
static void one_below_the_limit(struct machine *m) {
    levels_begin(2, 0, 2, 1);
    levels_element(X, 1, (const uint32_t[]){1, 0});
    levels_view(m, only_a());
    levels_put(m, 0, X, HOME, 0);
    levels_put(m, 0, X, HOME, 1);
    levels_put(m, 0, X, AWAY, 0);
}

static void last_copy_twice(uint32_t thread) {
    if (thread == 0) {
        growing_start();
    }
    growing_insert(X, AWAY);
}

static const char *limit_kept(const struct machine *end) {
    uint32_t copies = 3;
    for (uint32_t i = 0; i < end->threads; i++) {
        copies += end->thread[i].call[0].result == YES;
    }
    return copies > 2 * shape()->shape.window_slots ? "more copies than the limit"
                                                    : table_check(end);
}

/* ---- Moves within B, while A is being emptied ------------------------------------------------ */

static void x_in_b_away(struct machine *m) {
    x_of_two_levels(m, 0, from_a_to_b());
    levels_put(m, 1, X, AWAY, 0);
}

static void x_in_b_at_home(struct machine *m) {
    x_of_two_levels(m, 0, from_a_to_b());
    levels_put(m, 1, X, HOME, 0);
}

static void move_home_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_move(X, AWAY);
    } else {
        growing_contains(X);
    }
}

static void move_away_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_move(X, HOME);
    } else {
        growing_contains(X);
    }
}

/* ---- Two growths in a row, one reader -------------------------------------------------------- */

/* X: A0, A1; B1, B3; C3, C2. */
static void x_of_three_levels(struct machine *m) {
    levels_begin(2, 1, 3, 2);
    levels_element(X, 3, (const uint32_t[]){1, 3, 2});
    levels_view(m, from_a_to_b());
    levels_put(m, 0, X, HOME, 0);
}

static void grow_twice_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_migrate_all();
        growing_start();
        growing_migrate_all();
    } else {
        growing_contains(X);
    }
}

/* ---- There and back: A is filled again after it was left --------------------------------------
 * */

static void x_at_home_both_emptied(struct machine *m) {
    levels_begin(2, 1, 2, 2);
    levels_element(X, 1, (const uint32_t[]){1, 3});
    levels_view(m, from_a_to_b());
    levels_put(m, 0, X, HOME, 0);
}

static void shrink_and_look(uint32_t thread) {
    if (thread == 0) {
        growing_migrate_all();
        growing_shrink();
        growing_migrate_all();
    } else {
        growing_contains(X);
    }
}

static void no_x_both_emptied(struct machine *m) {
    levels_begin(2, 1, 2, 2);
    levels_element(X, 1, (const uint32_t[]){1, 3});
    levels_view(m, from_a_to_b());
}

static void shrink_and_fill(uint32_t thread) {
    if (thread == 0) {
        growing_migrate_all();
        growing_shrink();
        growing_migrate_all();
    } else {
        growing_insert(X, AWAY);
        growing_contains(X);
    }
}

/* ---- Two elements that share no stripe ------------------------------------------------------- */

/* X: A0, A1; B0, B1. Y: A2, A3; B4, B5. A has four buckets, two in each of two stripes. */
static void x_and_y(struct machine *m, uint64_t view) {
    levels_begin(4, 1, 2, 1);
    levels_element(X, 0, (const uint32_t[]){1, 1});
    levels_element(Y, 4, (const uint32_t[]){3, 5});
    levels_view(m, view);
}

static void x_and_y_before(struct machine *m) {
    x_and_y(m, only_a());
}

static void x_and_y_meanwhile(struct machine *m) {
    x_and_y(m, from_a_to_b());
}

/* The second thread may insert into A, and look there for X, which is in B. */
static void buffered_across_start(uint32_t thread) {
    if (thread == 0) {
        growing_start();
        growing_insert(X, HOME);
        growing_contains(Y);
    } else {
        growing_insert(Y, HOME);
        growing_contains(X);
    }
}

/* A third thread begins the growth. */
static void buffered_beside_start(uint32_t thread) {
    if (thread == 2) {
        growing_start();
    } else {
        growing_insert(thread == 0 ? X : Y, HOME);
        growing_contains(thread == 0 ? Y : X);
    }
}

static void buffered_home(uint32_t thread) {
    growing_insert(thread == 0 ? X : Y, HOME);
    growing_contains(thread == 0 ? Y : X);
}

static void buffered_away(uint32_t thread) {
    growing_insert(thread == 0 ? X : Y, AWAY);
    growing_contains(thread == 0 ? Y : X);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct scenario scenarios[] = {
    {"across, one stripe", 0, 0, 2, x_at_home_one_stripe, across_and_look, table_check, false},
    {"across, two stripes, from home", 0, 0, 2, x_at_home, across_and_look, table_check, false},
    {"across, two stripes, from away", 0, 0, 2, x_away, across_and_look, table_check, false},
    {"start and across, one stripe", 0, 0, 2, x_at_home_before_one_stripe, start_across_and_look,
     table_check, false},
    {"start and across, two stripes", 0, 0, 2, x_at_home_before, start_across_and_look, table_check,
     false},
    {"two threads migrate", 0, 0, 3, x_in_first_stripe, two_migrate_and_look, table_check, false},
    {"two threads migrate one stripe", 0, 0, 3, x_at_home_one_stripe, same_stripe_and_look,
     table_check, false},
    {"filled before visited, one stripe", 0, 0, 2, no_x_before_one_stripe, start_and_fill,
     table_check, false},
    {"filled before visited, two stripes", 0, 0, 2, no_x_before, start_and_fill, table_check,
     false},
    {"filled before visited, reader", 0, 0, 3, no_x_before_one_stripe, fill_away_and_look,
     table_check, false},
    {"insert_unique twice across a start", 0, 0, 2, no_x_before, two_unique, table_check, false},
    {"insert_unique beside migration", 0, 0, 2, x_at_home, unique_beside_migration, table_check,
     false},
    {"insert_unique beside growth", 0, 0, 2, x_at_home_before, unique_beside_start, table_check,
     false},
    {"remove beside migration", 0, 0, 3, x_at_home_one_stripe, remove_beside_migration, table_check,
     false},
    {"remove beside growth", 0, 0, 2, x_at_home_before, remove_beside_start, table_check, false},
    {"second copy in the new table", 0, 0, 2, x_at_home_before, replace_beside_start, table_check,
     false},
    {"the last copy, twice", 0, 0, 2, one_below_the_limit, last_copy_twice, limit_kept, false},
    {"move home in the new table", 0, 0, 2, x_in_b_away, move_home_and_look, table_check, false},
    {"move away in the new table", 0, 0, 2, x_in_b_at_home, move_away_and_look, table_check, false},
    {"two growths and a look", 0, 0, 2, x_of_three_levels, grow_twice_and_look, table_check, false},
    {"there and back, and a look", 0, 0, 2, x_at_home_both_emptied, shrink_and_look, table_check,
     false},
    {"there and back, filled meanwhile", 0, 0, 2, no_x_both_emptied, shrink_and_fill, table_check,
     false},
    {"SB, across a publication", 0, 0, 2, x_and_y_before, buffered_across_start, table_check,
     false},
    {"SB, beside a publication", 0, 0, 3, x_and_y_before, buffered_beside_start, table_check,
     false},
    {"SB, two tables, at home", 0, 0, 2, x_and_y_meanwhile, buffered_home, table_check, false},
    {"SB, two tables, away", 0, 0, 2, x_and_y_meanwhile, buffered_away, table_check, false},
};

const struct scenarios about_growth = {scenarios, sizeof scenarios / sizeof scenarios[0]};
