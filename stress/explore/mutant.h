/*
 * The protocol and its mutants. Each line of lib/protocol.h and lib/view.h that orders something is
 * a site; a mutant gives one or two sites a weaker order, or changes a step (see operations.c,
 * growing.c).
 */
#ifndef GUIRA_EXPLORE_MUTANT_H
#define GUIRA_EXPLORE_MUTANT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum site {
    R1_HOME,
    R1_AWAY,
    R2_HOME,
    R2_AWAY,
    W3_COUNTER,
    W2_MOVE,
    W3_MOVE,
    W2_INSERT,
    W3_REMOVE,
    SEARCH_READ,
    SEARCH_SUM, /* the counters before a search, see all_removals in lib/insert.h */
    /* Of a filter that grows. */
    R0_VIEW,
    HELD_VIEW,
    VIEW_STORE,
    STRIPE_EMPTIED,
    R1_TWO_TABLES,
    R2_TWO_TABLES_HOME,
    R2_TWO_TABLES_AWAY,
    SITES
};

enum change {
    NO_CHANGE,
    NO_COUNTER,      /* a slot is emptied without a word */
    COUNTER_LATE,    /* announced after the slot was emptied */
    CLEAR_FIRST,     /* a move empties its source before it fills its destination */
    NO_VALIDATION,   /* a miss is believed although a counter moved */
    ONE_SIDE_LOCKED, /* insert_unique locks only the side that it fills */
    NO_SECOND_LOOK,  /* a move or remove believes what it saw before it had the lock */
    SILENT_LOCKS,    /* what was written before an unlock is not seen after the next lock */
    /* Of a filter that grows; GROWTH_CHANGES is no mutant. */
    GROWTH_CHANGES,
    EMPTY_UNVISITED,    /* a stripe that looks empty without its lock counts as emptied */
    VIEW_NOT_HELD,      /* a writer does not read the view again under its locks */
    VIEW_UNVALIDATED,   /* a miss is believed although the view may have changed */
    ACROSS_CLEAR_FIRST, /* a move from table to table empties its source first */
    ACROSS_NO_COUNTER,  /* a move from table to table is not announced */
    NEW_PLACES_LOCKED /* an insert while two tables are in use locks the new table's places only */
};

struct mutant {
    const char *name;
    enum change change;
    uint32_t sites; /* a set of enum site, one bit each */
    memory_order order;
    const char *harmless; /* why it must survive; NULL: it must be killed */
};

extern const struct mutant mutants[];
extern const uint32_t mutant_count;

/* Choose what is explored from now on; NULL is the protocol as it is. */
void mutant_choose(const struct mutant *mutant);
enum change mutant_change(void);

/* Whether it has to do with growth alone. */
bool mutant_is_of_growth(const struct mutant *mutant);

/* A body starts: the sites are told apart by what it executes. */
void mutant_begin_body(void);
/* The next loads of counters are those of a search. */
void mutant_begin_search(void);
/* The next reads of counters and words are of one table, or of two. */
void mutant_begin_look(bool two_tables);
/* The next read of the view is under locks. */
void mutant_holds_locks(void);

#endif
