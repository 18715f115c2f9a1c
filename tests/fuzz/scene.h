/*
 * What the bytes of fuzz_api act on: two small filters with a multiset beside each, which says what
 * every call must answer.
 *
 *     api.c       reads the bytes; calls on one key
 *     batches.c   calls on many keys
 *     whole.c     calls on whole filters
 */
#ifndef GUIRA_FUZZ_SCENE_H
#define GUIRA_FUZZ_SCENE_H

#include "filter.h"
#include "reference.h"

#include "bag.h"
#include "fuzz.h"
#include "meter.h"

struct side {
    struct guira *filter;
    struct ref_shape shape;
    struct bag bag;
    bool grows;         /* the shape is that of its smallest table */
    bool is_full_exact; /* the search for room is whole: FULL can be foretold */
};

struct scene {
    struct input in;
    struct meter meter;
    struct side side[2];
    unsigned patience; /* whole searches for room in vain that may still come */
};

enum form { FORM_UNIFORM, FORM_U64, FORM_BYTES, FORMS };
enum change { CHANGE_INSERT, CHANGE_INSERT_UNIQUE, CHANGE_REMOVE, CHANGES };

/* The number that stands for a key: spread, as uniform hashes must be. */
static inline uint64_t key_of(unsigned number) {
    return number * UINT64_C(0x9e3779b97f4a7c15);
}

/* The element of a key in the side's filter. */
uint64_t element_of_key(const struct side *side, enum form form, uint64_t key);

/* Ends the program unless the change may answer that now, where FULL is always possible; carries it
 * out on the multiset. */
void settle_change(struct side *side, enum change change, uint64_t element,
                   enum guira_status status);

/* Each takes what it needs from the input. */
void do_batch(struct scene *scene, struct side *side);
void do_whole(struct scene *scene, struct side *side, struct side *other);

#endif
