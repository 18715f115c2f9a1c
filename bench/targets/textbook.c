#include "textbook.h"

#include <stdlib.h>
#include <string.h>

#include "../support.h"

enum { SLOTS = 4, TAG_BITS = 12, BUCKET_BYTES = SLOTS * TAG_BITS / 8, MAX_KICKS = 500 };

#define TAG_MASK UINT64_C(0xfff)
#define ONES UINT64_C(0x001001001001)
#define TOPS (ONES << (TAG_BITS - 1))

struct textbook {
    uint8_t *buckets;
    uint64_t mask; /* buckets - 1 */
    uint64_t seed;
    uint64_t random;
    uint64_t items;
};

/* Where a key may be. */
struct place {
    uint64_t bucket;
    uint64_t tag;
};

static size_t bytes_of(const struct textbook *filter) {
    return (filter->mask + 1) * BUCKET_BYTES + sizeof(uint64_t) - BUCKET_BYTES;
}

struct textbook *textbook_create(unsigned log2_slots, uint64_t seed) {
    struct textbook *filter = zeroed(1, sizeof *filter);
    filter->mask = (UINT64_C(1) << log2_slots) / SLOTS - 1;
    filter->seed = mix(seed);
    filter->random = filter->seed | 1;
    filter->buckets = table_get(bytes_of(filter));
    return filter;
}

void textbook_destroy(struct textbook *filter) {
    table_give_back(filter->buckets, bytes_of(filter));
    free(filter);
}

void textbook_clear(struct textbook *filter) {
    memset(filter->buckets, 0, bytes_of(filter));
    filter->items = 0;
}

uint64_t textbook_size(const struct textbook *filter) {
    return filter->items;
}

static struct place place_of(const struct textbook *filter, uint64_t key) {
    uint64_t hash = mix(key ^ filter->seed);
    uint64_t tag = hash & TAG_MASK;
    return (struct place){.bucket = (hash >> 32) & filter->mask, .tag = tag + (tag == 0)};
}

static uint64_t partner(const struct textbook *filter, uint64_t bucket, uint64_t tag) {
    return (bucket ^ (tag * UINT64_C(0x5bd1e995))) & filter->mask;
}

/* A bucket with whatever follows it in the two upper bytes. */
static uint64_t load(const struct textbook *filter, uint64_t bucket) {
    uint64_t word;
    memcpy(&word, filter->buckets + bucket * BUCKET_BYTES, sizeof word);
    return word;
}

static void store(struct textbook *filter, uint64_t bucket, uint64_t word) {
    memcpy(filter->buckets + bucket * BUCKET_BYTES, &word, sizeof word);
}

static uint64_t tag_in(uint64_t word, unsigned slot) {
    return (word >> (slot * TAG_BITS)) & TAG_MASK;
}

static uint64_t with_tag(uint64_t word, unsigned slot, uint64_t tag) {
    unsigned shift = slot * TAG_BITS;
    return (word & ~(TAG_MASK << shift)) | tag << shift;
}

/* Is one of the four slots equal to the tag? The usual test for a zero among packed numbers. */
static bool has_tag(uint64_t word, uint64_t tag) {
    uint64_t difference = word ^ (tag * ONES);
    return ((difference - ONES) & ~difference & TOPS) != 0;
}

static bool replace(struct textbook *filter, uint64_t bucket, uint64_t from, uint64_t to) {
    uint64_t word = load(filter, bucket);
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (tag_in(word, slot) == from) {
            store(filter, bucket, with_tag(word, slot, to));
            return true;
        }
    }
    return false;
}

bool textbook_contains(const struct textbook *filter, uint64_t key) {
    struct place place = place_of(filter, key);
    return has_tag(load(filter, place.bucket), place.tag) ||
           has_tag(load(filter, partner(filter, place.bucket, place.tag)), place.tag);
}

static unsigned random_slot(struct textbook *filter) {
    filter->random ^= filter->random << 13;
    filter->random ^= filter->random >> 7;
    filter->random ^= filter->random << 17;
    return (unsigned)(filter->random >> 32) % SLOTS;
}

/* Put the tag into a slot of a full bucket; what was there moves to its other bucket, and so on. If
 * that comes to no end, all of it is undone, so that no key is lost. */
static bool kick(struct textbook *filter, uint64_t bucket, uint64_t tag) {
    struct {
        uint64_t bucket;
        unsigned slot;
    } trail[MAX_KICKS];
    for (unsigned i = 0; i < MAX_KICKS; i++) {
        unsigned slot = random_slot(filter);
        uint64_t word = load(filter, bucket);
        uint64_t victim = tag_in(word, slot);
        store(filter, bucket, with_tag(word, slot, tag));
        trail[i].bucket = bucket;
        trail[i].slot = slot;
        tag = victim;
        bucket = partner(filter, bucket, tag);
        if (replace(filter, bucket, 0, tag)) {
            return true;
        }
    }
    for (unsigned i = MAX_KICKS; i-- > 0;) {
        uint64_t word = load(filter, trail[i].bucket);
        uint64_t back = tag_in(word, trail[i].slot);
        store(filter, trail[i].bucket, with_tag(word, trail[i].slot, tag));
        tag = back;
    }
    return false;
}

bool textbook_insert(struct textbook *filter, uint64_t key) {
    struct place place = place_of(filter, key);
    uint64_t other = partner(filter, place.bucket, place.tag);
    bool done = replace(filter, place.bucket, 0, place.tag) ||
                replace(filter, other, 0, place.tag) ||
                kick(filter, random_slot(filter) & 1 ? other : place.bucket, place.tag);
    filter->items += done;
    return done;
}

bool textbook_remove(struct textbook *filter, uint64_t key) {
    struct place place = place_of(filter, key);
    bool done = replace(filter, place.bucket, place.tag, 0) ||
                replace(filter, partner(filter, place.bucket, place.tag), place.tag, 0);
    filter->items -= done;
    return done;
}
