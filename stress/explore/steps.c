/*
 * The steps of a writer that holds its locks, and where mutants change them.
 */
#include "steps.h"

#include "explore.h"
#include "mutant.h"

/* ---- Locks ----------------------------------------------------------------------------------- */

static uint32_t stripe_at(uint32_t level, uint8_t element, uint8_t side) {
    return (uint32_t)stripe_of(&tiny.level[level], tiny.candidates[level][element].bucket[side]);
}

void lock_stripes(uint32_t set) {
    for (uint32_t i = 0; i < tiny.stripes; i++) {
        if ((set >> i & 1) != 0) {
            explore_lock(i);
        }
    }
}

void unlock_stripes(uint32_t set) {
    for (uint32_t i = 0; i < tiny.stripes; i++) {
        if ((set >> i & 1) != 0) {
            explore_unlock(i);
        }
    }
}

uint32_t one_stripe(uint32_t level, uint8_t element, uint8_t side) {
    return UINT32_C(1) << stripe_at(level, element, side);
}

uint32_t both_stripes(uint32_t level, uint8_t element) {
    return one_stripe(level, element, HOME) | one_stripe(level, element, AWAY);
}

/* ---- Steps, and the mutants that change them ------------------------------------------------- */

/* W3 with its counter left out or late. */
static void empty_otherwise(const struct table *t, uint64_t bucket, uint64_t slot_bits,
                            memory_order order) {
    word_store(&t->words[bucket], held_word(t, bucket) & ~slot_bits, order);
    if (mutant_change() == COUNTER_LATE) {
        announce_removal(t, bucket);
    }
}

static bool counter_is_right(void) {
    return mutant_change() != NO_COUNTER && mutant_change() != COUNTER_LATE;
}

static void empty_last(const struct table *t, uint64_t bucket, uint64_t slot_bits) {
    if (counter_is_right()) {
        empty_and_complete(t, bucket, slot_bits);
    } else {
        empty_otherwise(t, bucket, slot_bits, memory_order_seq_cst);
    }
}

void empty_source(const struct table *t, uint64_t bucket, uint64_t slot_bits) {
    if (counter_is_right()) {
        empty_after_move(t, bucket, slot_bits);
    } else {
        empty_otherwise(t, bucket, slot_bits, memory_order_release);
    }
}

bool fill_window(uint32_t level, uint8_t element, uint8_t side) {
    const struct table *t = &tiny.level[level];
    uint64_t bucket = tiny.candidates[level][element].bucket[side];
    struct pattern p = tiny.candidates[level][element].pattern[side];
    uint64_t empty = empty_slots(shape(), held_word(t, bucket), p);
    if (empty != 0) {
        fill_and_complete(t, bucket, p.tags & lowest_slot_mask(shape(), empty));
    }
    return empty != 0;
}

bool empty_window(uint32_t level, uint8_t element, uint8_t side) {
    const struct table *t = &tiny.level[level];
    uint64_t bucket = tiny.candidates[level][element].bucket[side];
    struct pattern p = tiny.candidates[level][element].pattern[side];
    uint64_t matches = matching_slots(shape(), held_word(t, bucket), p);
    if (matches != 0) {
        empty_last(t, bucket, lowest_slot_mask(shape(), matches));
    }
    return matches != 0;
}

uint32_t copies_held(uint32_t level, uint8_t element) {
    const struct table *t = &tiny.level[level];
    const struct candidates *c = &tiny.candidates[level][element];
    uint64_t home = matching_slots(shape(), held_word(t, c->bucket[HOME]), c->pattern[HOME]);
    uint64_t away = matching_slots(shape(), held_word(t, c->bucket[AWAY]), c->pattern[AWAY]);
    return bits_set(home) + bits_set(away);
}

uint8_t slot_number(uint64_t set) {
    return (uint8_t)(lowest_bit(set) / shape()->shape.tag_bits);
}
