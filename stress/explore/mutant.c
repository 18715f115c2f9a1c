/*
 * Which line of lib/protocol.h or lib/view.h is being executed, and which order it has. R1 and R2
 * each load for home, then for away. A store of a word empties a slot if a counter was stored
 * before it.
 */
#include "mutant.h"

#include <stddef.h>

#include "atomic.h"

#define SITE(name) (UINT32_C(1) << (name))

/* R2 loads home first. A miss whose home load saw the emptied word has acquired it, and with it
 * what was filled before, when it loads away; so only the counter of away needs to bring that
 * along. */
static const char home_first[] = "R2 loads home before away";

/* Who changes a bucket after it was seen empty holds the stripe's lock after the one who saw that,
 * and so sees the view that he had read. For look-ups that follow, R0 is what counts. */
static const char view_by_lock[] = "the stripe's lock brings the view along";

/* Whoever sees the emptied slot has seen, with it, the filled one, and looks there afterwards. */
static const char from_first[] = "R2 looks in the old table before the new one";

const struct mutant mutants[] = {
    {"ORDER_COUNTER_STORE relaxed", NO_CHANGE, SITE(W3_COUNTER), memory_order_relaxed, NULL},
    {"ORDER_COUNTER_BEFORE relaxed", NO_CHANGE, SITE(R1_HOME) | SITE(R1_AWAY), memory_order_relaxed,
     NULL},
    {"ORDER_COUNTER_BEFORE relaxed, home only", NO_CHANGE, SITE(R1_HOME), memory_order_relaxed,
     home_first},
    {"ORDER_COUNTER_BEFORE relaxed, away only", NO_CHANGE, SITE(R1_AWAY), memory_order_relaxed,
     NULL},
    {"ORDER_COUNTER_BEFORE relaxed, in search", NO_CHANGE, SITE(SEARCH_SUM), memory_order_relaxed,
     NULL},
    {"ORDER_MOVE_STORE relaxed", NO_CHANGE, SITE(W2_MOVE), memory_order_relaxed, NULL},
    {"ORDER_MOVE_CLEAR release", NO_CHANGE, SITE(W3_MOVE), memory_order_release, NULL},
    {"ORDER_MOVE_CLEAR relaxed", NO_CHANGE, SITE(W3_MOVE), memory_order_relaxed, NULL},
    {"ORDER_COMPLETE_STORE release", NO_CHANGE, SITE(W2_INSERT) | SITE(W3_REMOVE),
     memory_order_release, NULL},
    {"ORDER_COMPLETE_STORE release, insert only", NO_CHANGE, SITE(W2_INSERT), memory_order_release,
     NULL},
    {"ORDER_COMPLETE_STORE release, remove only", NO_CHANGE, SITE(W3_REMOVE), memory_order_release,
     NULL},
    {"ORDER_COMPLETE_STORE relaxed", NO_CHANGE, SITE(W2_INSERT) | SITE(W3_REMOVE),
     memory_order_relaxed, NULL},
    {"ORDER_COMPLETE_STORE relaxed, insert only", NO_CHANGE, SITE(W2_INSERT), memory_order_relaxed,
     NULL},
    {"ORDER_COMPLETE_STORE relaxed, remove only", NO_CHANGE, SITE(W3_REMOVE), memory_order_relaxed,
     NULL},
    {"ORDER_WORD_READ acquire", NO_CHANGE, SITE(R2_HOME) | SITE(R2_AWAY), memory_order_acquire,
     NULL},
    {"ORDER_WORD_READ acquire, home only", NO_CHANGE, SITE(R2_HOME), memory_order_acquire, NULL},
    {"ORDER_WORD_READ acquire, away only", NO_CHANGE, SITE(R2_AWAY), memory_order_acquire, NULL},
    {"ORDER_WORD_READ relaxed", NO_CHANGE, SITE(R2_HOME) | SITE(R2_AWAY), memory_order_relaxed,
     NULL},
    {"ORDER_WORD_READ relaxed, home only", NO_CHANGE, SITE(R2_HOME), memory_order_relaxed, NULL},
    {"ORDER_WORD_READ relaxed, away only", NO_CHANGE, SITE(R2_AWAY), memory_order_relaxed, NULL},
    {"ORDER_SEARCH_READ relaxed", NO_CHANGE, SITE(SEARCH_READ), memory_order_relaxed, NULL},
    {"ORDER_COUNTER_BEFORE relaxed, of two tables", NO_CHANGE, SITE(R1_TWO_TABLES),
     memory_order_relaxed, NULL},
    {"ORDER_WORD_READ relaxed, home of two tables", NO_CHANGE, SITE(R2_TWO_TABLES_HOME),
     memory_order_relaxed, NULL},
    {"ORDER_WORD_READ relaxed, away of two tables", NO_CHANGE, SITE(R2_TWO_TABLES_AWAY),
     memory_order_relaxed, NULL},
    {"ORDER_WORD_READ acquire, home of two tables", NO_CHANGE, SITE(R2_TWO_TABLES_HOME),
     memory_order_acquire, NULL},
    {"ORDER_WORD_READ acquire, away of two tables", NO_CHANGE, SITE(R2_TWO_TABLES_AWAY),
     memory_order_acquire, NULL},
    {"ORDER_VIEW_STORE relaxed", NO_CHANGE, SITE(VIEW_STORE), memory_order_relaxed, NULL},
    {"ORDER_VIEW_STORE release", NO_CHANGE, SITE(VIEW_STORE), memory_order_release, NULL},
    {"ORDER_VIEW_READ relaxed", NO_CHANGE, SITE(R0_VIEW) | SITE(HELD_VIEW), memory_order_relaxed,
     NULL},
    {"ORDER_VIEW_READ acquire", NO_CHANGE, SITE(R0_VIEW) | SITE(HELD_VIEW), memory_order_acquire,
     NULL},
    {"ORDER_VIEW_READ relaxed, R0 only", NO_CHANGE, SITE(R0_VIEW), memory_order_relaxed, NULL},
    {"ORDER_VIEW_READ acquire, R0 only", NO_CHANGE, SITE(R0_VIEW), memory_order_acquire, NULL},
    {"ORDER_VIEW_READ relaxed, under locks", NO_CHANGE, SITE(HELD_VIEW), memory_order_relaxed,
     view_by_lock},
    {"ORDER_STRIPE_EMPTIED relaxed", NO_CHANGE, SITE(STRIPE_EMPTIED), memory_order_relaxed, NULL},
    {"ORDER_STRIPE_EMPTIED release", NO_CHANGE, SITE(STRIPE_EMPTIED), memory_order_release, NULL},
    {"ORDER_STRIPE_EMPTIED acquire", NO_CHANGE, SITE(STRIPE_EMPTIED), memory_order_acquire, NULL},
    {"no counter", NO_COUNTER, 0, memory_order_relaxed, NULL},
    {"counter after the clear", COUNTER_LATE, 0, memory_order_relaxed, NULL},
    {"clear before the fill", CLEAR_FIRST, 0, memory_order_relaxed, NULL},
    {"unvalidated miss", NO_VALIDATION, 0, memory_order_relaxed, NULL},
    {"insert_unique with one side locked", ONE_SIDE_LOCKED, 0, memory_order_relaxed, NULL},
    {"no second look under the lock", NO_SECOND_LOOK, 0, memory_order_relaxed, NULL},
    {"locks without order (E4)", SILENT_LOCKS, 0, memory_order_relaxed, NULL},
    {"empty bucket not visited under its lock", EMPTY_UNVISITED, 0, memory_order_relaxed, NULL},
    {"view not read again under the locks", VIEW_NOT_HELD, 0, memory_order_relaxed, NULL},
    {"view not read again before a miss", VIEW_UNVALIDATED, 0, memory_order_relaxed, NULL},
    {"clear before the fill, across tables", ACROSS_CLEAR_FIRST, 0, memory_order_relaxed, NULL},
    {"no counter, across tables", ACROSS_NO_COUNTER, 0, memory_order_relaxed, from_first},
    {"new table's places locked only", NEW_PLACES_LOCKED, 0, memory_order_relaxed, NULL},
};

