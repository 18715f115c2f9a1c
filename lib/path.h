/*
 * Finding room: a path of entries, each of which can move to the next one's slot, that ends in an
 * empty slot. Found breadth first without any lock; it may be out of date at once, so whoever
 * carries it out checks it under locks.
 *
 *     hop 0                hop 1                 hop 2
 *     a slot that the      another slot that     an empty slot that
 *     new element can      hop 0's entry         hop 1's entry
 *     use                  can use               can use
 */
#ifndef GUIRA_LIB_PATH_H
#define GUIRA_LIB_PATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "guira/options.h"

#include "protocol.h"

struct hop {
    uint64_t bucket;
    uint32_t slot;
    uint64_t tag; /* what the slot held when the search saw it; 0 in the last hop only */
};

struct path {
    uint32_t length; /* number of moves; hop[length] is the empty slot */
    struct hop hop[MAX_MOVES + 1];
};

/* Both places of the element whose entry sits somewhere: the one it uses, and the other side's. */
struct places {
    struct place own;
    struct place other;
};

static inline struct places places_of(const struct geometry *g, uint64_t bucket, uint32_t slot,
                                      uint64_t tag) {
    struct entry entry = entry_of_tag(g, tag);
    struct shift shift = shift_of(g, entry.fingerprint);
    struct place own = place_of_entry(g, bucket, slot, entry);
    return (struct places){own, entry.side == 0 ? place_after(g, own, shift)
                                                : place_before(g, own, shift)};
}

/* The bits that the entry of one hop gets when it moves to the next hop's slot. */
static inline uint64_t moved_tag(const struct geometry *g, const struct hop *from,
                                 const struct hop *to) {
    struct places places = places_of(g, from->bucket, from->slot, from->tag);
    struct entry entry = entry_of_tag(g, from->tag);
    unsigned across = to->bucket != from->bucket; /* the two buckets of an element always differ */
    uint32_t lane = across ? places.other.lane : places.own.lane;
    struct pattern pattern = pattern_of(g, entry.fingerprint, entry.side ^ across, lane);
    return pattern.tags & slot_mask(g, to->slot);
}

/* ---- The search ----------------------------------------------------------------------------- */

/* An occupied slot that the search has reached. */
struct node {
    uint64_t at; /* bucket << SLOT_BITS | slot */
    uint32_t tag;
    uint16_t parent;  /* index in the queue */
    uint16_t visited; /* the slots of this bucket that the way here has used since it entered it */
};

enum {
    SLOT_BITS = 4, /* MAX_SLOTS is 16, and a table has less than 2^60 buckets */
    /* Up to so many slots in the whole table, each is reached only once in a search. In larger
     * tables reaching a slot twice is rare, and remembering all costs more than it saves. */
    SMALL_TABLE_SLOTS = 4096,
    /* The queue index of a node without parent: one of the new element's own slots. */
    NO_PARENT = UINT16_MAX,
    /* So many nodes before its turn a node's other bucket is prefetched; a power of two. */
    SEARCH_AHEAD = 8
};

_Static_assert(MAX_SLOTS == 1 << SLOT_BITS, "a slot fits its bits");

struct search {
    const struct table *table;
    uint32_t budget;
    uint32_t reached; /* nodes in the queue */
    uint32_t moves;   /* from a slot of the new element to those that are being reached */
    bool small;
    uint64_t seen[SMALL_TABLE_SLOTS / 64];
    struct places ahead[SEARCH_AHEAD];
    struct node queue[GUIRA_MAX_SEARCH_BUDGET];
};

static inline bool seen_before(struct search *s, uint64_t bucket, uint32_t slot) {
    uint64_t number = bucket * shape_of(&s->table->geometry)->slots + slot;
    uint64_t bit = UINT64_C(1) << (number % 64);
    bool seen = (s->seen[number / 64] & bit) != 0;
    s->seen[number / 64] |= bit;
    return seen;
}

static inline bool holds_slot(const struct path *path, uint32_t from, uint64_t bucket,
                              uint32_t slot) {
    for (uint32_t i = from; i <= path->length; i++) {
        if (path->hop[i].bucket == bucket && path->hop[i].slot == slot) {
            return true;
        }
    }
    return false;
}

/*
 * The path to an empty slot. False if it has a slot twice, which no one could carry out: if nothing
 * changes meanwhile, the search that goes breadth first has found the way without the loop before;
 * but what other threads do meanwhile can bring it about.
 */
