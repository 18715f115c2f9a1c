/*
 * Filters in the middle of a growth; see the header.
 */
#include "middle.h"

#include "elements.h"
#include "test.h"
#include "whole.h"

enum { ELEMENTS = 4000 };

bool is_growing(const struct guira *f) {
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    return info.is_growing;
}

struct guira_options middle_options(void) {
    return (struct guira_options){
        .buckets = 64, .tag_bits = 16, .window = 2, .max_capacity = 3000, .stripes = 8};
}

static void insert_next(struct middle *m) {
    size_t i = m->in++;
    assert_true(i < m->count);
    for (size_t copy = 0; copy <= i % 2; copy++) {
        assert_int_equal(guira_insert_uniform(m->filter, m->hashes[i]), GUIRA_OK);
        m->copies[i]++;
    }
}

struct middle middle_of(struct guira_options options, size_t more) {
    struct middle m = {.filter = filter_with(options), .count = ELEMENTS};
    m.hashes = distinct_hashes(m.filter, m.count, 77);
    m.copies = calloc(m.count, sizeof *m.copies);
    assert_non_null(m.copies);
    while (!is_growing(m.filter)) {
        insert_next(&m);
    }
    for (size_t i = 0; i < more; i++) {
        insert_next(&m);
    }
    assert_true(is_growing(m.filter));
    return m;
}

void middle_end(struct middle *m) {
    free(m->hashes);
    free(m->copies);
    guira_destroy(m->filter);
}

struct middle some_middle(void) {
    struct middle m = middle_of(middle_options(), 3);
    assert_true(in_both_tables(&m) > 0);
    return m;
}

bool holds_middle(const struct guira *f, const struct middle *m) {
    return holds_exactly(f, m->hashes, m->copies, m->count);
}

size_t in_both_tables(const struct middle *m) {
    struct whole all = whole_of(m->filter);
    size_t both = 0;
    for (size_t i = 0; i < m->in; i++) {
        struct sites s = sites_of(&all.view, m->hashes[i]);
        both += held_copies(all.view.to, &s.now) > 0 && held_copies(all.view.from, &s.before) > 0;
    }
    return both;
}

void require_goes_on(struct guira *f, const struct middle *m) {
    for (size_t i = 0; i < 100000 && is_growing(f); i++) {
        assert_int_equal(guira_remove_uniform(f, m->hashes[m->in + i % 16]), GUIRA_NOT_FOUND);
    }
    assert_false(is_growing(f));
    assert_true(holds_middle(f, m));
    require_sound(f);
    size_t most = m->in + 1000 < m->count ? m->in + 1000 : m->count;
    for (size_t i = m->in; i < most; i++) {
        assert_int_equal(guira_insert_uniform(f, m->hashes[i]), GUIRA_OK);
    }
    require_sound(f);
    for (size_t i = m->in; i < most; i++) {
        assert_int_equal(guira_remove_uniform(f, m->hashes[i]), GUIRA_OK);
    }
    assert_true(holds_middle(f, m));
}
