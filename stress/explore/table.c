/*
 * Setting up the tiny table or tables, judging what is left of them, showing it.
 */
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"

enum { TAG_BITS = 32, WINDOW = 2, FINGERPRINTS = 1 << 30 };

/* A bucket that is not in the machine's memory, as nobody has to do with it. */
enum { NOWHERE = MAX_LOCATIONS };

struct tiny_table tiny;

/* ---- Before a run ---------------------------------------------------------------------------- */

static atomic_word new_location(void) {
    if (tiny.locations == MAX_LOCATIONS) {
        explore_fail("more than %d locations", MAX_LOCATIONS);
    }
    return (atomic_word){tiny.locations++};
}

static void have_word(uint32_t level, uint64_t bucket) {
    if (tiny.words[level][bucket].location == NOWHERE) {
        tiny.words[level][bucket] = new_location();
    }
}

static void begin_level(uint32_t level, uint32_t buckets, uint32_t stripe_shift, bool whole) {
    struct table *t = &tiny.level[level];
    if (buckets > MAX_TABLE_BUCKETS ||
        guira__geometry_with(buckets, TAG_BITS, WINDOW, FINGERPRINTS >> level, &t->geometry) !=
            GUIRA_OK) {
        explore_fail("no such geometry");
    }
    t->words = tiny.words[level];
    t->removals = tiny.removals;
    t->stripe_shift = stripe_shift;
    for (uint32_t i = 0; i < MAX_TABLE_BUCKETS; i++) {
        tiny.words[level][i].location = NOWHERE;
    }
    for (uint32_t i = 0; i < buckets && whole; i++) {
        have_word(level, i);
    }
}

static void begin(uint32_t buckets, uint32_t stripe_shift, uint32_t levels, uint32_t whole) {
    memset(&tiny, 0, sizeof tiny);
    tiny.levels = levels;
    tiny.stripes = ((buckets - 1) >> stripe_shift) + 1;
    for (uint32_t i = 0; i < levels; i++) {
        begin_level(i, buckets << i, stripe_shift + i, i < whole);
    }
    for (uint32_t i = 0; i < tiny.stripes; i++) {
        tiny.removals[i] = new_location();
    }
}

void table_begin(uint32_t buckets, uint32_t stripe_shift) {
    begin(buckets, stripe_shift, 1, 1);
}

void levels_begin(uint32_t buckets, uint32_t stripe_shift, uint32_t levels, uint32_t emptied) {
    begin(buckets, stripe_shift, levels, emptied);
    tiny.view = new_location();
    tiny.unfinished = new_location();
    for (uint32_t i = 0; i < tiny.stripes; i++) {
        tiny.cursors[i] = new_location();
    }
}

/* Whether the element of that number is away where it is wanted; if so, it is that element. */
static bool is_away(uint8_t element, uint64_t number, const uint32_t *away) {
    for (uint32_t i = 0; i < tiny.levels; i++) {
        const struct geometry *g = &tiny.level[i].geometry;
        tiny.candidates[i][element] = candidates_of(g, element_in(g, number));
        if (tiny.candidates[i][element].bucket[AWAY] != away[i]) {
            return false;
        }
    }
    return true;
}

/* Any fingerprint that is shifted as far as wanted; each element another one. */
void levels_element(uint8_t element, uint32_t home, const uint32_t *away) {
    uint64_t number = home * tiny.level[tiny.levels - 1].geometry.fingerprints;
    number += UINT64_C(10000) * element;
    while (!is_away(element, number, away)) {
        number++;
    }
    tiny.known[element] = true;
    for (uint32_t i = 0; i < tiny.levels; i++) {
        have_word(i, tiny.candidates[i][element].bucket[HOME]);
        have_word(i, tiny.candidates[i][element].bucket[AWAY]);
    }
}

void table_element(uint8_t element, uint32_t home, uint32_t away) {
    levels_element(element, home, &away);
}

void levels_put(struct machine *m, uint32_t level, uint8_t element, uint8_t side, uint8_t slot) {
    uint64_t bucket = tiny.candidates[level][element].bucket[side];
    uint32_t location = tiny.words[level][bucket].location;
    m->location[location].store[0].value |= tag_in(level, element, side, slot);
    tiny.copies[element]++;
}

void table_put(struct machine *m, uint8_t element, uint8_t side, uint8_t slot) {
    levels_put(m, 0, element, side, slot);
}

void levels_view(struct machine *m, uint64_t word) {
    m->location[tiny.view.location].store[0].value = word;
    m->location[tiny.unfinished.location].store[0].value = tiny.stripes;
}

