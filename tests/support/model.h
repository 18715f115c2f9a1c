/*
 * The oracle: a filter is a multiset of elements, so beside it goes an exact one, and after each
 * operation both must agree. Which of OK, LIMIT and FULL an insert answers is known beforehand: by
 * the multiplicity, by the words read the slow way, and in small tables by a complete search.
 */
#ifndef GUIRA_TESTS_MODEL_H
#define GUIRA_TESTS_MODEL_H

#include "filters.h"
#include "test.h"

/* What a run does to the filter behind the model's back. */
enum model_fault {
    FAULT_NONE,
    FAULT_SLOT_EMPTIED,   /* an entry is lost */
    FAULT_SLOT_COPIED,    /* an entry appears twice */
    FAULT_TAG_CHANGED,    /* an entry becomes another element's */
    FAULT_ENTRY_MISPLACED /* an entry is moved to a bucket that is not its own */
};

enum key_form { FORM_UNIFORM, FORM_U64, FORM_BYTES };

struct model_key {
    enum key_form form;
    uint64_t key;   /* the hash, the integer, or the 8 bytes */
    size_t element; /* index in the model's elements */
};

struct model {
    struct guira *filter;
    struct ref_shape shape;
    struct rng rng;
    struct model_key *keys;
    size_t key_count;
    uint64_t *elements; /* ascending, each once */
    unsigned *copies;
    size_t element_count;
    uint64_t total;
    bool filling;         /* more inserts than removes */
    bool complete_search; /* the table is small enough to foretell FULL */
    uint64_t full, limit; /* how often these were answered */
    char wrong[256];      /* the first disagreement; empty while there is none */
};

/* An empty filter of that geometry and its model. */
void model_begin(struct model *m, uint64_t buckets, uint32_t tag_bits, uint32_t window,
                 uint64_t stream);
void model_end(struct model *m);

/* Random operations until there is a disagreement; true if there was none. */
bool model_run(struct model *m, uint64_t operations);

/* Compare all elements and the size, and run guira_check. */
bool model_compare(struct model *m);

/* Damage an entry through the internals; false if the table offers no occasion. */
bool model_damage(struct model *m, enum model_fault fault);

#endif
