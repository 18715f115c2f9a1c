/*
 * Distinct elements; see the header.
 */
#include "elements.h"

#include "test.h"

struct owned {
    uint64_t element;
    uint64_t hash;
    unsigned copies;
    unsigned met;
};

static int by_element(const void *a, const void *b) {
    uint64_t x = ((const struct owned *)a)->element;
    uint64_t y = ((const struct owned *)b)->element;
    return (x > y) - (x < y);
}

uint64_t *distinct_hashes(const struct guira *f, size_t count, uint64_t stream) {
    size_t drawn = 2 * count + 16;
    struct owned *all = calloc(drawn, sizeof *all);
    uint64_t *hashes = malloc(count * sizeof *hashes);
    if (all == NULL || hashes == NULL) {
        abort();
    }
    struct rng rng = rng_stream(stream);
    for (size_t i = 0; i < drawn; i++) {
        all[i].hash = rng_next(&rng);
        all[i].element = guira_element(f, all[i].hash);
    }
    qsort(all, drawn, sizeof *all, by_element);
    size_t kept = 0;
    for (size_t i = 0; i < drawn; i++) {
        if (kept == 0 || all[kept - 1].element != all[i].element) {
            all[kept++] = all[i];
        }
    }
    require(kept >= count, "only %zu distinct elements", kept);
    for (size_t i = 0; i < count; i++) { /* shuffled, so that all parts of the table are met */
        size_t at = i + (size_t)rng_below(&rng, kept - i);
        hashes[i] = all[at].hash;
        all[at] = all[i];
    }
    free(all);
    return hashes;
}

uint64_t *insert_some_copies(struct guira *f, unsigned *copies, size_t count, uint64_t stream) {
    uint64_t *hashes = distinct_hashes(f, count, stream);
    for (size_t i = 0; i < count; i++) {
        copies[i] = 0;
        for (size_t j = 0; j <= i % 3; j++) {
            copies[i] += guira_insert_uniform(f, hashes[i]) == GUIRA_OK;
        }
    }
    return hashes;
}

struct tally {
    struct owned *owned;
    size_t count;
    bool wrong;
};

static bool tally_element(void *context, uint64_t element, unsigned multiplicity) {
    struct tally *t = context;
    struct owned key = {.element = element};
    struct owned *at = bsearch(&key, t->owned, t->count, sizeof key, by_element);
    t->wrong |= at == NULL || at->copies != multiplicity || at->met++ > 0;
    return true;
}

bool holds_exactly(const struct guira *f, const uint64_t *hashes, const unsigned *copies,
                   size_t count) {
    struct tally tally = {.owned = calloc(count + 1, sizeof(struct owned)), .count = count};
    assert_non_null(tally.owned);
    uint64_t items = 0;
    for (size_t i = 0; i < count; i++) {
        tally.owned[i] = (struct owned){guira_element(f, hashes[i]), hashes[i], copies[i], 0};
        items += copies[i];
        tally.wrong |= guira_count_uniform(f, hashes[i]) != copies[i] ||
                       guira_contains_uniform(f, hashes[i]) != (copies[i] > 0);
    }
    qsort(tally.owned, count, sizeof(struct owned), by_element);
    bool visited = guira_visit(f, tally_element, &tally) == GUIRA_OK;
    for (size_t i = 0; i < count; i++) {
        tally.wrong |= tally.owned[i].copies > 0 && tally.owned[i].met != 1;
    }
    free(tally.owned);
    return visited && !tally.wrong && guira_size(f) == items;
}