uint32_t table_locations(void) {
    return tiny.locations;
}

/* ---- After a run ----------------------------------------------------------------------------- */

bool table_entry(uint32_t level, uint64_t bucket, uint64_t word, uint32_t slot, uint8_t *element,
                 uint8_t *side) {
    uint64_t bits = word & slot_mask(shape(), slot);
    for (unsigned e = 0; e < MAX_ELEMENTS; e++) {
        for (unsigned s = HOME; s <= AWAY && bits != 0 && tiny.known[e]; s++) {
            if (tiny.candidates[level][e].bucket[s] == bucket &&
                tag_in(level, (uint8_t)e, (uint8_t)s, slot) == bits) {
                *element = (uint8_t)e;
                *side = (uint8_t)s;
                return true;
            }
        }
    }
    return false;
}

/* Add up the entries of one word; false if there is nonsense. */
static bool count_entries(uint32_t level, uint64_t bucket, uint64_t word, uint8_t *copies) {
    for (uint32_t slot = 0; slot < shape()->shape.slots; slot++) {
        uint8_t element;
        uint8_t side;
        if (table_entry(level, bucket, word, slot, &element, &side)) {
            copies[element]++;
        } else if ((word & slot_mask(shape(), slot)) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether a level is one of those that hold the elements at the end. */
static bool is_in_use(const struct machine *end, uint32_t level) {
    if (tiny.levels == 1) {
        return true;
    }
    uint64_t view = machine_newest(end, tiny.view.location);
    return level == view_to(view) || level == view_from(view);
}

const char *table_check(const struct machine *end) {
    uint8_t copies[MAX_ELEMENTS] = {0};
    for (uint32_t level = 0; level < tiny.levels; level++) {
        for (uint32_t i = 0; i < tiny.level[level].geometry.buckets; i++) {
            uint32_t location = tiny.words[level][i].location;
            uint64_t word = location == NOWHERE ? 0 : machine_newest(end, location);
            if (!count_entries(level, i, word, copies)) {
                return "a slot holds what nobody put there";
            }
            if (word != 0 && !is_in_use(end, level)) {
                return "an entry is left in a table that is no longer in use";
            }
        }
    }
    return history_explained(end, tiny.copies, copies)
               ? NULL
               : "no order of the calls explains their results and the entries left";
}

/* ---- For traces ------------------------------------------------------------------------------ */

static bool find_word(uint32_t location, uint32_t *level, uint32_t *bucket) {
    for (*level = 0; *level < tiny.levels; ++*level) {
        for (*bucket = 0; *bucket < MAX_TABLE_BUCKETS; ++*bucket) {
            if (tiny.words[*level][*bucket].location == location) {
                return true;
            }
        }
    }
    return false;
}

static const char *other_name(uint32_t location, uint32_t *number) {
    for (*number = 0; *number < tiny.stripes; ++*number) {
        if (tiny.removals[*number].location == location) {
            return "counter";
        }
        if (tiny.levels > 1 && tiny.cursors[*number].location == location) {
            return "cursor";
        }
    }
    *number = 0;
    bool grows = tiny.levels > 1;
    return grows && tiny.view.location == location         ? "view"
           : grows && tiny.unfinished.location == location ? "unfinished"
                                                           : "flag";
}

const char *table_location_name(uint32_t location) {
    static char name[32];
    uint32_t level;
    uint32_t bucket;
    if (find_word(location, &level, &bucket)) {
        (void)snprintf(name, sizeof name, "word %u.%u", level, bucket);
    } else {
        uint32_t number;
        const char *kind = other_name(location, &number);
        (void)snprintf(name, sizeof name, "%s %u", kind, number);
    }
    return name;
}

/* A word as its slots: X is X on its side 0, x on its side 1. */
void table_print_value(uint32_t location, uint64_t value) {
    uint32_t level;
    uint32_t bucket;
    if (!find_word(location, &level, &bucket)) {
        if (tiny.levels > 1 && location == tiny.view.location) {
            printf("%llu: %u to %u", (unsigned long long)view_step(value), view_from(value),
                   view_to(value));
        } else {
            printf("%llu", (unsigned long long)value);
        }
        return;
    }
    putchar('[');
    for (uint32_t slot = 0; slot < shape()->shape.slots; slot++) {
        uint8_t element;
        uint8_t side;
        bool holds = table_entry(level, bucket, value, slot, &element, &side);
        int name = holds ? ELEMENT_NAMES[element] : '.';
        printf("%s%c", slot == 0 ? "" : " ", holds && side == AWAY ? name - 'A' + 'a' : name);
    }
    putchar(']');
}
