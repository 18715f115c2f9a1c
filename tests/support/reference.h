/*
 * The slow, obvious reading of the design: where an element may be and what it leaves in a slot,
 * with divisions, remainders and loops over slots. Shares no code with lib/ but the type of a word.
 */
#ifndef GUIRA_TESTS_REFERENCE_H
#define GUIRA_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "atomic.h"

enum { REF_MAX_SLOTS = 32 };

struct ref_shape {
    uint64_t M;
    uint32_t f, k, w, P, O;
    uint64_t Q, U;
};

/* A slot that an element may use, and the tag that it has there. */
struct ref_slot {
    uint64_t bucket;
    uint32_t slot;
    uint64_t tag;
};

/* False if there is no such geometry. */
bool ref_shape(uint64_t buckets, uint32_t tag_bits, uint32_t window, struct ref_shape *out);

uint64_t ref_element(const struct ref_shape *s, uint64_t hash);
/* The smallest hash that means the element. */
uint64_t ref_hash_of(const struct ref_shape *s, uint64_t element);

/* The element's 2w slots, side 0 first. */
unsigned ref_slots(const struct ref_shape *s, uint64_t element, struct ref_slot out[REF_MAX_SLOTS]);
/* The element whose tag sits there. */
uint64_t ref_element_at(const struct ref_shape *s, uint64_t bucket, uint32_t slot, uint64_t tag);

uint64_t ref_tag(const struct ref_shape *s, const atomic_word *words, uint64_t bucket,
                 uint32_t slot);
/* How many of the element's slots are empty, and how many hold it. */
unsigned ref_empty(const struct ref_shape *s, const atomic_word *words, uint64_t element);
unsigned ref_copies(const struct ref_shape *s, const atomic_word *words, uint64_t element);

/*
 * The fewest moves that make room for the element, -1 if that takes more than `limit`. Each slot
 * is looked at once, so on tables of fewer slots than the budget the library must find as much.
 */
int ref_moves_to_room(const struct ref_shape *s, const atomic_word *words, uint64_t element,
                      int limit);

#endif
