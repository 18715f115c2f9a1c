#include "classic.h"

#include <stdlib.h>
#include <string.h>

#include "../support.h"

struct classic {
    struct classic_shape shape;
    uint64_t seed;
    uint64_t random;
    uint64_t kicks;
    uint32_t *tags; /* of slot j of bucket i at i * slots + j; 0: empty */
};

/* Where a key may be. */
struct spot {
    uint64_t bucket;
    uint32_t tag;
};

struct classic *classic_create(struct classic_shape shape, uint64_t seed) {
    struct classic *c = zeroed(1, sizeof *c);
    c->shape = shape;
    c->seed = mix(seed);
    c->random = c->seed;
    c->tags = zeroed(shape.buckets * shape.slots, sizeof *c->tags);
    return c;
}

void classic_destroy(struct classic *c) {
    free(c->tags);
    free(c);
}

void classic_clear(struct classic *c) {
    memset(c->tags, 0, c->shape.buckets * c->shape.slots * sizeof *c->tags);
}

uint64_t classic_kicks(const struct classic *c) {
    return c->kicks;
}

static struct spot spot_of(const struct classic *c, uint64_t key) {
    uint64_t hash = mix(key ^ c->seed);
    uint32_t tag = (uint32_t)hash & (uint32_t)((UINT64_C(1) << c->shape.tag_bits) - 1);
    return (struct spot){.bucket = (hash >> 32) & (c->shape.buckets - 1), .tag = tag + (tag == 0)};
}

static struct spot partner(const struct classic *c, struct spot spot) {
    return (struct spot){.bucket = (spot.bucket ^ mix(spot.tag)) & (c->shape.buckets - 1),
                         .tag = spot.tag};
}

static uint32_t *slot_of(const struct classic *c, uint64_t bucket, unsigned slot) {
    return &c->tags[bucket * c->shape.slots + slot];
}

/* The first slot of the bucket that holds such a tag, or NULL. */
static uint32_t *holding(const struct classic *c, uint64_t bucket, uint32_t tag) {
    for (unsigned slot = 0; slot < c->shape.slots; slot++) {
        if (*slot_of(c, bucket, slot) == tag) {
            return slot_of(c, bucket, slot);
        }
    }
    return NULL;
}

/* Turn one such tag in either bucket of the spot into another. */
static bool change(struct classic *c, struct spot spot, uint32_t from, uint32_t to) {
    uint32_t *slot = holding(c, spot.bucket, from);
    if (slot == NULL) {
        slot = holding(c, partner(c, spot).bucket, from);
    }
    if (slot != NULL) {
        *slot = to;
    }
    return slot != NULL;
}

static uint64_t draw(struct classic *c, uint64_t range) {
    return scale(mix(c->random++), range);
}

static void swap(uint32_t *slot, uint32_t *tag) {
    uint32_t before = *slot;
    *slot = *tag;
    *tag = before;
}

static bool kick(struct classic *c, struct spot spot) {
    uint32_t *trail[CLASSIC_MOST_KICKS];
    for (unsigned i = 0; i < c->shape.kicks; i++) {
        trail[i] = slot_of(c, spot.bucket, (unsigned)draw(c, c->shape.slots));
        swap(trail[i], &spot.tag);
        c->kicks++;
        spot = partner(c, spot);
        uint32_t *empty = holding(c, spot.bucket, 0);
        if (empty != NULL) {
            *empty = spot.tag;
            return true;
        }
    }
    for (unsigned i = c->shape.kicks; i-- > 0;) {
        swap(trail[i], &spot.tag);
    }
    return false;
}

bool classic_insert(struct classic *c, uint64_t key) {
    struct spot spot = spot_of(c, key);
    return change(c, spot, 0, spot.tag) || kick(c, draw(c, 2) == 0 ? spot : partner(c, spot));
}

bool classic_contains(const struct classic *c, uint64_t key) {
    struct spot spot = spot_of(c, key);
    return holding(c, spot.bucket, spot.tag) != NULL ||
           holding(c, partner(c, spot).bucket, spot.tag) != NULL;
}

bool classic_remove(struct classic *c, uint64_t key) {
    struct spot spot = spot_of(c, key);
    return change(c, spot, spot.tag, 0);
}
