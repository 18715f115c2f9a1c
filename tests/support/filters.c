/*
 * Making filters for tests; see the header.
 */
#include "filters.h"

#include "test.h"
#include "whole.h"

uint64_t filter_seed(void) {
    return scrambled(test_seed()) | 1;
}

struct guira *filter_with(struct guira_options options) {
    struct guira *filter = NULL;
    options.seed = options.seed == 0 ? filter_seed() : options.seed;
    enum guira_status status = guira_create(&options, &filter);
    require(status == GUIRA_OK, "guira_create says: %s", guira_status_text(status));
    return filter;
}

struct guira *filter_of(uint64_t buckets, uint32_t tag_bits, uint32_t window) {
    return filter_with(
        (struct guira_options){.buckets = buckets, .tag_bits = tag_bits, .window = window});
}

struct guira *filter_for(uint64_t capacity, double rate) {
    return filter_with((struct guira_options){.capacity = capacity, .false_positive_rate = rate});
}

struct ref_shape shape_of_filter(const struct guira *f) {
    const struct geometry *g = &f->table.geometry;
    struct ref_shape shape;
    require(ref_shape(g->buckets, g->shape.tag_bits, g->shape.window_slots, &shape), "f %u, w %u",
            g->shape.tag_bits, g->shape.window_slots);
    return shape;
}

/* The i-th word of the tables in use, of the one that is filled first. */
static uint64_t word_at(const struct whole *all, uint64_t i) {
    const struct table *t = all->view.to;
    if (i >= t->geometry.buckets) {
        i -= t->geometry.buckets;
        t = all->view.from;
    }
    return word_load(&t->words[i], memory_order_relaxed);
}

uint64_t *words_of(const struct guira *f) {
    struct whole all = whole_of(f);
    uint64_t buckets = buckets_in(&all);
    uint64_t *words = malloc((size_t)buckets * sizeof *words);
    assert_non_null(words);
    for (uint64_t i = 0; i < buckets; i++) {
        words[i] = word_at(&all, i);
    }
    return words;
}

bool words_equal(const struct guira *f, const uint64_t *words) {
    struct whole all = whole_of(f);
    for (uint64_t i = 0; i < buckets_in(&all); i++) {
        if (words[i] != word_at(&all, i)) {
            return false;
        }
    }
    return true;
}

void require_sound(const struct guira *f) {
    unsigned invariant = 99;
    enum guira_status status = guira_check(f, &invariant);
    require(status == GUIRA_OK && invariant == 0, "invariant %u broken", invariant);
}

uint64_t fill(struct guira *f, uint64_t first, uint64_t limit) {
    uint64_t n = 0;
    while (n < limit && guira_insert_u64(f, scrambled(first + n)) == GUIRA_OK) {
        n++;
    }
    return n;
}
