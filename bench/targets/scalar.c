/*
 * Batches as on processors without AVX-512: the one thing that the benchmark changes inside guira.
 */
#include "filter.h"

#include "guira_target.h"

void without_vectors(struct guira *filter) {
    const struct shape *shape = &filter->table.geometry.shape;
    filter->kernel.contains_many =
        guira__kernel(shape->tag_bits, shape->window_slots)->contains_many;
}
