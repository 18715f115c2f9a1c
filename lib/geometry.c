/*
 * Deriving a geometry: limits first, then the constants of each lane's window.
 */
#include "geometry.h"

/* Bytes of the table must fit in what a pointer difference can express. */
#define MAX_BUCKETS ((uint64_t)(PTRDIFF_MAX / 8) - 64)

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

enum guira_status guira__geometry(uint64_t buckets, uint32_t tag_bits, uint32_t window,
                                  struct geometry *out) {
    if (buckets < 2 || tag_bits < MIN_TAG_BITS || tag_bits > MAX_TAG_BITS || window < 1 ||
        window > 64 / tag_bits) {
        return GUIRA_BAD_GEOMETRY;
    }
    struct geometry g = {.buckets = buckets, .tag_bits = tag_bits, .window_slots = window};
    g.slots = 64 / tag_bits;
    g.lanes = window == g.slots ? 1 : g.slots;
    g.offsets = window == g.slots ? 1 : window;
    g.fingerprints = fingerprints_of(tag_bits, g.offsets);
    if (g.fingerprints == 0) {
        return GUIRA_BAD_GEOMETRY;
    }
    if (buckets > MAX_BUCKETS || buckets > UINT64_MAX / (g.lanes * g.fingerprints)) {
        return GUIRA_TOO_LARGE;
    }
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
