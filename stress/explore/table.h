/*
 * A tiny table in the machine's memory: buckets of two slots, elements that may use all four slots
 * of their two buckets. The words are the machine's first locations, the stripes' counters follow.
 */
#ifndef GUIRA_EXPLORE_TABLE_H
#define GUIRA_EXPLORE_TABLE_H

#include "protocol.h"

#include "history.h"
#include "machine.h"

/* Elements; their names in traces are these letters. */
enum { X, Y, Z, V, W };
#define ELEMENT_NAMES "XYZVW"

/* The sides of an element. */
enum { HOME, AWAY };

enum { MAX_TABLE_BUCKETS = 3 };

/* Constant while a program is explored; what changes is in the machine. */
struct tiny_table {
    struct table table;
    atomic_word words[MAX_TABLE_BUCKETS];
    atomic_word removals[MAX_TABLE_BUCKETS];
    uint32_t stripes;
    struct candidates candidates[MAX_ELEMENTS];
    bool known[MAX_ELEMENTS];
    uint8_t copies[MAX_ELEMENTS]; /* before the run */
};

extern struct tiny_table tiny;

/* Before a run. */
void table_begin(uint32_t buckets, uint32_t stripe_shift);
void table_element(uint8_t element, uint32_t home, uint32_t away);
void table_put(struct machine *m, uint8_t element, uint8_t side, uint8_t slot);
uint32_t table_locations(void); /* those above are the program's own */

/* After a run: what is wrong with its calls' results and what it left, or NULL. */
const char *table_check(const struct machine *end);

/* For traces. */
const char *table_location_name(uint32_t location);
void table_print_value(uint32_t location, uint64_t value);

static inline const struct geometry *shape(void) {
    return &tiny.table.geometry;
}

/* The bits of an entry. */
static inline uint64_t tag_in(uint8_t element, uint8_t side, uint32_t slot) {
    return tiny.candidates[element].pattern[side].tags & slot_mask(shape(), slot);
}

#endif
