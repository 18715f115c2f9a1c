#include "life.h"

static const struct walk slices[] = {
    {"insert 0-50%", false, 0, 0.5},
    {"insert 50-75%", false, 0.5, 0.75},
    {"insert 75-90%", false, 0.75, 0.9},
    {"insert 90-95%", false, 0.9, 0.95},
};
static const struct walk down = {"remove", true, 1, 0.9};
static const struct walk up = {"insert last tenth", true, 0.9, 1};

/* In the largest tables the last slice is left out, which alone would take a third of the time. */
static size_t slice_count(const struct field *field) {
    size_t all = sizeof slices / sizeof slices[0];
    return field->wish.log2_slots <= settings_middle_slots(field->settings) ? all : all - 1;
}

static void fill(struct field *field, unsigned pieces, unsigned fills) {
    for (unsigned i = 0; i < fills; i++) {
        field_clear(field);
        for (size_t s = 0; s < slice_count(field); s++) {
            field_walk(field, &slices[s], pieces);
        }
    }
    for (size_t s = 0; s < slice_count(field); s++) {
        field_report(field, slices[s].name);
    }
}

static void churn(struct field *field, unsigned pieces, unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++) {
        field_walk(field, &down, pieces);
        field_walk(field, &up, pieces);
    }
    field_report(field, down.name);
    field_report(field, up.name);
}

static void enter_memory(struct field *field) {
    size_t before = field->count;
    field_enter(field, &target_line);
    field_enter(field, &target_two_lines);
    field_enter(field, &target_line_prefetched);
    field_enter(field, &target_two_lines_prefetched);
    for (size_t i = before; i < field->count; i++) {
        contender_bring_to(&field->contender[i], field->contender[i].design);
    }
}

void life(struct field *field, bool beside_memory) {
    const struct settings *settings = field->settings;
    unsigned pieces = field_pieces(field);
    unsigned fills = (settings->rounds + pieces - 1) / pieces;
    fill(field, pieces, fills);
    field_fill_to_design(field);
    churn(field, pieces, fills);
    if (beside_memory) {
        enter_memory(field);
    }
    field_rounds(field, "hit", HIT, settings->rounds, settings->seconds);
    field_rounds(field, "miss", MISS, settings->rounds, settings->seconds);
    field_end(field);
}
