/*
 * The library's search has no hooks, being nothing that other threads could meet. So the recorder
 * makes it once more, with the same steps from path.h on the same table, and writes between them;
 * that it comes to the same path with as many nodes as find_path itself is checked.
 */
#include "search.h"

#include <inttypes.h>
#include <stdio.h>

#include "path.h"
#include "state.h"

static void print_window(uint32_t level, struct place place) {
    (void)printf("[%" PRIu32 ",%" PRIu64 ",%" PRIu32 "]", level, place.bucket, place.lane);
}

/* Write what looking at one or two windows has added to the queue. Node -1: the element's own. */
static void print_step(const struct search *s, uint32_t from, int node, uint32_t level,
                       const struct places *windows, bool both) {
    (void)printf(",\"at\":\"SEARCH\",\"node\":%d,\"windows\":[", node);
    print_window(level, windows->own);
    if (both) {
        (void)printf(",");
        print_window(level, windows->other);
    }
    (void)printf("],\"reached\":[");
    for (uint32_t i = from; i < s->reached; i++) {
        const struct node *reached = &s->queue[i];
        (void)printf("%s[%" PRIu64 ",%" PRIu64 "]", i > from ? "," : "", reached->at >> SLOT_BITS,
                     reached->at % MAX_SLOTS);
    }
    (void)printf("]");
}

static void print_path(const struct path *path, uint32_t level) {
    (void)printf(",\"path\":[");
    for (uint32_t i = 0; i <= path->length; i++) {
        const struct hop *hop = &path->hop[i];
        (void)printf("%s[%" PRIu32 ",%" PRIu64 ",%" PRIu32 "]", i > 0 ? "," : "", level,
                     hop->bucket, hop->slot);
    }
    (void)printf("]");
}

static bool same_path(const struct path *a, const struct path *b) {
    bool same = a->length == b->length;
    for (uint32_t i = 0; same && i <= a->length; i++) {
        same = a->hop[i].bucket == b->hop[i].bucket && a->hop[i].slot == b->hop[i].slot;
    }
    return same;
}

struct follower {
    struct search search;
    struct path path;
    uint32_t level;
    const char *begin;
};

/* The first step: the element's own windows. */
static bool follow_root(struct follower *w, struct element e) {
    struct search *s = &w->search;
    struct places windows = {e.home, place_of(&s->table->geometry, e, 1)};
    bool found = reach_window(s, windows.own, NO_PARENT, 0, &w->path);
    bool both = !found;
    found = found || reach_window(s, windows.other, NO_PARENT, 0, &w->path);
    (void)printf("%s", w->begin);
    print_step(s, 0, -1, w->level, &windows, both);
    (void)printf("}");
    return found;
}

/* Where one node's entry can go. */
static bool follow_node(struct follower *w, uint32_t node) {
    struct search *s = &w->search;
    uint32_t reached = s->reached;
    look_ahead(s, node);
    struct places windows = s->ahead[node % SEARCH_AHEAD];
    bool found = expand(s, node, &w->path);
    bool in_own = found && w->path.hop[w->path.length].bucket == windows.own.bucket;
    (void)printf("%s", w->begin);
    print_step(s, reached, (int)node, w->level, &windows, !in_own);
    if (found) {
        print_path(&w->path, w->level);
    }
    (void)printf("}");
    return found;
}

void search_print(const struct guira *f, uint64_t hash, const char *begin) {
    const struct table *t = table_filled(f);
    struct element e = element_of_hash(&t->geometry, hash);
    struct follower w = {.search = {.table = t, .budget = f->search_budget, .small = true},
                         .level = level_of(f, t),
                         .begin = begin};
    bool found = follow_root(&w, e);
    uint32_t node = 0;
    for (uint32_t level_end = 0; node < w.search.reached && !found; node++) {
        if (node == level_end) {
            level_end = w.search.reached;
            w.search.moves++;
        }
        found = follow_node(&w, node);
    }
    struct path path;
    uint64_t nodes = 0;
    if (!find_path(t, e, f->search_budget, &path, &nodes) || nodes != node || !found ||
        !same_path(&path, &w.path)) {
        give_up("the search that was followed is not the library's");
    }
}
