/*
 * Walks over the whole filter: visiting the elements, checking the invariants.
 */
#include "map.h"
#include "whole.h"
#include "words.h"

/* ---- Visiting -------------------------------------------------------------------------------- */

struct visit {
    guira_visitor visitor;
    void *context;
};

/* The copies of an element in a table, as two sets of slots. */
struct found {
    uint64_t at_home;
    uint64_t away;
};

static struct found find(const struct table *t, const struct candidates *c) {
    const struct geometry *g = &t->geometry;
    return (struct found){
        .at_home = matching_slots(g, search_word(t, c->bucket[0]), c->pattern[0]),
        .away = matching_slots(g, search_word(t, c->bucket[1]), c->pattern[1]),
    };
}

static unsigned copies_in(const struct found *found) {
    return bits_set(found->at_home) + bits_set(found->away);
}

/* Whether this is the slot at which the element is reported: of all in the table that hold it the
 * lowest, home bucket first. */
static bool is_first(const struct geometry *g, const struct candidates *c,
                     const struct found *found, uint64_t bucket, uint32_t slot) {
    if (found->at_home != 0) {
        return bucket == c->bucket[0] && lowest_slot_mask(g, found->at_home) == slot_mask(g, slot);
    }
    /* Gone meanwhile, if away is 0 too: then it is reported, as it was there when it was read. */
    return found->away == 0 || lowest_slot_mask(g, found->away) == slot_mask(g, slot);
}

/* How many copies there are of an entry's element if it is reported at this slot, else 0. What has
 * copies in both tables is reported in the new one, from which no copy goes to the old one. So a
 * copy that is moved from table to table meanwhile does not make the element go by unseen. */
static unsigned reported_copies(const struct whole *all, const struct table *t, struct element e,
                                uint64_t bucket, uint32_t slot) {
    struct sites s = {.now = candidates_of(&t->geometry, e)};
    if (all->view.from != NULL) {
        s = sites_in_both(all, element_number(&t->geometry, e));
    }
    bool is_old = t == all->view.from;
    struct found here = find(t, is_old ? &s.before : &s.now);
    struct found other = {0, 0};
    if (all->view.from != NULL) {
        other = is_old ? find(all->view.to, &s.now) : find(all->view.from, &s.before);
    }
    if ((is_old && copies_in(&other) != 0) ||
        !is_first(&t->geometry, is_old ? &s.before : &s.now, &here, bucket, slot)) {
        return 0;
    }
    /* A copy that is on its way is in both, for a moment. */
    unsigned copies = copies_in(&here) + copies_in(&other);
    unsigned most = 2 * shape_of(&t->geometry)->window_slots;
    return copies > most ? most : copies + (copies == 0);
}

/* False if the visitor wants no more. */
static bool visit_bucket(const struct whole *all, const struct table *t, uint64_t bucket,
                         const struct visit *visit) {
    const struct geometry *g = &t->geometry;
    uint64_t word = search_word(t, bucket);
    for (uint32_t slot = 0; slot < shape_of(g)->slots && word != 0; slot++) {
        uint64_t tag = slot_tag(g, word, slot);
        if (tag == 0) {
            continue;
        }
        struct element e = element_of_entry(g, bucket, slot, entry_of_tag(g, tag));
        unsigned copies = reported_copies(all, t, e, bucket, slot);
        if (copies != 0 && !visit->visitor(visit->context, element_number(g, e), copies)) {
            return false;
        }
    }
    return true;
}

static bool visit_table(const struct whole *all, const struct table *t, const struct visit *visit) {
    for (uint64_t bucket = 0; bucket < t->geometry.buckets; bucket++) {
        if (!visit_bucket(all, t, bucket, visit)) {
            return false;
        }
    }
    return true;
}

/* The first table in use, of those from a turn on, which becomes the one after it; NULL if there is
 * none. Tables take turns as elements go through them: two steps of the view are a turn. */
