/*
 * The operations of a filter that does not grow.
 */
#include "operations.h"

#include "explore.h"
#include "mutant.h"
#include "steps.h"

/* ---- Looks and moves ------------------------------------------------------------------------- */

static enum sighting look_surely(uint8_t element) {
    enum sighting seen;
    do {
        seen = look(tiny.level, &tiny.candidates[0][element]);
    } while (seen == UNCLEAR && mutant_change() != NO_VALIDATION);
    return seen == UNCLEAR ? NOT_THERE : seen;
}

static void move_held(struct spot from, uint8_t slot) {
    const struct candidates *c = &tiny.candidates[0][from.element];
    uint8_t other = from.side ^ 1;
    bool clear_first = mutant_change() == CLEAR_FIRST;
    if (clear_first) {
        empty_source(tiny.level, c->bucket[from.side], slot_mask(shape(), from.slot));
    }
    fill_for_move(tiny.level, c->bucket[other], tag_in(0, from.element, other, slot));
    if (!clear_first) {
        empty_source(tiny.level, c->bucket[from.side], slot_mask(shape(), from.slot));
    }
}

/* Whether the entry is where it was seen; the caller holds its stripe. */
static bool still_there(struct spot spot) {
    uint64_t word = held_word(tiny.level, tiny.candidates[0][spot.element].bucket[spot.side]);
    return mutant_change() == NO_SECOND_LOOK ||
           (word & slot_mask(shape(), spot.slot)) == tag_in(0, spot.element, spot.side, spot.slot);
}

static bool slot_is_free(uint8_t element, uint8_t side, uint8_t slot) {
    uint64_t word = held_word(tiny.level, tiny.candidates[0][element].bucket[side]);
    return (word & slot_mask(shape(), slot)) == 0;
}

/* ---- Operations ------------------------------------------------------------------------------ */

void contains(uint8_t element) {
    explore_call(CONTAINS, element);
    explore_return(look_surely(element) == NOT_THERE ? NO : YES);
}

void insert(uint8_t element, uint8_t side) {
    explore_call(INSERT, element);
    lock_stripes(one_stripe(0, element, side));
    bool filled = fill_window(0, element, side);
    unlock_stripes(one_stripe(0, element, side));
    explore_return(filled ? YES : REFUSED);
}

/* The mutant locks, and fills, only the side where it saw room. */
static uint8_t side_with_room(uint8_t element) {
    const struct candidates *c = &tiny.candidates[0][element];
    uint64_t word = search_word(tiny.level, c->bucket[HOME]);
    return empty_slots(shape(), word, c->pattern[HOME]) != 0 ? HOME : AWAY;
}

void insert_unique(uint8_t element) {
    explore_call(INSERT_UNIQUE, element);
    if (look_surely(element) != NOT_THERE) {
        explore_return(NO);
        return;
    }
    bool mutant = mutant_change() == ONE_SIDE_LOCKED;
    uint8_t side = mutant ? side_with_room(element) : HOME;
    uint32_t set = mutant ? one_stripe(0, element, side) : both_stripes(0, element);
    uint8_t result = REFUSED;
    lock_stripes(set);
    if (copies_held(0, element) > 0) {
        result = NO;
    } else if (fill_window(0, element, side) || (!mutant && fill_window(0, element, AWAY))) {
        result = YES;
    }
    unlock_stripes(set);
    explore_return(result);
}

void remove_at(uint8_t element, uint8_t side) {
    explore_call(REMOVE, element);
    lock_stripes(one_stripe(0, element, side));
    bool removed = empty_window(0, element, side);
    unlock_stripes(one_stripe(0, element, side));
    explore_return(removed ? YES : NO);
}

void remove_any(uint8_t element) {
    explore_call(REMOVE, element);
    enum sighting seen = look_surely(element);
    if (seen == NOT_THERE) {
        explore_return(NO);
        return;
    }
    uint8_t side = seen == SEEN_AWAY ? AWAY : HOME;
    lock_stripes(one_stripe(0, element, side));
    bool removed = empty_window(0, element, side);
    unlock_stripes(one_stripe(0, element, side));
    if (!removed) {
        lock_stripes(both_stripes(0, element));
        removed = empty_window(0, element, HOME) || empty_window(0, element, AWAY);
        unlock_stripes(both_stripes(0, element));
    }
    explore_return(removed ? YES : NO);
}

void move_any(uint8_t element, uint8_t side) {
    const struct candidates *c = &tiny.candidates[0][element];
    uint8_t other = side ^ 1;
    lock_stripes(both_stripes(0, element));
    uint64_t word = held_word(tiny.level, c->bucket[side]);
    uint64_t there = matching_slots(shape(), word, c->pattern[side]);
    word = held_word(tiny.level, c->bucket[other]);
    uint64_t free = empty_slots(shape(), word, c->pattern[other]);
    if (there != 0 && free != 0) {
        struct spot from = {element, side, slot_number(there)};
        move_held(from, slot_number(free));
    }
    unlock_stripes(both_stripes(0, element));
}

void move(struct spot from, uint8_t slot) {
    lock_stripes(both_stripes(0, from.element));
    if (still_there(from) && slot_is_free(from.element, from.side ^ 1, slot)) {
        move_held(from, slot);
    }
    unlock_stripes(both_stripes(0, from.element));
}

void insert_along(uint8_t element, uint8_t side, const struct spot *hop, uint32_t hops,
                  uint8_t free_slot) {
    explore_call(INSERT, element);
    uint32_t set = 0;
    for (uint32_t i = 0; i < hops; i++) {
        set |= both_stripes(0, hop[i].element);
    }
    lock_stripes(set);
    const struct spot *last = &hop[hops - 1];
    bool stands = slot_is_free(last->element, last->side ^ 1, free_slot);
    for (uint32_t i = 0; i < hops && stands; i++) {
        stands = still_there(hop[i]);
    }
    for (uint32_t i = hops; i > 0 && stands; i--) {
        move_held(hop[i - 1], i == hops ? free_slot : hop[i].slot);
    }
    if (stands) {
        fill_and_complete(tiny.level, tiny.candidates[0][element].bucket[side],
                          tag_in(0, element, side, hop[0].slot));
    }
    unlock_stripes(set);
    explore_return(stands ? YES : REFUSED);
}

static uint64_t all_removals(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tiny.stripes; i++) {
        sum += word_load(&tiny.removals[i], ORDER_COUNTER_BEFORE);
    }
    return sum;
}

bool search_fails(uint32_t first, uint32_t second, uint64_t *removals) {
    mutant_begin_search();
    *removals = all_removals();
    uint64_t one = search_word(tiny.level, first);
    uint64_t two = search_word(tiny.level, second);
    uint64_t free = zero_slots(shape(), one, shape()->shape.all_top) |
                    zero_slots(shape(), two, shape()->shape.all_top);
    return free == 0 && all_removals() == *removals;
}
