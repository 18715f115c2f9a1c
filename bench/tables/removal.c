/*
 * Removing half of the items, and what becomes of the other half; beside clearing an item's bits in
 * a Bloom filter.
 */
#include "clearing.h"
#include "intervals.h"
#include "shape.h"
#include "tables.h"

enum { SLOTS = 4096, ITEMS = 3946, HALF = ITEMS / 2, STEP = 50, STEPS = (HALF + STEP - 1) / STEP };
enum { BITS = 4096, HASHES = 7, BLOOM_ITEMS = 300 };

/* Of so many runs together. */
struct halves {
    uint64_t runs;
    uint64_t removed;
    uint64_t kept;
    uint64_t lost;     /* of those kept */
    uint64_t reported; /* of those removed */
    double expected;   /* of those removed */
};

static void remove_from_guira(struct tables *t, struct shape shape, uint64_t stream,
                              struct halves *halves) {
    struct guira *filter = shape_filter(shape, SLOTS, t->seed);
    uint64_t in = fill_guira(filter, stream, 0, ITEMS);
    claim(t, in == ITEMS, "tags of %u bits: %d items fit %d slots: %llu", shape.tag_bits, ITEMS,
          SLOTS, (unsigned long long)in);
    for (uint64_t i = 0; i < HALF; i++) {
        halves->removed += guira_remove_u64(filter, key_of(stream, i)) == GUIRA_OK;
    }
    uint64_t reported = found_in_guira(filter, stream, HALF);
    uint64_t found = found_in_guira(filter, stream, in) - reported;
    halves->runs++;
    halves->reported += reported;
    halves->kept += in - HALF;
    halves->lost += in - HALF - found;
    halves->expected +=
        HALF * (double)distinct_in(filter) / (double)shape_info(filter).sizing.universe;
    guira_destroy(filter);
}

static void remove_from_classic(uint64_t stream, struct halves *halves) {
    struct classic_shape shape = {
        .buckets = SLOTS / 4, .slots = 4, .tag_bits = 12, .kicks = CLASSIC_MOST_KICKS};
    struct classic *classic = classic_create(shape, stream);
    uint64_t in = fill_classic(classic, stream, 0, ITEMS);
    for (uint64_t i = 0; i < HALF; i++) {
        halves->removed += classic_remove(classic, key_of(stream, i));
    }
    uint64_t reported = found_in_classic(classic, stream, HALF);
    uint64_t found = found_in_classic(classic, stream, in) - reported;
    halves->runs++;
    halves->reported += reported;
    halves->kept += in - HALF;
    halves->lost += in - HALF - found;
    halves->expected += HALF * 8.0 * (double)(in - HALF) / SLOTS / 4096;
    classic_destroy(classic);
}

static void say_halves(struct tables *t, const char *what, const struct halves *h,
                       const char *difference) {
    say(t, "| %s | %llu of %llu | %.2f (%.3f %%) | %.2f | %s |\n", what,
        (unsigned long long)h->lost, (unsigned long long)h->kept,
        (double)h->reported / (double)h->runs, 100 * (double)h->reported / (double)h->removed,
        h->expected / (double)h->runs, difference);
    claim(t, h->lost == 0, "%s: who stays is found: %llu lost", what, (unsigned long long)h->lost);
    claim(t, h->removed == h->runs * HALF, "%s: every removal succeeds", what);
}

static void say_removal(struct tables *t) {
    unsigned runs = t->smoke ? 5 : 200;
    struct halves classic = {0};
    struct halves twelve = {0};
    struct halves sixteen = {0};
    for (unsigned i = 0; i < runs; i++) {
        remove_from_classic(t->seed + i, &classic);
        remove_from_guira(t, (struct shape){12, 4}, t->seed + i, &twelve);
        remove_from_guira(t, (struct shape){16, 4}, t->seed + i, &sixteen);
    }
    say(t,
        "## Removal\n\n"
        "1,024 buckets of four, or 820 of five; %d items, of which the first %d are removed; %u "
        "runs, the reported ones as the mean of a run.\n\n"
        "| filter | lost of those that stay | removed, but still reported | expected | difference "
        "|\n|---|---|---|---|---|\n"
        "| published | 0 of 1973 | 1 (0.051 %%) | | |\n",
        ITEMS, HALF, runs);
    say_halves(t, "random kicks, 12-bit tags", &classic,
               "the same filter, so the published run had one where two are usual");
    say_halves(t, "guira, 12-bit tags, windows of 4", &twelve, "none: the rate of eight slots");
    say_halves(t, "guira, 16-bit tags, buckets of 4", &sixteen,
               "below: the published layout, but in a word of 64 bits, whose tags are wider");
    const struct halves *const own[] = {&twelve, &sixteen};
    for (int i = 0; i < 2; i++) {
        claim(t,
              believable(own[i]->reported, own[i]->removed,
                         own[i]->expected / (double)own[i]->removed),
              "%llu removed ones are reported, to be %g", (unsigned long long)own[i]->reported,
              own[i]->expected);
    }
}

static void say_losses(struct tables *t, const char *what, const struct losses *l, double expected,
                       const char *difference) {
    say(t, "| %s | %.2f | %.2f | %llu | %.0f %% | %s |\n", what,
        (double)l->lost / (double)l->cleared, expected, (unsigned long long)l->most,
        100 * (double)l->six / (double)l->cleared, difference);
}

