/*
 * Filters that grow; see the header.
 */
#include "grown.h"

#include "test.h"

enum { CHANGES_BEFORE_GIVING_UP = 200000 };

struct guira *growing_of(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                         uint64_t max_capacity) {
    return filter_with((struct guira_options){
        .buckets = buckets, .tag_bits = tag_bits, .window = window, .max_capacity = max_capacity});
}

struct guira *growing_for(uint64_t capacity, uint64_t max_capacity, double rate) {
    return filter_with((struct guira_options){
        .capacity = capacity, .max_capacity = max_capacity, .false_positive_rate = rate});
}

uint32_t level_of(const struct guira *f) {
    return view_to(guira__view(f).word);
}

bool is_migrating(const struct guira *f) {
    return guira__view(f).from != NULL;
}

const struct table *table_of_level(const struct guira *f, uint32_t level) {
    return &f->growth->tables.level[level];
}

uint64_t entries_in(const struct table *t) {
    uint64_t entries = 0;
    for (uint64_t i = 0; i < t->geometry.buckets; i++) {
        uint64_t word = word_load(&t->words[i], memory_order_relaxed);
        for (uint32_t slot = 0; slot < t->geometry.shape.slots; slot++) {
            entries += slot_tag(&t->geometry, word, slot) != 0;
        }
    }
    return entries;
}

void require_entries_add_up(const struct guira *f) {
    struct view v = guira__view(f);
    uint64_t entries = 0;
    for (uint32_t level = 0; level < f->growth->levels; level++) {
        const struct table *t = table_of_level(f, level);
        uint64_t here = t->words == NULL ? 0 : entries_in(t);
        require(t == v.to || t == v.from || here == 0, "%llu entries left at level %u",
                (unsigned long long)here, level);
        entries += here;
    }
    require(entries == guira_size(f), "%llu entries, size %llu", (unsigned long long)entries,
            (unsigned long long)guira_size(f));
}

uint64_t hash_of_number(const struct guira *f, uint64_t element) {
    struct ref_shape shape = {.U = f->table.geometry.universe};
    return ref_hash_of(&shape, element);
}

struct candidates places_in_level(const struct guira *f, uint32_t level, uint64_t element) {
    const struct geometry *g = &table_of_level(f, level)->geometry;
    return candidates_of(g, element_in(g, element));
}

void begin_growth(struct guira *f) {
    const struct growth *g = f->growth;
    uint32_t level = level_of(f);
    enum guira_status status = guira_reserve(f, g->limits[level].crowded_from + 1);
    require(status == GUIRA_OK && is_migrating(f) && level_of(f) == level + 1,
            "reserve says %d, level %u after %u", status, level_of(f), level);
}

bool finish_growth(struct guira *f) {
    uint64_t hash = hash_of_number(f, 0);
    for (unsigned i = 0; i < CHANGES_BEFORE_GIVING_UP && is_migrating(f); i++) {
        if (guira_insert_uniform(f, hash) == GUIRA_OK) {
            assert_int_equal(guira_remove_uniform(f, hash), GUIRA_OK);
        }
    }
    return !is_migrating(f);
}
