#include "shape.h"

enum { BLOCK = 1024 };

uint64_t shape_fingerprints(struct shape shape) {
    unsigned offsets = shape.window == shape_slots(shape) ? 1 : shape.window;
    return ((UINT64_C(1) << shape.tag_bits) - 1) / (UINT64_C(2) * offsets);
}

struct guira_options shape_options(struct shape shape, uint64_t slots, uint64_t seed) {
    unsigned of_bucket = shape_slots(shape);
    return (struct guira_options){.buckets = (slots + of_bucket - 1) / of_bucket,
                                  .tag_bits = shape.tag_bits,
                                  .window = shape.window,
                                  .seed = seed,
                                  .single_writer = true};
}

struct guira *filter_of(const struct guira_options *options) {
    struct guira *filter = NULL;
    enum guira_status status = guira_create(options, &filter);
    if (status != GUIRA_OK) {
        fail("no filter: %s", guira_status_text(status));
    }
    return filter;
}

struct guira *shape_filter(struct shape shape, uint64_t slots, uint64_t seed) {
    struct guira_options options = shape_options(shape, slots, seed);
    return filter_of(&options);
}

struct guira_info shape_info(const struct guira *filter) {
    struct guira_info info;
    (void)guira_get_info(filter, &info);
    return info;
}

uint64_t fill_guira(struct guira *filter, uint64_t stream, uint64_t from, uint64_t to) {
    while (from < to && guira_insert_u64(filter, key_of(stream, from)) == GUIRA_OK) {
        from++;
    }
    return from;
}

uint64_t fill_classic(struct classic *classic, uint64_t stream, uint64_t from, uint64_t to) {
    while (from < to && classic_insert(classic, key_of(stream, from))) {
        from++;
    }
    return from;
}

uint64_t found_in_guira(const struct guira *filter, uint64_t stream, uint64_t keys) {
    uint64_t block[BLOCK];
    bool results[BLOCK];
    uint64_t found = 0;
    for (uint64_t from = 0; from < keys; from += BLOCK) {
        size_t count = keys - from < BLOCK ? (size_t)(keys - from) : BLOCK;
        for (size_t i = 0; i < count; i++) {
            block[i] = key_of(stream, from + i);
        }
        (void)guira_contains_batch(filter, guira_keys_u64(block, count), results);
        for (size_t i = 0; i < count; i++) {
            found += results[i];
        }
    }
    return found;
}

uint64_t found_in_classic(const struct classic *classic, uint64_t stream, uint64_t keys) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < keys; i++) {
        found += classic_contains(classic, key_of(stream, i));
    }
    return found;
}

static bool count_one(void *context, uint64_t element, unsigned multiplicity) {
    (void)element;
    (void)multiplicity;
    ++*(uint64_t *)context;
    return true;
}

uint64_t distinct_in(const struct guira *filter) {
    uint64_t count = 0;
    (void)guira_visit(filter, count_one, &count);
    return count;
}
