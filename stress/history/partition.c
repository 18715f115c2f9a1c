#include "partition.h"

#include <stdlib.h>

/* Where each element's operations begin when they are grouped; one entry more than elements. */
static size_t *group_starts(const struct history *h) {
    size_t *start = allocate(h->elements + 1, sizeof *start);
    for (size_t i = 0; i < h->operations; i++) {
        start[h->operation[i].element + 1]++;
    }
    for (size_t i = 0; i < h->elements; i++) {
        start[i + 1] += start[i];
    }
    return start;
}

static void group_by_element(struct history *h, const size_t *start) {
    struct operation *grouped = allocate(h->operations, sizeof *grouped);
    size_t *next = allocate(h->elements + 1, sizeof *next);
    for (size_t i = 0; i < h->elements; i++) {
        next[i] = start[i];
    }
    for (size_t i = 0; i < h->operations; i++) {
        grouped[next[h->operation[i].element]++] = h->operation[i];
    }
    free(next);
    free(h->operation);
    h->operation = grouped;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void add_findings(struct findings *f, const struct judgement *j) {
    f->cuts += j->cuts;
    f->most_pending = larger(f->most_pending, j->most_pending);
    f->most_configurations = larger(f->most_configurations, j->most_configurations);
    f->undecided += j->verdict == UNDECIDED;
    f->violated += j->verdict == VIOLATED;
}

struct findings history_check(struct history *h, struct checker *checker) {
    struct findings f = {0};
    size_t *start = group_starts(h);
    group_by_element(h, start);
    for (size_t i = 0; i < h->elements; i++) {
        struct element_state *e = &h->element[i];
        struct operation *operation = &h->operation[start[i]];
        size_t operations = start[i + 1] - start[i];
        qsort(operation, operations, sizeof *operation, by_call_time);
        struct judgement j =
            checker_judge(checker, operation, operations, e->capacity, e->possible, NULL);
        add_findings(&f, &j);
        if (j.verdict == VIOLATED && f.violated == 1) {
            f.element = i;
            f.judgement = j;
            f.operation = operation;
            f.operations = operations;
        }
        e->possible = j.verdict == LINEARIZABLE ? j.possible : (UINT64_C(2) << e->capacity) - 1;
    }
    free(start);
    return f;
}
