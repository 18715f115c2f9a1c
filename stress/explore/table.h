/*
 * A tiny table in the machine's memory: buckets of two slots, elements that may use all four slots
 * of their two buckets. Or, for a filter that grows, a table for each level. Of these only such
 * buckets are in the memory as a program needs: all that it may empty, and those that its elements
 * may be in.
 */
#ifndef GUIRA_EXPLORE_TABLE_H
#define GUIRA_EXPLORE_TABLE_H

#include "view.h"

#include "history.h"
#include "machine.h"

/* Elements; their names in traces are these letters. */
enum { X, Y, Z, V, W };
#define ELEMENT_NAMES "XYZVW"

/* The sides of an element. */
enum { HOME, AWAY };

enum { MAX_TABLE_BUCKETS = 8, MAX_TINY_LEVELS = 3, MAX_TINY_STRIPES = 4 };

/* Constant while a program is explored; what changes is in the machine. */
struct tiny_table {
    struct table level[MAX_TINY_LEVELS];
    uint32_t levels; /* 1: it does not grow */
    uint32_t stripes;
    atomic_word words[MAX_TINY_LEVELS][MAX_TABLE_BUCKETS];
    atomic_word removals[MAX_TINY_STRIPES];
    /* Of a filter that grows, as in lib/growth.h. */
    atomic_word view;
    atomic_word unfinished;
    atomic_word cursors[MAX_TINY_STRIPES];
    uint32_t locations;
    struct candidates candidates[MAX_TINY_LEVELS][MAX_ELEMENTS];
    bool known[MAX_ELEMENTS];
    uint8_t copies[MAX_ELEMENTS]; /* before the run */
};

extern struct tiny_table tiny;

/* Before a run. */
void table_begin(uint32_t buckets, uint32_t stripe_shift);
void table_element(uint8_t element, uint32_t home, uint32_t away);
void table_put(struct machine *m, uint8_t element, uint8_t side, uint8_t slot);
uint32_t table_locations(void); /* those above are the program's own */

/* Likewise with so many levels, the first of which has so many buckets; the first of these, as many
 * as said, may be emptied into another. */
void levels_begin(uint32_t buckets, uint32_t stripe_shift, uint32_t levels, uint32_t emptied);
/* Home is the bucket in the last level, away are those in all. */
void levels_element(uint8_t element, uint32_t home, const uint32_t *away);
void levels_put(struct machine *m, uint32_t level, uint8_t element, uint8_t side, uint8_t slot);
/* Begin with this view: `unfinished` is as the start of a migration sets it. */
void levels_view(struct machine *m, uint64_t word);

/* The element in a slot and its side, or false if the slot is empty or holds nonsense. */
bool table_entry(uint32_t level, uint64_t bucket, uint64_t word, uint32_t slot, uint8_t *element,
                 uint8_t *side);

/* After a run: what is wrong with its calls' results and what it left, or NULL. */
const char *table_check(const struct machine *end);

/* For traces. */
const char *table_location_name(uint32_t location);
void table_print_value(uint32_t location, uint64_t value);

/* Also of all levels, as they differ only in what it does not tell. */
static inline const struct geometry *shape(void) {
    return &tiny.level[0].geometry;
}

/* The bits of an entry. */
static inline uint64_t tag_in(uint32_t level, uint8_t element, uint8_t side, uint32_t slot) {
    return tiny.candidates[level][element].pattern[side].tags & slot_mask(shape(), slot);
}

#endif
