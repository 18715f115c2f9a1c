/*
 * The protocol and its mutants. Each line of lib/protocol.h that orders something is a site; a
 * mutant gives one or two sites a weaker order, or changes a step (see operations.c).
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
    SILENT_LOCKS     /* what was written before an unlock is not seen after the next lock */
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

/* A body starts: the sites are told apart by what it executes. */
void mutant_begin_body(void);
/* The next loads of counters are those of a search. */
void mutant_begin_search(void);

#endif