static const struct table *next_table(const struct whole *all, uint64_t *turn) {
    uint64_t from = view_step(all->view.word) / 2;
    uint64_t to = (view_step(all->view.word) + 1) / 2;
    if (to < *turn) {
        return NULL;
    }
    bool is_old = from >= *turn && all->view.from != NULL;
    *turn = (is_old ? from : to) + 1;
    return is_old ? all->view.from : all->view.to;
}

enum guira_status guira_visit(const struct guira *filter, guira_visitor visitor, void *context) {
    if (filter == NULL || visitor == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = guira__verify_once(filter);
    if (status != GUIRA_OK) {
        return status;
    }
    /* What leaves a table before its turn is met in a later one, be it larger or smaller. */
    const struct visit visit = {visitor, context};
    uint64_t turn = 0;
    for (;;) {
        struct whole all = whole_of(filter);
        const struct table *t = next_table(&all, &turn);
        if (t == NULL) {
            return GUIRA_OK;
        }
        if (!visit_table(&all, t, &visit)) {
            return GUIRA_STOPPED;
        }
    }
}

/* ---- Checking -------------------------------------------------------------------------------- */

static enum invariant check_entries(const struct geometry *g, uint64_t bucket, uint64_t word) {
    enum invariant broken = guira__word_breaks(g, word);
    for (uint32_t slot = 0; slot < shape_of(g)->slots && broken == NONE_BROKEN; slot++) {
        uint64_t tag = slot_tag(g, word, slot);
        if (tag == 0) {
            continue;
        }
        struct entry entry = entry_of_tag(g, tag);
        struct candidates c = candidates_of(g, element_of_entry(g, bucket, slot, entry));
        unsigned side = c.bucket[0] != bucket;
        uint64_t matches = matching_slots(g, word, c.pattern[side]);
        if (c.bucket[side] != bucket || side != entry.side || (matches & slot_mask(g, slot)) == 0) {
            broken = ENTRIES_ARE_FINDABLE;
        }
    }
    return broken;
}

/* What is to be said of a bucket of the old table beyond that. */
static enum invariant check_leaving(const struct guira *f, const struct whole *all, uint64_t bucket,
                                    uint64_t word) {
    if (word != 0 && guira__was_emptied(f, &all->view, bucket)) {
        return EMPTIED_STAYS_EMPTY;
    }
    return guira__copies_fit(all, bucket) ? NONE_BROKEN : COPIES_FIT_ONE_TABLE;
}

static enum invariant check_table(const struct guira *f, const struct whole *all,
                                  const struct table *t, uint64_t *occupied) {
    enum invariant broken = NONE_BROKEN;
    for (uint64_t bucket = 0; bucket < t->geometry.buckets && broken == NONE_BROKEN; bucket++) {
        uint64_t word = held_word(t, bucket);
        *occupied += used_slots(&t->geometry, word);
        broken = check_entries(&t->geometry, bucket, word);
        if (broken == NONE_BROKEN && t == all->view.from) {
            broken = check_leaving(f, all, bucket, word);
        }
    }
    return broken;
}

/* The caller holds all locks. */
static enum invariant check_all(const struct guira *f) {
    struct whole all = whole_of(f);
    enum invariant broken = NONE_BROKEN;
    uint64_t occupied = 0;
    for (unsigned i = 0; i < all.tables && broken == NONE_BROKEN; i++) {
        broken = check_table(f, &all, all.table[i], &occupied);
    }
    if (broken == NONE_BROKEN && occupied != guira__item_sum(&f->stripes)) {
        broken = COUNTS_AGREE_WITH_SLOTS;
    }
    return broken;
}

enum guira_status guira_check(const struct guira *filter, unsigned *invariant) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = guira__verify_once(filter);
    if (status != GUIRA_OK) {
        return status;
    }
    guira__lock_all(&filter->stripes);
    enum invariant broken = check_all(filter);
    guira__unlock_all(&filter->stripes);
    if (invariant != NULL) {
        *invariant = (unsigned)broken;
    }
    return broken == NONE_BROKEN ? GUIRA_OK : GUIRA_CORRUPT;
}
