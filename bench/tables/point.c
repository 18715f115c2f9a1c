#include "point.h"

#include <math.h>

#include <bloom.h>

#include "intervals.h"

enum { ENOUGH_HITS = 30 };

double optimal_bits(double rate) {
    return log2(1 / rate) / log(2);
}

/* Of all fills of a point together. */
struct sums {
    double items;
    double expected; /* rates */
    uint64_t hits;
};

static unsigned fills_of(const struct tables *t) {
    return t->smoke ? 1 : 5;
}

/* Of one fill. */
static uint64_t probes_of(const struct tables *t) {
    return t->smoke ? 200000 : 2000000;
}

static uint64_t absent_stream(const struct tables *t) {
    return t->seed + (UINT64_C(1) << 40);
}

static double measured(uint64_t hits, uint64_t probes, double expected) {
    return hits < ENOUGH_HITS ? expected : (double)hits / (double)probes;
}

static struct guira_info fill_shape(struct tables *t, struct shape shape, uint64_t slots,
                                    uint64_t seed, struct sums *sums) {
    struct guira *filter = shape_filter(shape, slots, seed);
    uint64_t keys = fill_guira(filter, t->seed, 0, UINT64_MAX);
    struct guira_info info = shape_info(filter);
    sums->items += (double)keys;
    sums->expected += (double)distinct_in(filter) / (double)info.sizing.universe;
    sums->hits += found_in_guira(filter, absent_stream(t), probes_of(t));
    claim(t, found_in_guira(filter, t->seed, keys) == keys,
          "tags of %u bits, windows of %u: all keys are found", shape.tag_bits, shape.window);
    guira_destroy(filter);
    return info;
}

struct point point_of_guira(struct tables *t, struct shape shape, uint64_t slots) {
    struct sums sums = {0};
    struct guira_info info = {0};
    unsigned fills = fills_of(t);
    uint64_t probes = fills * probes_of(t);
    for (unsigned i = 0; i < fills; i++) {
        /* Seeds of their own, or all shapes would have their chance hits from the same keys. */
        uint64_t seed = t->seed + UINT64_C(10000) * i + UINT64_C(100) * shape.tag_bits;
        info = fill_shape(t, shape, slots, seed + shape.window, &sums);
    }
    double items = sums.items / fills;
    double expected = sums.expected / fills;
    claim(t, believable(sums.hits, probes, expected),
          "tags of %u bits, windows of %u: %llu of %llu found, to be %g of them", shape.tag_bits,
          shape.window, (unsigned long long)sums.hits, (unsigned long long)probes, expected);
    return (struct point){.tag_bits = shape.tag_bits,
                          .side = shape.window,
                          .load = items / (double)info.slots,
                          .expected = expected,
                          .rate = measured(sums.hits, probes, expected),
                          .bits = 64 * (double)info.sizing.buckets / items,
                          .tag_only = shape.tag_bits * (double)info.slots / items};
}

struct point point_of_classic(struct tables *t, unsigned tag_bits, uint64_t slots) {
    struct classic_shape shape = {
        .buckets = slots / 4, .slots = 4, .tag_bits = tag_bits, .kicks = CLASSIC_MOST_KICKS};
    struct sums sums = {0};
    unsigned fills = fills_of(t);
    for (unsigned i = 0; i < fills; i++) {
        struct classic *classic = classic_create(shape, t->seed + UINT64_C(10000) * i + tag_bits);
        sums.items += (double)fill_classic(classic, t->seed, 0, UINT64_MAX);
        sums.hits += found_in_classic(classic, absent_stream(t), probes_of(t));
        classic_destroy(classic);
    }
    double load = sums.items / fills / (double)slots;
    double expected = -expm1(8 * load * log1p(-ldexp(1, -(int)tag_bits)));
    return (struct point){.tag_bits = tag_bits,
                          .side = 4,
                          .load = load,
                          .expected = expected,
                          .rate = measured(sums.hits, fills * probes_of(t), expected),
                          .bits = tag_bits / load,
                          .tag_only = tag_bits / load};
}

struct point point_of_bloom(struct tables *t, double rate, uint64_t items) {
    struct bloom bloom;
    if (bloom_init(&bloom, (int)items, rate) != 0) {
        fail("libbloom refuses");
    }
    for (uint64_t i = 0; i < items; i++) {
        uint64_t key = key_of(t->seed, i);
        (void)bloom_add(&bloom, &key, sizeof key);
    }
    uint64_t probes = fills_of(t) * probes_of(t) / 4;
    uint64_t hits = 0;
    for (uint64_t i = 0; i < probes; i++) {
        uint64_t key = key_of(absent_stream(t), i);
        hits += bloom_check(&bloom, &key, sizeof key) == 1;
    }
    double set = -expm1(-(double)bloom.hashes * (double)items / bloom.bits);
    double bits = (double)bloom.bits / (double)items;
    struct point point = {.side = (unsigned)bloom.hashes,
                          .load = set,
                          .expected = pow(set, bloom.hashes),
                          .bits = bits,
                          .tag_only = bits};
    point.rate = measured(hits, probes, point.expected);
    bloom_free(&bloom);
    return point;
}

struct point point_promised(double rate, uint64_t items) {
    struct guira_options options = {.capacity = items, .false_positive_rate = rate};
    struct guira_sizing s;
    enum guira_status status = guira_size_for(&options, &s);
    if (status != GUIRA_OK) {
        fail("rate %g: %s", rate, guira_status_text(status));
    }
    double slots = (double)s.buckets * s.slots_per_bucket;
    return (struct point){.tag_bits = s.tag_bits,
                          .side = s.window,
                          .load = (double)items / slots,
                          .expected = (double)items / (double)s.universe,
                          .rate = rate,
                          .bits = 64 * (double)s.buckets / (double)items,
                          .tag_only = s.tag_bits * slots / (double)items};
}

double break_even(const struct point *points, size_t count, bool of_tags) {
    double before = 0; /* how far above the Bloom filter, as a logarithm */
    for (size_t i = 0; i < count; i++) {
        double bits = of_tags ? points[i].tag_only : points[i].bits;
        double now = log(bits / optimal_bits(points[i].rate));
        if (i > 0 && before > 0 && now <= 0) {
            double part = before / (before - now);
            return exp((1 - part) * log(points[i - 1].rate) + part * log(points[i].rate));
        }
        before = now;
    }
    return 0;
}
