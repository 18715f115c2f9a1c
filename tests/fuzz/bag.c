/*
 * Multisets; see the header.
 */
#include "bag.h"

#include <string.h>

#include "fuzz.h"

/* Where the element is, or belongs. */
static size_t place_of(const struct bag *bag, uint64_t element) {
    size_t low = 0;
    size_t high = bag->distinct;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (bag->member[middle].element < element) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const struct bag *bag, size_t at, uint64_t element) {
    return at < bag->distinct && bag->member[at].element == element;
}

unsigned bag_copies(const struct bag *bag, uint64_t element) {
    size_t at = place_of(bag, element);
    return is_at(bag, at, element) ? bag->member[at].copies : 0;
}

void bag_add(struct bag *bag, uint64_t element) {
    size_t at = place_of(bag, element);
    if (!is_at(bag, at, element)) {
        fuzz_require(bag->distinct < BAG_ROOM, "%zu distinct elements", bag->distinct);
        memmove(&bag->member[at + 1], &bag->member[at],
                (bag->distinct - at) * sizeof bag->member[0]);
        bag->member[at].element = element;
        bag->member[at].copies = 0;
        bag->distinct++;
    }
    bag->member[at].copies++;
    bag->total++;
}

void bag_take(struct bag *bag, uint64_t element) {
    size_t at = place_of(bag, element);
    fuzz_require(is_at(bag, at, element), "element %llu", (unsigned long long)element);
    bag->total--;
    if (--bag->member[at].copies == 0) {
        bag->distinct--;
        memmove(&bag->member[at], &bag->member[at + 1],
                (bag->distinct - at) * sizeof bag->member[0]);
    }
}

struct comparison {
    const struct bag *bag;
    bool met[BAG_ROOM];
    size_t elements;
};

static bool compare_element(void *context, uint64_t element, unsigned multiplicity) {
    struct comparison *c = context;
    size_t at = place_of(c->bag, element);
    fuzz_require(is_at(c->bag, at, element) && !c->met[at], "element %llu",
                 (unsigned long long)element);
    fuzz_require(c->bag->member[at].copies == multiplicity, "%u, should be %u", multiplicity,
                 c->bag->member[at].copies);
    c->met[at] = true;
    c->elements++;
    return true;
}

void bag_compare(const struct bag *bag, const struct guira *filter) {
    unsigned invariant = 0;
    struct comparison c = {.bag = bag};
    fuzz_require(guira_check(filter, &invariant) == GUIRA_OK, "invariant %u", invariant);
    fuzz_require(guira_visit(filter, compare_element, &c) == GUIRA_OK, "visit");
    fuzz_require(c.elements == bag->distinct, "%zu of %zu", c.elements, bag->distinct);
    fuzz_require(guira_size(filter) == bag->total, "%llu of %llu",
                 (unsigned long long)guira_size(filter), (unsigned long long)bag->total);
}
