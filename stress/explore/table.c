/*
 * Setting up the tiny table, judging what is left of it, showing it.
 */
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"

enum { TAG_BITS = 32, WINDOW = 2 };

struct tiny_table tiny;

/* ---- Before a run ---------------------------------------------------------------------------- */

void table_begin(uint32_t buckets, uint32_t stripe_shift) {
    memset(&tiny, 0, sizeof tiny);
    if (buckets > MAX_TABLE_BUCKETS ||
        guira__geometry(buckets, TAG_BITS, WINDOW, &tiny.table.geometry) != GUIRA_OK) {
        explore_fail("no such geometry");
    }
    tiny.stripes = ((buckets - 1) >> stripe_shift) + 1;
    for (uint32_t i = 0; i < buckets; i++) {
        tiny.words[i].location = i;
        tiny.removals[i].location = buckets + i;
    }
    tiny.table.words = tiny.words;
    tiny.table.removals = tiny.removals;
    tiny.table.stripe_shift = stripe_shift;
}

/* Any fingerprint that is shifted as far as wanted; each element another one. */
void table_element(uint8_t element, uint32_t home, uint32_t away) {
    struct element e = {.home.bucket = home};
    e.fingerprint = UINT64_C(1000) * element;
    while (place_of(shape(), e, 1).bucket != away) {
        e.fingerprint++;
    }
    tiny.candidates[element] = candidates_of(shape(), e);
    tiny.known[element] = true;
}

void table_put(struct machine *m, uint8_t element, uint8_t side, uint8_t slot) {
    uint64_t bucket = tiny.candidates[element].bucket[side];
    m->location[bucket].store[0].value |= tag_in(element, side, slot);
    tiny.copies[element]++;
}

uint32_t table_locations(void) {
    return (uint32_t)shape()->buckets + tiny.stripes;
}

/* ---- After a run ----------------------------------------------------------------------------- */

/* The element in a slot and its side, or false if the slot is empty or holds nonsense. */
static bool slot_entry(uint64_t bucket, uint64_t word, uint32_t slot, uint8_t *element,
                       uint8_t *side) {
    uint64_t bits = word & slot_mask(shape(), slot);
    for (unsigned e = 0; e < MAX_ELEMENTS; e++) {
        for (unsigned s = HOME; s <= AWAY && bits != 0 && tiny.known[e]; s++) {
            if (tiny.candidates[e].bucket[s] == bucket &&
                tag_in((uint8_t)e, (uint8_t)s, slot) == bits) {
                *element = (uint8_t)e;
                *side = (uint8_t)s;
                return true;
            }
        }
    }
    return false;
}

const char *table_check(const struct machine *end) {
    uint8_t copies[MAX_ELEMENTS] = {0};
    for (uint32_t i = 0; i < shape()->buckets; i++) {
        for (uint32_t slot = 0; slot < shape()->shape.slots; slot++) {
            uint64_t word = machine_newest(end, i);
            uint8_t element;
            uint8_t side;
            if (slot_entry(i, word, slot, &element, &side)) {
                copies[element]++;
            } else if ((word & slot_mask(shape(), slot)) != 0) {
                return "a slot holds what nobody put there";
            }
        }
    }
    return history_explained(end, tiny.copies, copies)
               ? NULL
               : "no order of the calls explains their results and the entries left";
}

const char *table_location_name(uint32_t location) {
    static char name[32];
    uint32_t buckets = (uint32_t)shape()->buckets;
    if (location < buckets) {
        (void)snprintf(name, sizeof name, "word %u", location);
    } else if (location < table_locations()) {
        (void)snprintf(name, sizeof name, "counter %u", location - buckets);
    } else {
        (void)snprintf(name, sizeof name, "flag");
    }
    return name;
}

/* A word as its slots: X is X on its side 0, x on its side 1. */
void table_print_value(uint32_t location, uint64_t value) {
    if (location >= shape()->buckets) {
        printf("%llu", (unsigned long long)value);
        return;
    }
    putchar('[');
    for (uint32_t slot = 0; slot < shape()->shape.slots; slot++) {
        uint8_t element;
        uint8_t side;
        bool holds = slot_entry(location, value, slot, &element, &side);
        int name = holds ? ELEMENT_NAMES[element] : '.';
        printf("%s%c", slot == 0 ? "" : " ", holds && side == AWAY ? name - 'A' + 'a' : name);
    }
    putchar(']');
}
