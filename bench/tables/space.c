/*
 * False-positive rates by width of tags, and bits per item against the rate, beside Bloom filters.
 */
#include <math.h>

#include "point.h"

enum { LEAST_BITS = 6, MOST_BITS = 21, MOST_POINTS = 24, LEAST_FINGERPRINTS = 15 };

/* The points of one kind of filter, their tags ascending. */
struct line {
    size_t count;
    struct point points[MOST_POINTS];
};

struct space {
    struct tables *tables;
    FILE *data;
    uint64_t slots;
    struct line windows[5]; /* of 2, 3 and 4 slots */
    struct line classic;
    struct line bloom;
    struct line same_rate; /* of libbloom, at the published rates */
};

/* What articles give for buckets of four. */
struct published {
    unsigned tag_bits;
    double rate; /* in percent */
    double bits;
    double bloom;
    const char *rate_difference;
    const char *same_tags;
    const char *same_rate;
};

static const struct published published[] = {
    {.tag_bits = 8,
     .rate = 2.9647,
     .bits = 8.32,
     .bloom = 7.32,
     .rate_difference =
         "tags keep side and offset, in 3 bits or 2, so a key is one of 31 or 63 elements a slot, "
         "and the rate is load / 31 or load / 63: four slots a side match as eight tags would, at "
         "a higher load, and two half as often",
     .same_tags = "windows of 4: a higher load, at 31 fingerprints in 8 bits, not 32",
     .same_rate = "below: windows of two save a bit of tag"},
    {.tag_bits = 10,
     .rate = 0.7340,
     .bits = 10.40,
     .bloom = 10.23,
     .same_tags = "windows of 4: 4 of a word's 64 bits are left over",
     .same_rate = "below, likewise"},
    {.tag_bits = 11,
     .rate = 0.3632,
     .bits = 11.43,
     .bloom = 11.69,
     .same_tags = "9 bits of a word are left over: five tags of 12 bits fit as well, so 11 are "
                  "never chosen",
     .same_rate = "below, likewise, though 4 bits of a word are left over"},
    {.tag_bits = 12,
     .rate = 0.1840,
     .bits = 12.46,
     .bloom = 13.11,
     .rate_difference = "likewise: load / 511 and load / 1,023",
     .same_tags = "windows of 4: 4 bits of a word are left over",
     .same_rate = "above: it wants windows of two and 11 bits, of which a word leaves 9 over"},
    {.tag_bits = 16,
     .rate = 0.0138,
     .bits = 16.66,
     .bloom = 18.51,
     .same_tags = "below: four tags fill the word, and the load is higher; theory has 0.0118 % "
                  "for the published load, so 0.0138 % looks like a small sample's",
     .same_rate = "below: the same layout"},
};

enum { PUBLISHED = sizeof published / sizeof published[0] };

static void keep(const struct space *s, const char *what, const struct point *p) {
    (void)fprintf(s->data, "%s,%u,%u,%.5f,%.6g,%.6g,%.4f,%.4f,%.4f\n", what, p->tag_bits, p->side,
                  p->load, p->expected, p->rate, p->bits, p->tag_only, optimal_bits(p->rate));
}

static void add(const struct space *s, struct line *line, const char *what, struct point point) {
    line->points[line->count++] = point;
    keep(s, what, &point);
}

static void measure_guira(struct space *s) {
    static const char *const names[] = {[2] = "windows of 2", "windows of 3", "windows of 4"};
    for (unsigned window = 2; window <= 4; window++) {
        for (unsigned bits = LEAST_BITS; bits <= MOST_BITS; bits++) {
            struct shape shape = {.tag_bits = bits, .window = window};
            if (window <= shape_slots(shape) && shape_fingerprints(shape) >= LEAST_FINGERPRINTS) {
                add(s, &s->windows[window], names[window],
                    point_of_guira(s->tables, shape, s->slots));
            }
        }
    }
}

static void measure_others(struct space *s) {
    for (unsigned bits = LEAST_BITS; bits <= 17; bits++) {
        add(s, &s->classic, "random kicks", point_of_classic(s->tables, bits, s->slots));
    }
    for (int i = 0; i < 10; i++) {
        add(s, &s->bloom, "libbloom", point_of_bloom(s->tables, 0.1 * pow(10, -0.4 * i), s->slots));
    }
    for (size_t i = 0; i < PUBLISHED; i++) {
        add(s, &s->same_rate, "libbloom at published rates",
            point_of_bloom(s->tables, published[i].rate / 100, s->slots));
    }
}

