/*
 * Every tag width and window that there is.
 */
#ifndef GUIRA_TESTS_GRID_H
#define GUIRA_TESTS_GRID_H

#include "reference.h"
#include "test.h"

/* Calls `visit` with each valid geometry of that many buckets. */
static inline void for_each_geometry(uint64_t buckets,
                                     void (*visit)(const struct ref_shape *shape)) {
    unsigned visited = 0;
    for (uint32_t tag_bits = 4; tag_bits <= 32; tag_bits++) {
        for (uint32_t window = 1; window <= 64 / tag_bits; window++) {
            struct ref_shape shape;
            if (ref_shape(buckets, tag_bits, window, &shape)) {
                visit(&shape);
                visited++;
            }
        }
    }
    require(visited > 100, "only %u geometries", visited);
}

#endif
