/*
 * The sizing rule. docs/sizing.md derives it, and tells how each figure here was measured.
 *
 * n keys fit a geometry, but for a chance p of failing, if
 *
 *     the load is below a line for its windows, which falls with log(S / p) for large tables, since
 *     one search that exhausts its budget is enough, and with log(1 / p) / sqrt(S) for small ones
 *
 *     the expected number of small sets of slots that more keys are confined to than fit is below
 *     p / 2
 */
#include "sizing.h"

#include <math.h>
#include <stddef.h>

enum {
    MAX_CHOSEN_WINDOW = 8, /* or the whole bucket */
    MAX_UNITS = 4000,      /* where the sum over a Poisson distribution is cut off */
    LARGE_MEAN = 1000      /* of a Poisson distribution that is nearly constant */
};

/* The highest loads for windows of one kind. */
struct loads {
    double cap;         /* beyond, inserts search long; compact windows of two slots ignore it */
    double top, slope;  /* large tables: top - slope * log2(S / p) */
    double limit, root; /* small tables: limit - root * (log10(1 / p) - 0.4) / sqrt(S) */
};

static struct loads loads_of(uint32_t slots, uint32_t window) {
    if (slots == 2) {
        return (struct loads){0.85, 0.897, 0.0008, 0.89, 0.62};
    }
    if (slots == 3) {
        return window == 2 ? (struct loads){0.90, 0.955, 0.0017, 0.94, 0.45}
                           : (struct loads){0.93, 0.960, 0.0006, 0.955, 0.42};
    }
    if (window == 2) {
        return (struct loads){0.90, 0.963, 0.0014, 0.955, 0.42};
    }
    if (window == 3) {
        return slots == 4 ? (struct loads){0.94, 0.981, 0.00125, 0.98, 0.40}
                          : (struct loads){0.94, 0.9935, 0.0012, 0.985, 0.32};
    }
    if (slots == 4) {
        return (struct loads){0.95, 0.99, 0.0009, 0.98, 0.40};
    }
    return slots < 8 ? (struct loads){0.95, 0.99, 0.0009, 0.985, 0.32}
                     : (struct loads){0.95, 0.99, 0.0009, 0.99, 0.25};
}

static double highest_load(const struct geometry *g, double slots, double chance, bool compact) {
    struct loads loads = loads_of(g->shape.slots, g->shape.window_slots);
    double p = chance < 0.1 ? chance : 0.1;
    double large = loads.top - loads.slope * log2(slots / p);
    double small = loads.limit - loads.root * (log10(1 / p) - 0.4) / sqrt(slots);
    double load = large < small ? large : small;
    bool capped = !compact || g->shape.window_slots > 2 || g->shape.slots == 2;
    return capped && loads.cap < load ? loads.cap : load;
}

/* A bound on the chance that of n keys `need` or more fall where each falls with chance q: the
 * first term of the binomial tail over one less the ratio of the next. log_choose is log C(n,
 * need). */
static double tail(double n, double need, double q, double log_choose) {
    if (q >= 1 || n * q >= need) {
        return 1;
    }
    double ratio = (n - need) * q / ((need + 1) * (1 - q));
    double bound = exp(log_choose + need * log(q) + (n - need) * log1p(-q)) / (1 - ratio);
    return bound < 1 ? bound : 1;
}

/* The mean of that over how many units of chance a set has: Poisson with the given mean, but at
 * least `least` of them, since fewer do not connect the set. */
static double mean_tail(double n, double need, double unit, double mean, int least) {
    double log_choose = 0;
    for (double i = 0; i < need; i++) {
        log_choose += log((n - i) / (i + 1));
    }
    if (mean > LARGE_MEAN) {
        return tail(n, need, mean * unit * (1 + need / (2 * mean)), log_choose);
    }
    double sum = 0;
    double log_poisson = -mean;
    for (int units = 1; units < MAX_UNITS; units++) {
        log_poisson += log(mean / units);
        if (units < least) {
            continue;
        }
        double term = exp(log_poisson) * tail(n, need, units * unit, log_choose);
        sum += term;
        if (units > mean && (term < 1e-4 * sum || log_poisson < -60)) {
            break;
        }
    }
    return sum;
}

/* The expected number of overfull sets in `buckets` (2 or 3) buckets, of which `whole` are whole
 * and each of the others is a run of neighbouring starts. */
