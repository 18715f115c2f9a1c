#include "growers.h"

#include <stdlib.h>

#include <guira/guira.h>

#include "../support.h"
#include "../targets/textbook.h"

/* ---- guira ----------------------------------------------------------------------------------- */

static void *created(const struct guira_options *options) {
    struct guira *filter;
    enum guira_status status = guira_create(options, &filter);
    if (status != GUIRA_OK) {
        fail("growth: %s", guira_status_text(status));
    }
    return filter;
}

static void *create_full(const struct expectation *e) {
    const struct guira_options options = {
        .capacity = e->all, .false_positive_rate = e->rate, .seed = e->seed};
    return created(&options);
}

static void *create_growing(const struct expectation *e) {
    const struct guira_options options = {.capacity = e->first,
                                          .max_capacity = e->all,
                                          .false_positive_rate = e->rate,
                                          .seed = e->seed};
    return created(&options);
}

static void destroy(void *table) {
    guira_destroy(table);
}

static bool insert(void *table, uint64_t key) {
    return guira_insert_u64(table, key) == GUIRA_OK;
}

static bool contains(const void *table, uint64_t key) {
    return guira_contains_u64(table, key);
}

static bool remove_from(void *table, uint64_t key) {
    return guira_remove_u64(table, key) == GUIRA_OK;
}

/* ---- A chain --------------------------------------------------------------------------------- */

/*
 * What is done where filters cannot grow: a list of them, each twice the last. Keys go into the
 * newest, look-ups ask all, and a remove takes the key from the first that seems to have it, newest
 * first, as most keys are there.
 */
enum { MAX_LINKS = 40, FIRST_LOG2 = 10 };

/* Of the slots, which buckets of four slots can fill. */
static const double full_from = 0.94;

struct chain {
    struct textbook *link[MAX_LINKS];
    unsigned links;
    unsigned log2_slots; /* of the newest */
    uint64_t seed;
};

static bool is_full(const struct chain *chain) {
    double slots = (double)(UINT64_C(1) << chain->log2_slots);
    return (double)textbook_size(chain->link[chain->links - 1]) >= full_from * slots;
}

static void lengthen(struct chain *chain) {
    if (chain->links == MAX_LINKS) {
        fail("growth: the chain has too many links");
    }
    chain->link[chain->links] =
        textbook_create(chain->log2_slots, chain->seed + chain->links); /* each its own hash */
    chain->links++;
}

static void *chain_create(const struct expectation *e) {
    struct chain *chain = zeroed(1, sizeof *chain);
    chain->log2_slots = FIRST_LOG2;
    while (full_from * (double)(UINT64_C(1) << chain->log2_slots) < (double)e->first) {
        chain->log2_slots++;
    }
    chain->seed = e->seed;
    lengthen(chain);
    return chain;
}

static void chain_destroy(void *table) {
    struct chain *chain = table;
    for (unsigned i = 0; i < chain->links; i++) {
        textbook_destroy(chain->link[i]);
    }
    free(chain);
}

static bool chain_insert(void *table, uint64_t key) {
    struct chain *chain = table;
    while (is_full(chain) || !textbook_insert(chain->link[chain->links - 1], key)) {
        chain->log2_slots++;
        lengthen(chain);
    }
    return true;
}

static bool chain_contains(const void *table, uint64_t key) {
    const struct chain *chain = table;
    for (unsigned i = chain->links; i-- > 0;) {
        if (textbook_contains(chain->link[i], key)) {
            return true;
        }
    }
    return false;
}

static bool chain_remove(void *table, uint64_t key) {
    struct chain *chain = table;
    for (unsigned i = chain->links; i-- > 0;) {
        if (textbook_remove(chain->link[i], key)) {
            return true;
        }
    }
    return false;
}

const struct grower growers[GROWERS] = {
    {"guira at full size", create_full, destroy, insert, contains, remove_from},
    {"guira growing", create_growing, destroy, insert, contains, remove_from},
    {"chain of textbooks", chain_create, chain_destroy, chain_insert, chain_contains, chain_remove},
};
