/*
 * Breadth-first search over the slots that entries could move to.
 */
#include "path.h"

#include <string.h>

#include "guira/options.h"

/* An occupied slot that the search has reached. */
struct node {
    uint64_t bucket;
    uint32_t tag;
    uint16_t parent; /* index in the queue */
    uint8_t slot;
    uint8_t depth; /* moves from a slot of the new element to here */
};

/* Up to so many slots in the whole table, each is reached only once in a search. In larger tables
 * reaching a slot twice is rare, and remembering all costs more than it saves. */
enum { SMALL_TABLE_SLOTS = 4096 };

struct search {
    const struct table *table;
    uint32_t budget;
    uint32_t reached; /* nodes in the queue */
    bool small;
    uint64_t seen[SMALL_TABLE_SLOTS / 64];
    struct node queue[GUIRA_MAX_SEARCH_BUDGET];
};

/* The queue index of a node without parent: one of the new element's own slots. */
enum { NO_PARENT = UINT16_MAX };

static bool seen_before(struct search *s, uint64_t bucket, uint32_t slot, uint16_t parent) {
    if (s->small) {
        uint64_t number = bucket * s->table->geometry.slots + slot;
        uint64_t bit = UINT64_C(1) << (number % 64);
        bool seen = (s->seen[number / 64] & bit) != 0;
        s->seen[number / 64] |= bit;
        return seen;
    }
    while (parent != NO_PARENT) {
        const struct node *node = &s->queue[parent];
        if (node->bucket == bucket && node->slot == slot) {
            return true;
        }
        parent = node->parent;
    }
    return false;
}

static void trace(const struct search *s, uint64_t bucket, uint32_t slot, uint16_t parent,
                  struct path *path) {
    path->length = parent == NO_PARENT ? 0 : s->queue[parent].depth + 1u;
    path->hop[path->length] = (struct hop){bucket, slot, 0};
    for (uint32_t i = path->length; i > 0; i--) {
        const struct node *node = &s->queue[parent];
        path->hop[i - 1] = (struct hop){node->bucket, node->slot, node->tag};
        parent = node->parent;
    }
}

/*
 * Look at the slots of one window: an empty one ends the search (true); occupied ones join the
 * queue as children of `parent`.
 */
static bool reach_window(struct search *s, struct place place, uint16_t parent, struct path *path) {
    const struct geometry *g = &s->table->geometry;
    uint64_t word = search_word(s->table, place.bucket);
    uint8_t depth = parent == NO_PARENT ? 0 : (uint8_t)(s->queue[parent].depth + 1);
    for (uint32_t i = 0; i < g->window_slots; i++) {
        uint32_t slot = place.lane + i;
        slot -= slot >= g->slots ? g->slots : 0;
        if (seen_before(s, place.bucket, slot, parent)) {
            continue;
        }
        uint64_t tag = slot_tag(g, word, slot);
        if (tag == 0) {
            trace(s, place.bucket, slot, parent, path);
            return true;
        }
        if (depth < MAX_MOVES && s->reached < s->budget) {
            s->queue[s->reached++] = (struct node){.bucket = place.bucket,
                                                   .tag = (uint32_t)tag,
                                                   .parent = parent,
                                                   .slot = (uint8_t)slot,
                                                   .depth = depth};
        }
    }
    return false;
}

/* The two windows of the element whose entry a node stands for: its own, then the other side's. */
static void windows_of(const struct geometry *g, uint64_t bucket, uint32_t slot, uint64_t tag,
                       struct place window[2]) {
    struct entry entry = entry_of_tag(g, tag);
    struct shift shift = shift_of(g, entry.fingerprint);
    window[0] = place_of_entry(g, bucket, slot, entry);
    window[1] =
        entry.side == 0 ? place_after(g, window[0], shift) : place_before(g, window[0], shift);
}

bool guira__find_path(const struct table *t, struct element e, uint32_t budget, struct path *path,
                      uint64_t *nodes) {
    const struct geometry *g = &t->geometry;
    struct search s; /* 66 KiB, of which only the part that a search reaches is touched */
    s.table = t;
    s.budget = budget;
    s.reached = 0;
    s.small = g->buckets <= SMALL_TABLE_SLOTS / g->slots;
    if (s.small) {
        memset(s.seen, 0, sizeof s.seen);
    }

    bool found = reach_window(&s, e.home, NO_PARENT, path) ||
                 reach_window(&s, place_of(g, e, 1), NO_PARENT, path);
    uint32_t next = 0;
    for (; next < s.reached && !found; next++) {
        const struct node *node = &s.queue[next];
        struct place window[2];
        windows_of(g, node->bucket, node->slot, node->tag, window);
        /* Within its own bucket an entry has other slots only where windows are smaller than it. */
        found = (g->offsets > 1 && reach_window(&s, window[0], (uint16_t)next, path)) ||
                reach_window(&s, window[1], (uint16_t)next, path);
    }
    *nodes += next;
    return found;
}

uint64_t guira__moved_tag(const struct geometry *g, const struct hop *from, const struct hop *to) {
    struct place window[2];
    windows_of(g, from->bucket, from->slot, from->tag, window);
    struct entry entry = entry_of_tag(g, from->tag);
    unsigned other = to->bucket != from->bucket; /* the two buckets of an element always differ */
    struct pattern pattern =
        pattern_of(g, entry.fingerprint, entry.side ^ other, window[other].lane);
    return pattern.tags & slot_mask(g, to->slot);
}