static double overfull_sets(const struct geometry *g, double n, uint32_t buckets, uint32_t whole) {
    double all = (double)g->buckets;
    double starts = all * g->shape.lanes;
    uint32_t runs = buckets - whole;
    double sets = (buckets == 2 ? all * (all - 1) / 2 : all * (all - 1) * (all - 2) / 6) *
                  pow(g->shape.slots, runs) * (runs > 0 && whole > 0 ? buckets : 1);
    double sum = 0;
    double before = 0;
    for (uint32_t t = runs; t <= runs * (g->shape.slots - g->shape.window_slots); t++) {
        double need = whole * g->shape.slots + t + runs * (g->shape.window_slots - 1) + 1;
        if (need > n) {
            break;
        }
        double mine = whole * g->shape.lanes + t;
        double q = mine * mine * (1 - 1.0 / buckets) / (starts * (starts - g->shape.lanes));
        double unit = mine / buckets / (double)g->universe;
        double splits = runs == 3 ? (t - 1.0) * (t - 2.0) / 2 : runs == 2 ? t - 1.0 : 1;
        double value =
            sets * splits * mean_tail(n, need, unit, (q < 1 ? q : 1) / unit, (int)buckets - 1);
        sum += value;
        if (sum > 1 || (value < before && value < 1e-3 * sum)) {
            break;
        }
        before = value;
    }
    return sum;
}

static bool small_sets_hold(const struct geometry *g, double n, double chance) {
    bool whole_windows = g->shape.window_slots == g->shape.slots;
    double sum = 0;
    for (uint32_t buckets = 2; buckets <= 3 && buckets <= g->buckets; buckets++) {
        for (uint32_t whole = whole_windows ? buckets : 0; whole <= buckets; whole++) {
            sum += overfull_sets(g, n, buckets, whole);
            if (sum > chance / 2) {
                return false;
            }
        }
    }
    return true;
}

static bool fits(const struct geometry *g, double n, double chance, bool compact) {
    double slots = (double)g->buckets * g->shape.slots;
    if (n > slots || g->shape.window_slots < 2 || g->fingerprints < LEAST_FINGERPRINTS) {
        return false;
    }
    if (g->buckets == 2 && g->shape.window_slots == g->shape.slots) {
        return true; /* every key may use every slot */
    }
    return n <= slots * highest_load(g, slots, chance, compact) && small_sets_hold(g, n, chance);
}

/* What all tables have in common that are tried for a promise. */
struct kind {
    uint32_t tag_bits;
    uint32_t window;
    uint64_t fingerprints; /* 0: as many as the tags can tell apart */
};

static bool keeps(const struct promise *p, uint64_t buckets, const struct kind *kind,
                  struct geometry *g) {
    double n = (double)p->capacity;
    return guira__geometry_with(buckets, kind->tag_bits, kind->window, kind->fingerprints, g) ==
               GUIRA_OK &&
           n / (double)g->universe <= p->rate && fits(g, n, p->chance, p->compact);
}

/*
 * The smallest table of a kind that keeps the promise, with at most `most`
 * buckets; false if there is none. What fits grows with the buckets, but for two whole ones, every
 * slot of which every key may use.
 */
static bool smallest(const struct promise *p, const struct kind *kind, uint64_t most,
                     struct geometry *out) {
    if (keeps(p, 2, kind, out)) {
        return true;
    }
    uint64_t limit = guira__most_buckets(kind->tag_bits, kind->window, kind->fingerprints);
    uint64_t good = most <= limit ? most : 4;
    limit = most < limit ? most : limit;
    uint64_t bad = 2;
    while (!keeps(p, good, kind, out)) {
        if (good == limit) {
            return false;
        }
        bad = good;
        good = good <= limit / 2 ? 2 * good : limit;
    }
    while (good - bad > 1) {
        uint64_t middle = bad + (good - bad) / 2;
        struct geometry g;
        if (keeps(p, middle, kind, &g)) {
            good = middle;
            *out = g;
        } else {
            bad = middle;
        }
    }
    return true;
}

/* The windows that are tried: up to MAX_CHOSEN_WINDOW slots, and the whole bucket. */
static bool is_chosen_window(const struct kind *kind) {
    return kind->window <= 64 / kind->tag_bits;
}

static uint32_t next_window(const struct kind *kind) {
    uint32_t slots = 64 / kind->tag_bits;
    bool is_last_small = kind->window == MAX_CHOSEN_WINDOW && slots > MAX_CHOSEN_WINDOW;
    return is_last_small ? slots : kind->window + 1;
}

enum guira_status guira__choose_geometry(const struct promise *p, struct geometry *out) {
    bool found = false;
    struct kind kind = {.fingerprints = 0};
    for (kind.tag_bits = MIN_TAG_BITS; kind.tag_bits <= MAX_TAG_BITS; kind.tag_bits++) {
        for (kind.window = 2; is_chosen_window(&kind); kind.window = next_window(&kind)) {
            struct geometry g;
            if (!smallest(p, &kind, found ? out->buckets : UINT64_MAX, &g)) {
                continue;
            }
            if (!found || g.buckets < out->buckets || g.universe > out->universe) {
                *out = g;
                found = true;
            }
        }
    }
    return found ? GUIRA_OK : GUIRA_TOO_LARGE;
}

