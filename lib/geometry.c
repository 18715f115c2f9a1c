/*
 * Deriving a geometry: limits first, then the constants of each lane's window.
 */
#include "geometry.h"

#include <stdbool.h>

/* Bytes of the table, rounded up to whole pages, must fit in what a pointer difference expresses.
 * */
#define MAX_BUCKETS ((uint64_t)(PTRDIFF_MAX / 8) - (1 << 20))

static struct window window_at(const struct shape *s, uint32_t lane) {
    struct window window = {0};
    for (uint32_t i = 0; i < s->window_slots; i++) {
        uint32_t slot = lane + i < s->slots ? lane + i : lane + i - s->slots;
        uint32_t shift = slot * s->tag_bits;
        window.step |= 2 * (uint64_t)s->offsets << shift;
        uint64_t offset = s->offsets > 1 ? i : 0;
        window.first[0] |= (1 + offset) << shift;
        window.first[1] |= (1 + s->offsets + offset) << shift;
        window.top |= UINT64_C(1) << (shift + s->tag_bits - 1);
    }
    return window;
}

/* What tag width and window decide; false if there is no table with them. */
static bool begin_with_shape(uint32_t tag_bits, uint32_t window, struct geometry *g) {
    if (tag_bits < MIN_TAG_BITS || tag_bits > MAX_TAG_BITS || window < 1 ||
        window > SHAPE_SLOTS(tag_bits)) {
        return false;
    }
    *g = (struct geometry){.shape = SHAPE(tag_bits, window)};
    g->fingerprints = g->shape.tag_mask / (2 * (uint64_t)g->shape.offsets);
    return g->fingerprints > 0;
}

static uint64_t most_buckets(const struct geometry *g) {
    uint64_t by_elements = UINT64_MAX / (g->shape.lanes * g->fingerprints);
    return by_elements < MAX_BUCKETS ? by_elements : MAX_BUCKETS;
}

uint64_t guira__most_buckets(uint32_t tag_bits, uint32_t window, uint64_t fingerprints) {
    struct geometry g;
    if (!begin_with_shape(tag_bits, window, &g)) {
        return 0;
    }
    g.fingerprints = fingerprints != 0 ? fingerprints : g.fingerprints;
    return most_buckets(&g);
}

uint64_t guira__most_fingerprints(uint32_t tag_bits, uint32_t window) {
    struct geometry g;
    return begin_with_shape(tag_bits, window, &g) ? g.fingerprints : 0;
}

enum guira_status guira__geometry_with(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                       uint64_t fingerprints, struct geometry *out) {
    struct geometry g;
    if (buckets < 2 || !begin_with_shape(tag_bits, window, &g) || fingerprints > g.fingerprints) {
        return GUIRA_BAD_GEOMETRY;
    }
    g.fingerprints = fingerprints != 0 ? fingerprints : g.fingerprints;
    if (buckets > most_buckets(&g)) {
        return GUIRA_TOO_LARGE;
    }
    g.buckets = buckets;
    g.universe = buckets * g.shape.lanes * g.fingerprints;
    for (uint32_t lane = 0; lane < g.shape.lanes; lane++) {
        g.window[lane] = window_at(&g.shape, lane);
    }
    *out = g;
    return GUIRA_OK;
}

enum guira_status guira__geometry(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                  struct geometry *out) {
    return guira__geometry_with(buckets, tag_bits, window, 0, out);
}