/* The curves that need no filling. */
static void keep_computed(const struct space *s) {
    for (int i = 0; i <= 100; i++) {
        double rate = 0.1 * pow(10, -0.05 * i);
        struct point point = point_promised(rate, 1000000);
        keep(s, "guira as chosen", &point);
        double optimal = optimal_bits(rate);
        (void)fprintf(s->data, "optimal Bloom,0,0,0,0,%.6g,%.4f,%.4f,%.4f\n", rate, optimal,
                      optimal, optimal);
        (void)fprintf(s->data, "counting Bloom,0,0,0,0,%.6g,%.4f,%.4f,%.4f\n", rate, 4 * optimal,
                      4 * optimal, optimal);
    }
    for (size_t i = 0; i < PUBLISHED; i++) {
        (void)fprintf(s->data, "published,%u,4,0,0,%.6g,%.4f,%.4f,%.4f\n", published[i].tag_bits,
                      published[i].rate / 100, published[i].bits, published[i].bits,
                      published[i].bloom);
    }
}

static const struct point *at_bits(const struct line *line, unsigned bits) {
    for (size_t i = 0; i < line->count; i++) {
        if (line->points[i].tag_bits == bits) {
            return &line->points[i];
        }
    }
    fail("no tags of %u bits", bits);
}

/* The fewest bits of guira's at about that rate, or less. */
static const struct point *for_rate(const struct space *s, double rate) {
    const struct point *best = NULL;
    for (unsigned window = 2; window <= 4; window++) {
        for (size_t i = 0; i < s->windows[window].count; i++) {
            const struct point *p = &s->windows[window].points[i];
            if (p->expected <= 1.05 * rate && (best == NULL || p->bits < best->bits)) {
                best = p;
            }
        }
    }
    if (best == NULL) {
        fail("nothing has a rate of %g", rate);
    }
    return best;
}

static void say_point(struct tables *t, const struct point *p) {
    say(t, " %.4f %%, %.2f, %.3f |", 100 * p->rate, p->bits, p->bits / optimal_bits(p->rate));
}

static void say_rates(struct space *s) {
    struct tables *t = s->tables;
    say(t, "## False-positive rates\n\n"
           "Filled until an insert fails, and the mean of five fills. What is expected of guira is "
           "distinct elements / U, "
           "exactly, and each measurement is checked against it.\n\n"
           "| tags | published | theory, full | random kicks, b = 4 | windows of 4: measured | "
           "expected | windows of 2: measured | expected | difference |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (unsigned i = 0; i < PUBLISHED; i += 3) { /* 8 and 12 bits */
        const struct published *row = &published[i];
        const struct point *four = at_bits(&s->windows[4], row->tag_bits);
        const struct point *two = at_bits(&s->windows[2], row->tag_bits);
        say(t,
            "| %u | %.3f %% | %.3f %% | %.3f %% | %.3f %% | %.3f %% | %.3f %% | %.3f %% | %s |\n",
            row->tag_bits, row->rate, 100 * ldexp(8, -(int)row->tag_bits),
            100 * at_bits(&s->classic, row->tag_bits)->rate, 100 * four->rate, 100 * four->expected,
            100 * two->rate, 100 * two->expected, row->rate_difference);
        claim(t, two->expected < row->rate / 100,
              "windows of two, tags of %u bits: below published", row->tag_bits);
        claim(t, four->expected < ldexp(8.3, -(int)row->tag_bits),
              "windows of four, tags of %u bits: not above theory", row->tag_bits);
    }
    say(t, "\n![rate](plots/tables_rate.svg)\n\n");
}

static void say_same_tags(struct space *s) {
    struct tables *t = s->tables;
    say(t,
        "## Bits per item\n\n"
        "%llu slots, filled likewise. Each cell: rate, bits of memory per item, and "
        "these divided by those of an optimal Bloom filter of that rate. First the same tags:\n\n"
        "| tags | published | random kicks, b = 4 | windows of 4 | windows of 2 | difference |\n"
        "|---|---|---|---|---|---|\n",
        (unsigned long long)s->slots);
    for (size_t i = 0; i < PUBLISHED; i++) {
        const struct published *row = &published[i];
        say(t, "| %u | %.4f %%, %.2f, %.3f |", row->tag_bits, row->rate, row->bits,
            row->bits / row->bloom);
        say_point(t, at_bits(&s->classic, row->tag_bits));
        say_point(t, at_bits(&s->windows[4], row->tag_bits));
        say_point(t, at_bits(&s->windows[2], row->tag_bits));
        say(t, " %s |\n", row->same_tags);
    }
}