uint64_t guira__safe_capacity(const struct geometry *g, double chance) {
    uint64_t good = 0;
    uint64_t bad = g->buckets * g->shape.slots + 1;
    while (bad - good > 1) {
        uint64_t middle = good + (bad - good) / 2;
        if (fits(g, (double)middle, chance, false)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    return good;
}

/* ---- Growth ---------------------------------------------------------------------------------- */

uint64_t guira__crowded_from(const struct geometry *g, double chance) {
    double slots = (double)g->buckets * g->shape.slots;
    double items = slots * highest_load(g, slots, chance, false);
    return items < 1 ? 1 : (uint64_t)items;
}

static bool is_crowded(const struct geometry *g, double slots, double items, double chance) {
    return items > slots * highest_load(g, slots, chance, false);
}

/* The fewest buckets, `least` or more, that so many keys do not crowd; false if there are none. */
static bool first_buckets(const struct promise *p, uint64_t now, const struct kind *kind,
                          uint64_t *least) {
    struct geometry g;
    uint64_t limit = guira__most_buckets(kind->tag_bits, kind->window, kind->fingerprints);
    if (guira__geometry(2, kind->tag_bits, kind->window, &g) != GUIRA_OK ||
        is_crowded(&g, (double)limit * g.shape.slots, (double)now, p->chance)) {
        return false;
    }
    uint64_t bad = *least - 1;
    uint64_t good = limit;
    while (good - bad > 1) {
        uint64_t middle = bad + (good - bad) / 2;
        if (is_crowded(&g, (double)middle * g.shape.slots, (double)now, p->chance)) {
            bad = middle;
        } else {
            good = middle;
        }
    }
    *least = good;
    return true;
}

/*
 * The levels of a kind, of which the lowest has at least `least` buckets, but less than twice as
 * many as it must have, and the highest keeps the promise and has at most `most` buckets. Each
 * doubling takes a bit from the fingerprints, so it may take more buckets to keep the rate.
 */
static bool span_of(const struct promise *p, uint64_t least, uint64_t most, struct kind kind,
                    struct span *out) {
    uint64_t all = guira__most_fingerprints(kind.tag_bits, kind.window);
    uint64_t fewest = p->capacity / (64 / kind.tag_bits); /* if every slot could be used */
    uint32_t doublings = 0;
    while (fewest >> doublings >= 2 * least) {
        doublings++;
    }
    for (; doublings < MAX_LEVELS; doublings++) {
        struct geometry high;
        kind.fingerprints = all >> doublings;
        if (kind.fingerprints < LEAST_FINGERPRINTS || !smallest(p, &kind, most, &high)) {
            return false;
        }
        uint64_t buckets = (high.buckets + (UINT64_C(1) << doublings) - 1) >> doublings;
        if (buckets < 2 * least) {
            buckets = buckets < least ? least : buckets;
            *out = (struct span){kind.tag_bits, kind.window, buckets,
                                 kind.fingerprints << doublings, doublings};
            return true;
        }
    }
    return false;
}

static double elements_of(const struct span *s) {
    uint32_t slots = 64 / s->tag_bits;
    return (double)s->fingerprints * (double)s->buckets * (s->window == slots ? 1 : slots);
}

enum guira_status guira__choose_span(const struct promise *p, uint64_t now, uint64_t least,
                                     struct span *out) {
    bool found = false;
    uint64_t most = UINT64_MAX;
    struct kind kind = {.fingerprints = 0};
    for (kind.tag_bits = MIN_TAG_BITS; kind.tag_bits <= MAX_TAG_BITS; kind.tag_bits++) {
        for (kind.window = 2; is_chosen_window(&kind); kind.window = next_window(&kind)) {
            struct span span;
            uint64_t first = least;
            if (!first_buckets(p, now, &kind, &first) || !span_of(p, first, most, kind, &span)) {
                continue;
            }
            uint64_t buckets = span.buckets << span.doublings;
            if (!found || buckets < most ||
                (buckets == most && elements_of(&span) > elements_of(out))) {
                *out = span;
                most = buckets;
                found = true;
            }
        }
    }
    return found ? GUIRA_OK : GUIRA_TOO_LARGE;
}

enum guira_status guira__choose_first(const struct promise *p, uint64_t least, struct span *out) {
    const struct kind widest = {.tag_bits = MAX_TAG_BITS, .window = 64 / MAX_TAG_BITS};
    uint64_t buckets = least;
    if (!first_buckets(p, p->capacity, &widest, &buckets)) {
        return GUIRA_TOO_LARGE;
    }
    *out = (struct span){.tag_bits = widest.tag_bits, .window = widest.window, .buckets = buckets};
    return GUIRA_OK;
}
