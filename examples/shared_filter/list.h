/*
 * A sorted list of elements, one entry a copy: what the filter should hold, or does hold.
 */
#ifndef SHARED_FILTER_LIST_H
#define SHARED_FILTER_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct list {
    uint64_t *all;
    uint64_t count;
    uint64_t room;
    uint64_t universe; /* elements are below it */
    uint64_t *starts;  /* of each group, see list.c; only of a sorted list */
};

/* False if there is not enough memory; then there is nothing to free. */
bool list_make(struct list *list, uint64_t room, uint64_t universe);
void list_free(struct list *list);

/* False if there is no room left. */
bool list_append(struct list *list, uint64_t element, unsigned copies);

/* After this nothing is appended. False if there is not enough memory. */
bool list_sort(struct list *list);

/* How many copies of the element a sorted list has. */
unsigned list_copies(const struct list *list, uint64_t element);

bool lists_equal(const struct list *a, const struct list *b);

#endif
