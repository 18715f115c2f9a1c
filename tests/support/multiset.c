/*
 * Multisets from filters; see the header.
 */
#include "multiset.h"

#include "test.h"
#include "whole.h"

static int by_element(const void *a, const void *b) {
    uint64_t x = ((const struct member *)a)->element;
    uint64_t y = ((const struct member *)b)->element;
    return (x > y) - (x < y);
}

static struct multiset with_room(uint64_t members) {
    struct multiset m = {.member = malloc((size_t)(members + 1) * sizeof(struct member))};
    assert_non_null(m.member);
    return m;
}

static void add(struct multiset *m, uint64_t element, unsigned copies) {
    m->member[m->size++] = (struct member){element, copies};
    m->total += copies;
}

static bool add_visited(void *context, uint64_t element, unsigned multiplicity) {
    add(context, element, multiplicity);
    return true;
}

struct multiset multiset_of(const struct guira *f) {
    struct whole all = whole_of(f);
    struct multiset m = with_room(buckets_in(&all) * f->table.geometry.shape.slots);
    assert_int_equal(guira_visit(f, add_visited, &m), GUIRA_OK);
    qsort(m.member, m.size, sizeof *m.member, by_element);
    require(m.total == guira_size(f), "%llu visited, %llu counted", (unsigned long long)m.total,
            (unsigned long long)guira_size(f));
    require_sound(f);
    return m;
}

void multiset_end(struct multiset *m) {
    free(m->member);
    *m = (struct multiset){0};
}

struct multiset multiset_sum(const struct multiset *a, const struct multiset *b, bool unique) {
    struct multiset sum = with_room(a->size + b->size);
    for (size_t i = 0, j = 0; i < a->size || j < b->size;) {
        bool from_a = j == b->size || (i < a->size && a->member[i].element <= b->member[j].element);
        bool from_b = i == a->size || (j < b->size && b->member[j].element <= a->member[i].element);
        uint64_t element = from_a ? a->member[i].element : b->member[j].element;
        unsigned copies = from_a ? a->member[i].copies : 0;
        if (from_b && unique) {
            copies += copies == 0;
        } else if (from_b) {
            copies += b->member[j].copies;
        }
        add(&sum, element, copies);
        i += from_a;
        j += from_b;
    }
    return sum;
}

bool multisets_equal(const struct multiset *a, const struct multiset *b) {
    for (size_t i = 0; i < a->size && i < b->size; i++) {
        if (a->member[i].element != b->member[i].element ||
            a->member[i].copies != b->member[i].copies) {
            return false;
        }
    }
    return a->size == b->size;
}

bool holds_multiset(const struct guira *f, const struct multiset *m) {
    struct multiset now = multiset_of(f);
    bool equal = multisets_equal(&now, m);
    multiset_end(&now);
    return equal;
}
