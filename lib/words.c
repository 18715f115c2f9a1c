/*
 * Words in files; see the header.
 */
#include "words.h"

#include <string.h>

#include "bytes.h"

void guira__words_reorder(void *words, size_t count) {
    uint8_t *at = words;
    for (size_t i = 0; i < count; i++, at += sizeof(uint64_t)) {
        uint64_t word = get_64(at);
        memcpy(at, &word, sizeof word);
    }
}

enum invariant guira__word_breaks(const struct geometry *g, uint64_t word) {
    if ((word & ~(shape_of(g)->all_top | shape_of(g)->below_top)) != 0) {
        return UNUSED_BITS_ARE_ZERO;
    }
    uint64_t largest_tag = 2 * g->fingerprints * shape_of(g)->offsets; /* of fingerprint Q - 1 */
    for (uint32_t slot = 0; slot < shape_of(g)->slots; slot++) {
        if (slot_tag(g, word, slot) > largest_tag) {
            return TAGS_ARE_POSSIBLE;
        }
    }
    return NONE_BROKEN;
}

enum guira_status guira__words_count(const struct table *t, uint64_t from, uint64_t to,
                                     uint64_t *entries) {
    const struct geometry *g = &t->geometry;
    uint64_t used = 0;
    for (uint64_t bucket = from; bucket < to; bucket++) {
        uint64_t word = held_word(t, bucket);
        if (guira__word_breaks(g, word) != NONE_BROKEN) {
            return GUIRA_IMPOSSIBLE_TAG;
        }
        used += used_slots(g, word);
    }
    *entries = used;
    return GUIRA_OK;
}

bool guira__copies_fit(const struct whole *all, uint64_t bucket) {
    const struct table *old = all->view.from;
    const struct geometry *g = &old->geometry;
    uint64_t word = held_word(old, bucket);
    for (uint32_t slot = 0; slot < g->shape.slots && word != 0; slot++) {
        uint64_t tag = slot_tag(g, word, slot);
        if (tag == 0) {
            continue;
        }
        struct element e = element_of_entry(g, bucket, slot, entry_of_tag(g, tag));
        struct sites s = sites_in_both(all, element_number(g, e));
        if (held_copies(all->view.to, &s.now) + held_copies(old, &s.before) >
            2 * g->shape.window_slots) {
            return false;
        }
    }
    return true;
}

enum guira_status guira__words_verify(const struct guira *f, uint64_t items) {
    struct whole all = whole_of(f);
    uint64_t found = 0;
    for (unsigned i = 0; i < all.tables; i++) {
        uint64_t entries;
        enum guira_status status =
            guira__words_count(all.table[i], 0, all.table[i]->geometry.buckets, &entries);
        if (status != GUIRA_OK) {
            return status;
        }
        found += entries;
    }
    uint64_t old_buckets = all.view.from != NULL ? all.view.from->geometry.buckets : 0;
    for (uint64_t bucket = 0; bucket < old_buckets; bucket++) {
        if (!guira__copies_fit(&all, bucket)) {
            return GUIRA_IMPOSSIBLE_TAG;
        }
    }
    return found == items ? GUIRA_OK : GUIRA_WRONG_COUNT;
}
