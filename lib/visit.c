/*
 * Walks over the whole table: visiting the elements, checking the invariants.
 */
#include "filter.h"
#include "map.h"
#include "words.h"

/* Whether this is the slot at which the element is reported: of all that hold it the lowest, home
 * bucket first. And how many hold it. */
static bool is_reported_here(const struct guira *f, const struct candidates *c, uint64_t bucket,
                             uint32_t slot, unsigned *copies) {
    const struct geometry *g = &f->table.geometry;
    uint64_t at_home = matching_slots(g, search_word(&f->table, c->bucket[0]), c->pattern[0]);
    uint64_t away = matching_slots(g, search_word(&f->table, c->bucket[1]), c->pattern[1]);
    *copies = bits_set(at_home) + bits_set(away);
    if (at_home != 0) {
        return bucket == c->bucket[0] && lowest_slot_mask(g, at_home) == slot_mask(g, slot);
    }
    /* Gone meanwhile, if away is 0 too: then it is reported, as it was there when it was read. */
    *copies += *copies == 0;
    return away == 0 || lowest_slot_mask(g, away) == slot_mask(g, slot);
}

enum guira_status guira_visit(const struct guira *filter, guira_visitor visitor, void *context) {
    if (filter == NULL || visitor == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = guira__verify_once(filter);
    if (status != GUIRA_OK) {
        return status;
    }
    const struct geometry *g = &filter->table.geometry;
    for (uint64_t bucket = 0; bucket < g->buckets; bucket++) {
        uint64_t word = search_word(&filter->table, bucket);
        for (uint32_t slot = 0; slot < shape_of(g)->slots && word != 0; slot++) {
            uint64_t tag = slot_tag(g, word, slot);
            if (tag == 0) {
                continue;
            }
            struct element e = element_of_entry(g, bucket, slot, entry_of_tag(g, tag));
            struct candidates c = candidates_of(g, e);
            unsigned copies;
            if (is_reported_here(filter, &c, bucket, slot, &copies) &&
                !visitor(context, element_number(g, e), copies)) {
                return GUIRA_STOPPED;
            }
        }
    }
    return GUIRA_OK;
}

static enum invariant check_bucket(const struct geometry *g, uint64_t bucket, uint64_t word) {
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

enum guira_status guira_check(const struct guira *filter, unsigned *invariant) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = guira__verify_once(filter);
    if (status != GUIRA_OK) {
        return status;
    }
    const struct table *t = &filter->table;
    enum invariant broken = NONE_BROKEN;
    uint64_t occupied = 0;
    guira__lock_all(&filter->stripes);
    for (uint64_t bucket = 0; bucket < t->geometry.buckets && broken == NONE_BROKEN; bucket++) {
        uint64_t word = held_word(t, bucket);
        occupied += used_slots(&t->geometry, word);
        broken = check_bucket(&t->geometry, bucket, word);
    }
    if (broken == NONE_BROKEN && occupied != guira__item_sum(&filter->stripes)) {
        broken = COUNTS_AGREE_WITH_SLOTS;
    }
    guira__unlock_all(&filter->stripes);
    if (invariant != NULL) {
        *invariant = (unsigned)broken;
    }
    return broken == NONE_BROKEN ? GUIRA_OK : GUIRA_CORRUPT;
}
