/*
 * A filter that grows, and where mutants change what it does.
 */
#include "growing.h"

#include "explore.h"
#include "mutant.h"
#include "steps.h"

/* What is not an answer of a call: the view has changed. */
enum { AGAIN = REFUSED + 1 };

static const struct tables tables = {tiny.level, &tiny.view};

static struct view view_now(void) {
    return view_of(&tables);
}

static bool is_the_view(const struct view *v) {
    mutant_holds_locks();
    return view_holds(&tables, v);
}

/* Whether a change may be made that was prepared under the view; the caller holds its locks. */
static bool view_stands(const struct view *v) {
    return mutant_change() == VIEW_NOT_HELD || is_the_view(v);
}

static struct sites sites_at(const struct view *v, uint8_t element) {
    return (struct sites){.now = tiny.candidates[view_to(v->word)][element],
                          .before = tiny.candidates[view_from(v->word)][element]};
}

static uint32_t all_stripes(const struct view *v, uint8_t element) {
    return both_stripes(view_to(v->word), element) | both_stripes(view_from(v->word), element);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static enum sighting look_at(const struct view *v, uint8_t element) {
    struct sites s = sites_at(v, element);
    bool in_both = view_from(v->word) != view_to(v->word);
    mutant_begin_look(in_both);
    if (mutant_change() == VIEW_UNVALIDATED) {
        return in_both ? look_in_both(v, &s) : look(&tiny.level[view_to(v->word)], &s.now);
    }
    return look_under(&tables, v, &s);
}

static enum sighting look_surely(struct view *v, uint8_t element) {
    enum sighting seen;
    do {
        *v = view_now();
        seen = look_at(v, element);
    } while (seen == UNCLEAR);
    return seen;
}

void growing_contains(uint8_t element) {
    explore_call(CONTAINS, element);
    struct view v;
    explore_return(look_surely(&v, element) == NOT_THERE ? NO : YES);
}

static uint8_t insert_in_one(const struct view *v, uint8_t element, uint8_t side) {
    uint32_t set = one_stripe(view_to(v->word), element, side);
    uint8_t result = AGAIN;
    lock_stripes(set);
    if (view_stands(v)) {
        result = fill_window(view_to(v->word), element, side) ? YES : REFUSED;
    }
    unlock_stripes(set);
    return result;
}

/* Whether so many copies are there that no more may come: NO, REFUSED, or YES for one more. */
static uint8_t admit(const struct view *v, uint8_t element, bool unique) {
    uint32_t copies = copies_held(view_to(v->word), element);
    copies += v->from != NULL ? copies_held(view_from(v->word), element) : 0;
    if (unique) {
        return copies > 0 ? NO : YES;
    }
    return copies >= 2 * shape()->shape.window_slots ? REFUSED : YES;
}

static uint8_t insert_admitted(const struct view *v, uint8_t element, uint8_t side, bool unique) {
    uint32_t to = view_to(v->word);
    uint32_t set =
        mutant_change() == NEW_PLACES_LOCKED ? both_stripes(to, element) : all_stripes(v, element);
    uint8_t result = AGAIN;
    lock_stripes(set);
    if (view_stands(v)) {
        result = admit(v, element, unique);
        if (result == YES && !fill_window(to, element, side) &&
            !fill_window(to, element, side ^ 1)) {
            result = REFUSED;
        }
    }
    unlock_stripes(set);
    return result;
}

void growing_insert(uint8_t element, uint8_t side) {
    explore_call(INSERT, element);
    uint8_t result;
    do {
        struct view v = view_now();
        result = v.from == NULL ? insert_in_one(&v, element, side)
                                : insert_admitted(&v, element, side, false);
    } while (result == AGAIN);
    explore_return(result);
}

void growing_insert_unique(uint8_t element) {
    explore_call(INSERT_UNIQUE, element);
    uint8_t result;
    do {
        struct view v;
        result =
            look_surely(&v, element) != NOT_THERE ? NO : insert_admitted(&v, element, HOME, true);
    } while (result == AGAIN);
    explore_return(result);
}

static bool remove_from_one(const struct view *v, uint8_t element, uint8_t side) {
    uint32_t set = one_stripe(view_to(v->word), element, side);
    lock_stripes(set);
    bool removed = view_stands(v) && empty_window(view_to(v->word), element, side);
    unlock_stripes(set);
    return removed;
}

static bool empty_either_window(uint32_t level, uint8_t element) {
    return empty_window(level, element, HOME) || empty_window(level, element, AWAY);
}

static uint8_t remove_held(const struct view *v, uint8_t element) {
    uint32_t set = all_stripes(v, element);
    uint8_t result = AGAIN;
    lock_stripes(set);
    if (view_stands(v)) {
        bool removed = (v->from != NULL && empty_either_window(view_from(v->word), element)) ||
                       empty_either_window(view_to(v->word), element);
        result = removed ? YES : NO;
    }
    unlock_stripes(set);
    return result;
}

void growing_remove(uint8_t element) {
    explore_call(REMOVE, element);
    uint8_t result;
    do {
        struct view v;
        enum sighting seen = look_surely(&v, element);
        if (seen == NOT_THERE) {
            result = NO;
        } else if (v.from == NULL && remove_from_one(&v, element, seen == SEEN_AWAY)) {
            result = YES;
        } else {
            result = remove_held(&v, element);
        }
    } while (result == AGAIN);
    explore_return(result);
}

/* ---- Moves ----------------------------------------------------------------------------------- */

void growing_move(uint8_t element, uint8_t side) {
    struct view v = view_now();
    uint32_t to = view_to(v.word);
    const struct candidates *c = &tiny.candidates[to][element];
    uint8_t other = side ^ 1;
    lock_stripes(both_stripes(to, element));
    uint64_t there = matching_slots(shape(), held_word(v.to, c->bucket[side]), c->pattern[side]);
    uint64_t free = empty_slots(shape(), held_word(v.to, c->bucket[other]), c->pattern[other]);
    if (view_stands(&v) && there != 0 && free != 0) {
        fill_for_move(v.to, c->bucket[other], tag_in(to, element, other, slot_number(free)));
        empty_source(v.to, c->bucket[side], slot_mask(shape(), slot_number(there)));
    }
    unlock_stripes(both_stripes(to, element));
}

static void empty_across(const struct table *from, uint64_t bucket, uint32_t slot) {
    if (mutant_change() == ACROSS_NO_COUNTER) {
        uint64_t word = held_word(from, bucket) & ~slot_mask(shape(), slot);
        word_store(&from->words[bucket], word, memory_order_release);
    } else {
        empty_source(from, bucket, slot_mask(shape(), slot));
    }
}

/* W4 from table to table, if that side has room. */
static bool move_across(const struct view *v, uint64_t bucket, uint32_t slot, uint8_t element,
                        uint8_t side) {
    uint32_t to = view_to(v->word);
    const struct candidates *c = &tiny.candidates[to][element];
    bool clear_first = mutant_change() == ACROSS_CLEAR_FIRST;
    uint64_t free = empty_slots(shape(), held_word(v->to, c->bucket[side]), c->pattern[side]);
    if (free == 0) {
        return false;
    }
    if (clear_first) {
        empty_across(v->from, bucket, slot);
    }
    fill_for_move(v->to, c->bucket[side], tag_in(to, element, side, slot_number(free)));
    if (!clear_first) {
        empty_across(v->from, bucket, slot);
    }
    return true;
}

/* To one side, with the locks of the entry and of that side. True also if it has gone, or the view.
 * */
static bool move_entry_to(const struct view *v, uint64_t bucket, uint32_t slot, uint8_t element,
                          uint64_t tag, uint8_t side) {
    uint32_t own = UINT32_C(1) << stripe_of(v->from, bucket);
    own |= one_stripe(view_to(v->word), element, side);
    lock_stripes(own);
    bool stands = view_stands(v) && (held_word(v->from, bucket) & slot_mask(shape(), slot)) == tag;
    bool done = !stands || move_across(v, bucket, slot, element, side);
    unlock_stripes(own);
    return done;
}

static void move_entry(const struct view *v, uint64_t bucket, uint32_t slot, uint8_t element,
                       uint64_t tag) {
    if (!move_entry_to(v, bucket, slot, element, tag, HOME)) {
        (void)move_entry_to(v, bucket, slot, element, tag, AWAY);
    }
}

static void move_bucket(const struct view *v, uint64_t bucket) {
    uint64_t word = search_word(v->from, bucket);
    for (uint32_t slot = 0; slot < shape()->shape.slots; slot++) {
        uint8_t element;
        uint8_t side;
        if (table_entry(view_from(v->word), bucket, word, slot, &element, &side)) {
            move_entry(v, bucket, slot, element, word & slot_mask(shape(), slot));
        }
    }
}

/* ---- Starting, migrating, ending ------------------------------------------------------------- */

uint32_t growing_locks(void) {
    return tiny.stripes + 1;
}

static void start(uint32_t level, const struct view *v) {
    explore_lock(tiny.stripes);
    if (is_the_view(v)) {
        word_store(&tiny.unfinished, tiny.stripes, memory_order_relaxed);
        view_publish(&tables, view_word(view_step(v->word) + 1, view_to(v->word), level));
    }
    explore_unlock(tiny.stripes);
}

void growing_start(void) {
    struct view v = view_now();
    uint32_t level = view_to(v.word) + 1;
    if (v.from == NULL && level < tiny.levels) {
        start(level, &v);
    }
}

void growing_shrink(void) {
    struct view v = view_now();
    uint32_t level = view_to(v.word);
    if (v.from == NULL && level > 0) {
        start(level - 1, &v);
    }
}

/* A cursor says how many buckets are known to be empty, and in which step. */
enum { CURSOR_BITS = 4 };

static uint64_t cursor_read(const struct view *v, uint32_t stripe) {
    uint64_t cursor = word_load(&tiny.cursors[stripe], memory_order_relaxed);
    return cursor >> CURSOR_BITS == view_step(v->word) ? cursor & ((1 << CURSOR_BITS) - 1) : 0;
}

static void cursor_write(const struct view *v, uint32_t stripe, uint64_t done) {
    word_store(&tiny.cursors[stripe], view_step(v->word) << CURSOR_BITS | done,
               memory_order_relaxed);
}

enum progress { HAS_ENTRIES, FINISHED, WAS_FINISHED };

static enum progress advance_held(const struct view *v, uint32_t stripe, uint64_t *bucket) {
    uint64_t count = UINT64_C(1) << v->from->stripe_shift;
    uint64_t before = cursor_read(v, stripe);
    uint64_t cursor = before;
    *bucket = stripe * count + cursor;
    if (!view_stands(v) || before == count) {
        return WAS_FINISHED;
    }
    while (cursor < count && held_word(v->from, *bucket) == 0) {
        cursor++;
        ++*bucket;
    }
    cursor_write(v, stripe, cursor);
    return cursor == count ? FINISHED : HAS_ENTRIES;
}

/* For the mutant that believes this. */
static bool looks_empty(const struct view *v, uint32_t stripe) {
    uint64_t count = UINT64_C(1) << v->from->stripe_shift;
    for (uint64_t i = 0; i < count; i++) {
        if (search_word(v->from, stripe * count + i) != 0) {
            return false;
        }
    }
    return true;
}

static enum progress advance(const struct view *v, uint32_t stripe, uint64_t *bucket) {
    if (mutant_change() == EMPTY_UNVISITED && looks_empty(v, stripe)) {
        return FINISHED;
    }
    lock_stripes(UINT32_C(1) << stripe);
    enum progress progress = advance_held(v, stripe, bucket);
    unlock_stripes(UINT32_C(1) << stripe);
    return progress;
}

void growing_migrate(uint32_t stripe) {
    struct view v = view_now();
    if (v.from == NULL) {
        return;
    }
    enum progress progress;
    uint64_t bucket;
    while ((progress = advance(&v, stripe, &bucket)) == HAS_ENTRIES) {
        move_bucket(&v, bucket);
    }
    if (progress == FINISHED && was_last_stripe(&tiny.unfinished)) {
        uint32_t to = view_to(v.word);
        view_publish(&tables, view_word(view_step(v.word) + 1, to, to));
    }
}

void growing_migrate_all(void) {
    for (uint32_t i = 0; i < tiny.stripes; i++) {
        growing_migrate(i);
    }
}
