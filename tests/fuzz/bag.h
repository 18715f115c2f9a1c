/*
 * What a filter is by its specification: a multiset of elements, kept as a sorted list. Tables in
 * fuzz targets are small.
 */
#ifndef GUIRA_FUZZ_BAG_H
#define GUIRA_FUZZ_BAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guira/guira.h"

enum { BAG_ROOM = 3000 }; /* more than what inputs can insert, doubled by merges */

struct bag {
    size_t distinct;
    uint64_t total;
    struct {
        uint64_t element;
        unsigned copies; /* 1 or more */
    } member[BAG_ROOM];
};

unsigned bag_copies(const struct bag *bag, uint64_t element);
void bag_add(struct bag *bag, uint64_t element);
void bag_take(struct bag *bag, uint64_t element); /* which must be there */

/* Ends the program unless the filter is sound and holds just that. */
void bag_compare(const struct bag *bag, const struct guira *filter);

#endif