static inline bool trace(const struct search *s, uint64_t bucket, uint32_t slot, uint16_t parent,
                         struct path *path) {
    path->length = s->moves;
    path->hop[path->length] = (struct hop){bucket, slot, 0};
    for (uint32_t i = path->length; parent != NO_PARENT; i--) {
        const struct node *node = &s->queue[parent];
        uint64_t node_bucket = node->at >> SLOT_BITS;
        uint32_t node_slot = node->at % MAX_SLOTS;
        if (holds_slot(path, i, node_bucket, node_slot)) {
            return false;
        }
        path->hop[i - 1] = (struct hop){node_bucket, node_slot, node->tag};
        parent = node->parent;
    }
    return true;
}

/*
 * Look at the slots of one window but those visited: an empty one ends the search (true); occupied
 * ones join the queue as children of `parent`.
 */
static inline bool reach_window(struct search *s, struct place place, uint16_t parent,
                                uint32_t visited, struct path *path) {
    const struct geometry *g = &s->table->geometry;
    const struct shape *shape = shape_of(g);
    uint64_t word = search_word(s->table, place.bucket);
    uint64_t empty = zero_slots(g, word, g->window[place.lane].top);
    if (empty != 0 && trace(s, place.bucket, lowest_bit(empty) / shape->tag_bits, parent, path)) {
        return true;
    }
    if (s->moves == MAX_MOVES) {
        return false;
    }
    for (uint32_t i = 0; i < shape->window_slots && s->reached < s->budget; i++) {
        uint32_t slot = place.lane + i;
        slot -= slot >= shape->slots ? shape->slots : 0;
        uint32_t bit = UINT32_C(1) << slot;
        uint64_t tag = slot_tag(g, word, slot);
        if ((visited & bit) == 0 && tag != 0 && !(s->small && seen_before(s, place.bucket, slot))) {
            s->queue[s->reached++] = (struct node){.at = place.bucket << SLOT_BITS | slot,
                                                   .tag = (uint32_t)tag,
                                                   .parent = parent,
                                                   .visited = (uint16_t)(visited | bit)};
        }
    }
    return false;
}

/* Find out where a node's entry could go, and have that on its way to the cache. */
static inline void look_ahead(struct search *s, uint32_t number) {
    const struct node *node = &s->queue[number];
    struct places places =
        places_of(&s->table->geometry, node->at >> SLOT_BITS, node->at % MAX_SLOTS, node->tag);
    __builtin_prefetch(&s->table->words[places.other.bucket]);
    s->ahead[number % SEARCH_AHEAD] = places;
}

/* Where a node's entry can go: within its own bucket only if windows are smaller than that. */
static inline bool expand(struct search *s, uint32_t number, struct path *path) {
    struct places places = s->ahead[number % SEARCH_AHEAD];
    uint32_t visited = s->queue[number].visited;
    return (shape_of(&s->table->geometry)->offsets > 1 &&
            reach_window(s, places.own, (uint16_t)number, visited, path)) ||
           reach_window(s, places.other, (uint16_t)number, 0, path);
}

/*
 * Search for room for the element, trying to move no more than `budget` entries, for each of which
 * it looks at the slots of two windows. Returns whether a path was found, which has no slot twice;
 * adds the entries tried to *nodes. Changes nothing.
 */
static APART bool find_path(const struct table *t, struct element e, uint32_t budget,
                            struct path *path, uint64_t *nodes) {
    const struct geometry *g = &t->geometry;
    struct search s; /* 65 KiB, of which only the part that a search reaches is touched */
    s.table = t;
    s.budget = budget;
    s.reached = 0;
    s.moves = 0;
    s.small = g->buckets <= SMALL_TABLE_SLOTS / shape_of(g)->slots;
    if (s.small) {
        memset(s.seen, 0, sizeof s.seen);
    }

    bool found = reach_window(&s, e.home, NO_PARENT, 0, path) ||
                 reach_window(&s, place_of(g, e, 1), NO_PARENT, 0, path);
    uint32_t next = 0;
    uint32_t prepared = 0;
    for (uint32_t level_end = 0; next < s.reached && !found; next++) {
        if (next == level_end) {
            level_end = s.reached;
            s.moves++;
        }
        while (prepared < s.reached && prepared < next + SEARCH_AHEAD) {
            look_ahead(&s, prepared++);
        }
        found = expand(&s, next, path);
    }
    *nodes += next;
    return found;
}

#endif
