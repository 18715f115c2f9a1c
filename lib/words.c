/*
 * Words in files; see the header.
 */
#include "words.h"

#include <string.h>

#include "bytes.h"
#include "checksum.h"

void guira__words_reorder(void *words, size_t count) {
    uint8_t *at = words;
    for (size_t i = 0; i < count; i++, at += sizeof(uint64_t)) {
        uint64_t word = get_64(at);
        memcpy(at, &word, sizeof word);
    }
}

uint64_t guira__words_checksum(const struct header *header, const void *words) {
    return guira__checksum(words, (size_t)header->buckets * sizeof(uint64_t), header->checksum);
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
