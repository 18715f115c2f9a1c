/*
 * What an insert does, by load: entries that it tries to move, and those that it moves. Counts, so
 * the same on any machine.
 */
#include "shape.h"
#include "tables.h"

enum { SLICES = 100, SHAPES = 5, FIRST = 40 }; /* slices of a hundredth of the slots */

struct counts {
    const char *name;
    unsigned slice[SLICES]; /* fills that went through all of it */
    double tried[SLICES];   /* an insert, of these fills together */
    double moved[SLICES];
};

struct work {
    uint64_t tried;
    uint64_t moved;
};

static struct work work_of_guira(const struct guira *filter) {
    struct guira_info info = shape_info(filter);
    return (struct work){.tried = info.nodes, .moved = info.moves};
}

static void add(struct counts *counts, unsigned slice, uint64_t inserts, struct work before,
                struct work after) {
    counts->slice[slice]++;
    counts->tried[slice] += (double)(after.tried - before.tried) / (double)inserts;
    counts->moved[slice] += (double)(after.moved - before.moved) / (double)inserts;
}

static void count_guira(struct counts *counts, struct shape shape, uint64_t slots, uint64_t seed) {
    struct guira *filter = shape_filter(shape, slots, seed);
    slots = shape_info(filter).slots;
    uint64_t in = 0;
    for (unsigned i = 0; i < SLICES; i++) {
        struct work before = work_of_guira(filter);
        uint64_t from = in;
        uint64_t to = (i + 1) * slots / SLICES;
        in = fill_guira(filter, seed, in, to);
        if (in < to) {
            break;
        }
        add(counts, i, in - from, before, work_of_guira(filter));
    }
    guira_destroy(filter);
}

static void count_classic(struct counts *counts, uint64_t slots, uint64_t seed) {
    struct classic_shape shape = {
        .buckets = slots / 4, .slots = 4, .tag_bits = 12, .kicks = CLASSIC_MOST_KICKS};
    struct classic *classic = classic_create(shape, seed);
    uint64_t in = 0;
    for (unsigned i = 0; i < SLICES; i++) {
        uint64_t kicks = classic_kicks(classic);
        uint64_t from = in;
        uint64_t to = (i + 1) * slots / SLICES;
        in = fill_classic(classic, seed, in, to);
        if (in < to) {
            break;
        }
        uint64_t now = classic_kicks(classic);
        add(counts, i, in - from, (struct work){kicks, kicks}, (struct work){now, now});
    }
    classic_destroy(classic);
}

static void keep(FILE *data, const struct counts *counts, unsigned fills) {
    for (unsigned i = FIRST; i < SLICES && counts->slice[i] == fills; i++) {
        (void)fprintf(data, "%s,%.3f,%.4f,%.4f\n", counts->name, (i + 1) / (double)SLICES,
                      counts->tried[i] / fills, counts->moved[i] / fills);
    }
}

static void say_row(struct tables *t, const struct counts *counts, unsigned fills) {
    static const unsigned shown[] = {50, 75, 85, 90, 92, 94, 95, 97};
    say(t, "| %s |", counts->name);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        unsigned slice = shown[i] - 1;
        if (counts->slice[slice] < fills) {
            say(t, " - |");
        } else if (counts->tried[slice] == counts->moved[slice]) {
            say(t, " %.2f |", counts->moved[slice] / fills);
        } else {
            say(t, " %.2f, %.2f |", counts->tried[slice] / fills, counts->moved[slice] / fills);
        }
    }
    say(t, "\n");
}

void tables_cost(struct tables *t) {
    static const struct shape shapes[SHAPES] = {{12, 2}, {12, 4}, {16, 4}, {8, 3}, {8, 8}};
    static const char *const names[SHAPES] = {"guira 12 bits: 2 of 5", "guira 12 bits: 4 of 5",
                                              "guira 16 bits: 4 of 4", "guira 8 bits: 3 of 8",
                                              "guira 8 bits: 8 of 8"};
    uint64_t slots = t->smoke ? 1 << 14 : 1 << 18;
    unsigned fills = t->smoke ? 2 : 5;
    FILE *data = tables_data(t, "cost.csv");
    (void)fputs("filter,load,tried,moved\n", data);
    say(t,
        "## What an insert costs\n\n"
        "%llu slots, %u fills. In the hundredth of the slots before the load named: entries that "
        "an insert tries to move, and those that it moves, on average. A kick is both at once. A "
        "dash: not all fills came so far. Names: width of tags, slots a side of those of a "
        "bucket.\n\n"
        "| filter | 0.50 | 0.75 | 0.85 | 0.90 | 0.92 | 0.94 | 0.95 | 0.97 |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        (unsigned long long)slots, fills);
    struct counts classic = {.name = "random kicks 12 bits: 4 of 4"};
    for (unsigned i = 0; i < fills; i++) {
        count_classic(&classic, slots, t->seed + i);
    }
    say_row(t, &classic, fills);
    keep(data, &classic, fills);
    for (unsigned s = 0; s < SHAPES; s++) {
        struct counts counts = {.name = names[s]};
        for (unsigned i = 0; i < fills; i++) {
            count_guira(&counts, shapes[s], slots, t->seed + i);
        }
        say_row(t, &counts, fills);
        keep(data, &counts, fills);
        unsigned at = 90 - 1;
        claim(t, counts.slice[at] == fills && counts.moved[at] < classic.moved[at],
              "%s: fewer moves at a load of 0.90 than by kicks", names[s]);
    }
    say(t,
        "\nWith as many slots a side the search tries as many entries as a walk kicks, but moves "
        "few of them: there nearly always is a path of one to three moves, and only these are "
        "written, under locks. Windows of two cost more near their limit, and the library fills "
        "them to 0.90 at most (more if compact), windows of three to 0.94, wider ones to 0.95.\n\n"
        "![cost](plots/tables_cost.svg)\n\n");
    (void)fclose(data);
}