static void say_same_rate(struct space *s) {
    struct tables *t = s->tables;
    say(t, "\nThen what guira needs for the published rate, or at most a twentieth more, and "
           "libbloom:\n\n"
           "| published | guira: tags, window | rate, bits, ratio | libbloom | difference |\n"
           "|---|---|---|---|---|\n");
    for (size_t i = 0; i < PUBLISHED; i++) {
        const struct published *row = &published[i];
        const struct point *p = for_rate(s, row->rate / 100);
        say(t, "| %.4f %%, %.2f, %.3f | %u, %u |", row->rate, row->bits, row->bits / row->bloom,
            p->tag_bits, p->side);
        say_point(t, p);
        say_point(t, &s->same_rate.points[i]);
        say(t, " %s |\n", row->same_rate);
    }
}

static void say_break_even_row(struct space *s, const char *what, const char *there,
                               const struct line *line, const char *difference) {
    double of_tags = break_even(line->points, line->count, true);
    double of_memory = break_even(line->points, line->count, false);
    say(s->tables, "| %s | %s | %.2f %% | %.2f %% | %s |\n", what, there, 100 * of_tags,
        100 * of_memory, difference);
    (void)fprintf(s->data, "break-even,0,0,0,0,%.6g,%.4f,0,0\n", of_memory,
                  optimal_bits(of_memory));
}

static double largest_ratio(const struct line *line) {
    double most = 0;
    for (size_t i = 0; i < line->count; i++) {
        most = fmax(most, line->points[i].bits / optimal_bits(line->points[i].rate));
    }
    return most;
}

static void say_break_even(struct space *s) {
    struct tables *t = s->tables;
    say(t,
        "\nBreak-even with an optimal Bloom filter, by lines between the points: below these rates "
        "the filter is smaller. Articles count bits of tags; memory has those left over, too.\n\n"
        "| filter | published | bits of tags | memory | difference |\n|---|---|---|---|---|\n");
    say_break_even_row(s, "random kicks, b = 4", "near 0.4 %", &s->classic,
                       "the published rows cross between 0.73 and 0.36 %, too");
    say_break_even_row(
        s, "guira, windows of 4", "near 0.4 %", &s->windows[4],
        "tags: larger rates, by a higher load; memory: smaller, as tags of 9 to 15 bits "
        "leave bits of a word over");
    say_break_even_row(s, "guira, windows of 3", "", &s->windows[3], "none published");
    say_break_even_row(
        s, "guira, windows of 2", "about 3 %, one bit saved by sorting buckets", &s->windows[2],
        "not quite reached: a bit is saved, but tags of 7 bits fill to 0.94, not 0.96, "
        "and leave 1 bit of 64 over; each costs 2 % of the bits");
    say(t,
        "\nWith windows of two guira is smaller below the break-even, but for three steps at which "
        "a word holds a slot less (tags of 11, 13 and 17 bits), as the plot shows. libbloom, made "
        "for 10 to 0.0025 %%, has up to %.3f of the optimal bits at the rates measured, as the "
        "number of hashes is whole. A counting Bloom filter was not built: it is computed, with 4 "
        "bits for each bit, and lies above all others. Guira as chosen is what `guira_size_for` "
        "takes for a million keys: they surely fit, so the table is less full.\n\n"
        "![space](plots/tables_space.svg)\n![break_even](plots/tables_break_even.svg)\n\n",
        largest_ratio(&s->bloom));
}

static void check_break_even(struct space *s) {
    double classic = break_even(s->classic.points, s->classic.count, true);
    double two = break_even(s->windows[2].points, s->windows[2].count, false);
    claim(s->tables, classic > 0.003 && classic < 0.008, "random kicks break even at %g", classic);
    claim(s->tables, two > 0.018 && two < 0.032, "windows of two break even at %g", two);
}

void tables_space(struct tables *t) {
    struct space s = {
        .tables = t, .data = tables_data(t, "space.csv"), .slots = t->smoke ? 4096 : 65536};
    (void)fputs("what,tag_bits,side,load,expected,rate,bits,tag_only,optimal\n", s.data);
    measure_guira(&s);
    measure_others(&s);
    keep_computed(&s);
    say_rates(&s);
    say_same_tags(&s);
    say_same_rate(&s);
    say_break_even(&s);
    check_break_even(&s);
    (void)fclose(s.data);
}