const uint32_t mutant_count = sizeof mutants / sizeof mutants[0];

static const struct mutant *chosen;

static struct {
    bool away;      /* the next R1 or R2 is the second of its pair */
    bool announced; /* the next store of a word empties a slot */
    bool searching;
    bool two_tables;
    bool holds_locks;
} at;

void mutant_choose(const struct mutant *mutant) {
    chosen = mutant;
}

enum change mutant_change(void) {
    return chosen == NULL ? NO_CHANGE : chosen->change;
}

void mutant_begin_body(void) {
    at.away = at.announced = at.searching = at.two_tables = at.holds_locks = false;
}

void mutant_begin_search(void) {
    at.searching = true;
}

void mutant_begin_look(bool two_tables) {
    at.two_tables = two_tables;
}

void mutant_holds_locks(void) {
    at.holds_locks = true;
}

bool mutant_is_of_growth(const struct mutant *mutant) {
    return mutant->change > GROWTH_CHANGES || mutant->sites >= SITE(R0_VIEW);
}

static memory_order order_at(enum site site, memory_order order) {
    return chosen != NULL && (chosen->sites & SITE(site)) != 0 ? chosen->order : order;
}

static enum site pair(enum site home, enum site away) {
    at.away = !at.away;
    return at.away ? home : away;
}

static enum site fill_or_clear(enum site fill, enum site clear) {
    bool clears = at.announced;
    at.announced = false;
    return clears ? clear : fill;
}

memory_order order_counter_store(void) {
    at.announced = true;
    return order_at(W3_COUNTER, memory_order_release);
}

memory_order order_counter_before(void) {
    enum site site = at.searching    ? SEARCH_SUM
                     : at.two_tables ? R1_TWO_TABLES
                                     : pair(R1_HOME, R1_AWAY);
    return order_at(site, memory_order_acquire);
}

memory_order order_move_store(void) {
    return order_at(W2_MOVE, memory_order_release);
}

memory_order order_move_clear(void) {
    at.announced = false;
    return order_at(W3_MOVE, memory_order_seq_cst);
}

memory_order order_complete_store(void) {
    return order_at(fill_or_clear(W2_INSERT, W3_REMOVE), memory_order_seq_cst);
}

memory_order order_word_read(void) {
    enum site site =
        at.two_tables ? pair(R2_TWO_TABLES_HOME, R2_TWO_TABLES_AWAY) : pair(R2_HOME, R2_AWAY);
    return order_at(site, memory_order_seq_cst);
}

memory_order order_search_read(void) {
    return order_at(SEARCH_READ, memory_order_acquire);
}

memory_order order_view_store(void) {
    return order_at(VIEW_STORE, memory_order_seq_cst);
}

memory_order order_view_read(void) {
    enum site site = at.holds_locks ? HELD_VIEW : R0_VIEW;
    at.holds_locks = false;
    return order_at(site, memory_order_seq_cst);
}

memory_order order_stripe_emptied(void) {
    return order_at(STRIPE_EMPTIED, memory_order_acq_rel);
}
