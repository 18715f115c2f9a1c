/*
 * Deriving a geometry: limits first, then the constants of each lane's window.
 */
#include "geometry.h"

#include <stdbool.h>

/* Bytes of the table, rounded up to whole pages, must fit in what a pointer difference expresses.
 * */
#define MAX_BUCKETS ((uint64_t)(PTRDIFF_MAX / 8) - (1 << 20))

static struct window window_at(const struct geometry *g, uint32_t lane) {
    struct window window = {0};
    for (uint32_t i = 0; i < g->window_slots; i++) {
        uint32_t slot = lane + i < g->slots ? lane + i : lane + i - g->slots;
        uint32_t shift = slot * g->tag_bits;
        window.ones |= UINT64_C(1) << shift;
        window.ramp |= (uint64_t)(g->offsets > 1 ? i : 0) << shift;
        window.top |= UINT64_C(1) << (shift + g->tag_bits - 1);
    }
    return window;
}

/* What tag width and window decide; false if there is no table with them. */
static bool shape(uint32_t tag_bits, uint32_t window, struct geometry *g) {
    if (tag_bits < MIN_TAG_BITS || tag_bits > MAX_TAG_BITS || window < 1 ||
        window > 64 / tag_bits) {
        return false;
    }
    *g = (struct geometry){.tag_bits = tag_bits, .window_slots = window, .slots = 64 / tag_bits};
    g->lanes = window == g->slots ? 1 : g->slots;
    g->offsets = window == g->slots ? 1 : window;
    g->fingerprints = ((UINT64_C(1) << tag_bits) - 1) / (2 * (uint64_t)g->offsets);
    return g->fingerprints > 0;
}

static uint64_t most_buckets(const struct geometry *g) {
    uint64_t by_elements = UINT64_MAX / (g->lanes * g->fingerprints);
    return by_elements < MAX_BUCKETS ? by_elements : MAX_BUCKETS;
}

uint64_t guira__most_buckets(uint32_t tag_bits, uint32_t window) {
    struct geometry g;
    return shape(tag_bits, window, &g) ? most_buckets(&g) : 0;
}

enum guira_status guira__geometry(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                  struct geometry *out) {
    struct geometry g;
    if (buckets < 2 || !shape(tag_bits, window, &g)) {
        return GUIRA_BAD_GEOMETRY;
    }
    if (buckets > most_buckets(&g)) {
        return GUIRA_TOO_LARGE;
    }
    g.buckets = buckets;
    g.universe = buckets * g.lanes * g.fingerprints;
    g.tag_mask = (UINT64_C(1) << tag_bits) - 1;
    g.offset_reciprocal = ((UINT64_C(1) << 32) + g.offsets - 1) / g.offsets;
    for (uint32_t slot = 0; slot < g.slots; slot++) {
        g.below_top |= (g.tag_mask >> 1) << (slot * tag_bits);
        g.all_top |= UINT64_C(1) << (slot * tag_bits + tag_bits - 1);
    }
    for (uint32_t lane = 0; lane < g.lanes; lane++) {
        g.window[lane] = window_at(&g, lane);
    }
    *out = g;
    return GUIRA_OK;
}
