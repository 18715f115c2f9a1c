/*
 * The shape of a table and the constants that follow from it.
 *
 * A bucket is one 64-bit word of k slots, f bits each, thought of as a ring. A key may use the w
 * consecutive slots from its lane on, in each of two buckets. f = 12, k = 5, w = 2, lane 4:
 *
 *      63      60 59       48 47       36 35       24 23       12 11        0
 *     +----------+-----------+-----------+-----------+-----------+-----------+
 *     | unused 0 |  slot 4   |  slot 3   |  slot 2   |  slot 1   |  slot 0   |
 *     +----------+-----------+-----------+-----------+-----------+-----------+
 *                  ^ offset 0  the window goes on round the ring    ^ offset 1
 *
 * With w = k every window is the whole bucket: one lane, and no offset to remember.
 */
#ifndef GUIRA_LIB_GEOMETRY_H
#define GUIRA_LIB_GEOMETRY_H

#include <stdint.h>

#include "guira/status.h"

enum {
    MIN_TAG_BITS = 4,
    MAX_TAG_BITS = 32,
    MAX_SLOTS = 64 / MIN_TAG_BITS,
    MAX_MOVES = 10, /* that make room for one insert */
    MAX_LEVELS = 32 /* of a filter that grows: as many doublings, and more, as tags have bits for */
};

/* What a window that starts at one lane looks like inside a bucket. */
struct window {
    uint64_t step;     /* in each slot of the window 2 * O: from one fingerprint to the next */
    uint64_t first[2]; /* in each slot of the window the tag of fingerprint 0, for each side */
    uint64_t top;      /* the top bit of each slot of the window */
};

/* What the width of a tag and of a window decide alone. */
struct shape {
    uint64_t tag_mask;          /* f ones */
    uint64_t below_top;         /* in each slot all bits but the top one */
    uint64_t all_top;           /* the top bit of each slot */
    uint64_t offset_reciprocal; /* ceil(2^32 / O): a multiplication instead of a division by O */
    uint32_t tag_bits;          /* f */
    uint32_t slots;             /* k: slots in a bucket */
    uint32_t window_slots;      /* w: slots in a window */
    uint32_t lanes;             /* P: starting positions in a bucket, k or 1 */
    uint32_t offsets;           /* O: offsets a tag can name, w or 1 */
};

/* The shape of tags of f bits and windows of w slots. Macros, as only these can initialise a
 * constant. The lowest bits of the slots are all bits of the slots divided by the ones of a tag. */
#define SHAPE_SLOTS(f) (64u / (f))
#define SHAPE_MASK(f) ((UINT64_C(1) << (f)) - 1)
#define SHAPE_LOWEST(f) ((UINT64_MAX >> (64u - SHAPE_SLOTS(f) * (f))) / SHAPE_MASK(f))
#define SHAPE_OFFSETS(f, w) ((w) == SHAPE_SLOTS(f) ? 1u : (w))
#define SHAPE(f, w)                                                                                \
    {                                                                                              \
        .tag_mask = SHAPE_MASK(f), .below_top = SHAPE_LOWEST(f) * (SHAPE_MASK(f) >> 1),            \
        .all_top = SHAPE_LOWEST(f) << ((f)-1u),                                                    \
        .offset_reciprocal =                                                                       \
            ((UINT64_C(1) << 32) + SHAPE_OFFSETS(f, w) - 1u) / SHAPE_OFFSETS(f, w),                \
        .tag_bits = (f), .slots = SHAPE_SLOTS(f), .window_slots = (w),                             \
        .lanes = (w) == SHAPE_SLOTS(f) ? 1u : SHAPE_SLOTS(f), .offsets = SHAPE_OFFSETS(f, w)       \
    }

struct geometry {
    uint64_t buckets;      /* M */
    uint64_t fingerprints; /* Q: different fingerprints */
    uint64_t universe;     /* U = M * P * Q: different elements */
    struct shape shape;
    struct window window[MAX_SLOTS];
};

/* Code that is compiled for one shape (see kernel.h) has it as a constant. */
#ifdef KERNEL_TAG_BITS
static const struct shape kernel_shape = SHAPE(KERNEL_TAG_BITS, KERNEL_WINDOW);

static inline const struct shape *shape_of(const struct geometry *g) {
    (void)g;
    return &kernel_shape;
}
#else
static inline const struct shape *shape_of(const struct geometry *g) {
    return &g->shape;
}
#endif

/*
 * Fill in a geometry from the three numbers that fix it. GUIRA_BAD_GEOMETRY if there is none with
 * them, GUIRA_TOO_LARGE if its elements need more than 64 bits or its bytes more than size_t.
 */
enum guira_status guira__geometry(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                  struct geometry *out);

/* Likewise, with fewer fingerprints than the tags could tell apart; 0: as many as they can. */
enum guira_status guira__geometry_with(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                       uint64_t fingerprints, struct geometry *out);

/* How many fingerprints tags of that width can tell apart; 0 if there is no such table. */
uint64_t guira__most_fingerprints(uint32_t tag_bits, uint32_t window);

/* The most buckets that a table with these tags, windows and fingerprints (0: as many as the tags
 * can tell apart) can have; 0 if there is no such table. */
uint64_t guira__most_buckets(uint32_t tag_bits, uint32_t window, uint64_t fingerprints);

#endif
