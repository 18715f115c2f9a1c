/*
 * Elements are spread evenly over [0, U). So they are sorted by groups of neighbours, as many as
 * there are entries: a group has about one, and to find an element is to look at one group. With
 * ten million words qsort and bsearch would take most of the demo's time.
 */
#include "list.h"

#include <stdlib.h>
#include <string.h>

bool list_make(struct list *list, uint64_t room, uint64_t universe) {
    *list = (struct list){.room = room, .universe = universe};
    list->all = calloc(room == 0 ? 1 : room, sizeof *list->all);
    return list->all != NULL;
}

void list_free(struct list *list) {
    free(list->all);
    free(list->starts);
    *list = (struct list){.all = NULL};
}

bool list_append(struct list *list, uint64_t element, unsigned copies) {
    if (copies > list->room - list->count) {
        return false;
    }
    for (unsigned copy = 0; copy < copies; copy++) {
        list->all[list->count++] = element;
    }
    return true;
}

/* Greater elements are in the same group or in a later one; rounding does no harm. */
static uint64_t group_of(const struct list *list, uint64_t element) {
    double part = (double)element / (double)list->universe;
    uint64_t group = (uint64_t)(part * (double)list->count);
    return group < list->count ? group : list->count - 1;
}

static void sort_group(uint64_t *entries, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        uint64_t entry = entries[i];
        uint64_t to = i;
        for (; to > 0 && entries[to - 1] > entry; to--) {
            entries[to] = entries[to - 1];
        }
        entries[to] = entry;
    }
}

bool list_sort(struct list *list) {
    uint64_t groups = list->count;
    uint64_t *sorted = calloc(groups + 1, sizeof *sorted);
    list->starts = calloc(groups + 2, sizeof *list->starts);
    if (sorted == NULL || list->starts == NULL) {
        free(sorted);
        return false;
    }
    /* Two places ahead, so that placing the entries moves each start to where it belongs. */
    for (uint64_t i = 0; i < groups; i++) {
        list->starts[group_of(list, list->all[i]) + 2]++;
    }
    for (uint64_t i = 2; i < groups + 2; i++) {
        list->starts[i] += list->starts[i - 1];
    }
    for (uint64_t i = 0; i < groups; i++) {
        sorted[list->starts[group_of(list, list->all[i]) + 1]++] = list->all[i];
    }
    for (uint64_t i = 0; i < groups; i++) {
        sort_group(sorted + list->starts[i], list->starts[i + 1] - list->starts[i]);
    }
    free(list->all);
    list->all = sorted;
    return true;
}

unsigned list_copies(const struct list *list, uint64_t element) {
    unsigned copies = 0;
    if (list->count > 0) {
        uint64_t group = group_of(list, element);
        for (uint64_t i = list->starts[group]; i < list->starts[group + 1]; i++) {
            copies += list->all[i] == element;
        }
    }
    return copies;
}

bool lists_equal(const struct list *a, const struct list *b) {
    return a->count == b->count && memcmp(a->all, b->all, a->count * sizeof *a->all) == 0;
}