/* Each item in turn is removed from guira, and inserted again. */
static void lose_in_guira(struct tables *t, uint64_t stream, struct losses *losses) {
    struct guira *filter = shape_filter((struct shape){12, 2}, BLOOM_ITEMS * 12 / 10, t->seed);
    uint64_t in = fill_guira(filter, stream, 0, BLOOM_ITEMS);
    for (uint64_t i = 0; i < in; i++) {
        uint64_t key = key_of(stream, i);
        (void)guira_remove_u64(filter, key);
        uint64_t reported = guira_contains_u64(filter, key);
        losses_add(losses, in - 1 - (found_in_guira(filter, stream, in) - reported));
        (void)guira_insert_u64(filter, key);
    }
    claim(t, in == BLOOM_ITEMS && losses->lost == 0, "removing one of %d items loses no other",
          BLOOM_ITEMS);
    guira_destroy(filter);
}

static void say_clearing(struct tables *t) {
    struct losses plain = {0};
    struct losses real = {0};
    struct losses guira = {0};
    unsigned hashes = 0;
    uint64_t bits = 0;
    uint64_t real_items = 0;
    for (unsigned i = 0; i < (t->smoke ? 2 : 20); i++) {
        clear_in_plain(&plain, BITS, HASHES, BLOOM_ITEMS, t->seed + i);
        lose_in_guira(t, t->seed + i, &guira);
    }
    /* The fewest that libbloom is made for, filled to as many bits an item. */
    real_items = 9585 * BLOOM_ITEMS / BITS;
    bits = clear_in_libbloom(&real, 1000, 0.01, real_items, t->seed, &hashes);
    double expected = expected_loss(BITS, HASHES, BLOOM_ITEMS);
    say(t, "\nClearing the bits of one item in a Bloom filter: other items that are lost.\n\n"
           "| filter | mean | expected | most | six or more | difference |\n"
           "|---|---|---|---|---|---|\n"
           "| published, m = 4,096, k = 7, 300 items | 6, once | | | | |\n");
    say_losses(t, "plain, the same, each item in turn", &plain, expected,
               "one clearing is one draw; six or more are as usual as the fifth column says");
    say(t,
        "| libbloom, m = %llu, k = %u, %llu items | %.2f | %.2f | %llu | %.0f %% | libbloom "
        "takes no fewer than 1,000 items, so as many bits an item, and as many hashes |\n",
        (unsigned long long)bits, hashes, (unsigned long long)real_items,
        (double)real.lost / (double)real.cleared, expected_loss(bits, hashes, real_items),
        (unsigned long long)real.most, 100 * (double)real.six / (double)real.cleared);
    say_losses(t, "guira, 12-bit tags, windows of 2, 300 items", &guira, 0,
               "none: an entry is one item's");
    claim(t, plain.lost > 0 && real.lost > 0, "clearing bits loses other items");
    double mean = (double)plain.lost / (double)plain.cleared;
    claim(t, mean > 0.7 * expected && mean < 1.3 * expected, "of plain bits %g, to be %g", mean,
          expected);
}

static void keep_curves(struct tables *t) {
    uint64_t lost[STEPS + 1] = {0};
    FILE *data = tables_data(t, "removal.csv");
    struct guira *filter = shape_filter((struct shape){12, 4}, SLOTS, t->seed);
    (void)fill_guira(filter, t->seed, 0, ITEMS);
    clear_half_of_libbloom(ITEMS, 0.001, t->seed, STEP, lost);
    (void)fputs("removed,libbloom_lost,guira_lost\n", data);
    for (uint64_t i = 0; i <= STEPS; i++) {
        uint64_t removed = i * STEP < HALF ? i * STEP : HALF;
        uint64_t before = i == 0 ? 0 : (i - 1) * STEP;
        for (uint64_t k = before; k < removed; k++) {
            (void)guira_remove_u64(filter, key_of(t->seed, k));
        }
        uint64_t missing = 0;
        for (uint64_t k = HALF; k < ITEMS; k++) {
            missing += !guira_contains_u64(filter, key_of(t->seed, k));
        }
        (void)fprintf(data, "%.4f,%.4f,%.4f\n", 100.0 * (double)removed / ITEMS,
                      100.0 * (double)lost[i] / HALF, 100.0 * (double)missing / HALF);
        claim(t, missing == 0, "who stays is found after %llu removals",
              (unsigned long long)removed);
    }
    claim(t, lost[STEPS] > lost[0], "clearing bits loses other items");
    say(t,
        "\nOf a libbloom filter of 0.1 %% and %d items, clearing the first half takes %.1f %% of "
        "the other half away. guira loses none. A counting Bloom filter was not built: it loses "
        "none "
        "either, unless one of its counters of 4 bits "
        "overflows.\n\n![removal](plots/tables_removal.svg)\n\n",
        ITEMS, 100.0 * (double)lost[STEPS] / HALF);
    (void)fclose(data);
    guira_destroy(filter);
}

void tables_removal(struct tables *t) {
    say_removal(t);
    say_clearing(t);
    keep_curves(t);
}
