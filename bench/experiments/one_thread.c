/*
 * One thread: what each operation costs, beside the textbook filter, the other filters, and bare
 * memory.
 */
#include "experiments.h"

#include <stdio.h>

#include "life.h"

void experiment_single(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("single", settings, settings->log2_slots[i]);
        field_enter(&field, &target_textbook);
        field_enter_rates(&field, &target_guira);
        field_enter_rates(&field, &target_guira_single_writer);
        life(&field, false);
    }
}

void experiment_batch(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("batch", settings, settings->log2_slots[i]);
        field_enter(&field, &target_textbook);
        field_enter_rates(&field, &target_guira_batch);
        field_enter_rates(&field, &target_guira_scalar);
        life(&field, true);
    }
}

/* From how many keys on a batch pays. */
void experiment_batch_sizes(const struct settings *settings) {
    static const struct walk half = {"insert 0-50%", false, 0, 0.5};
    struct field field = field_make("batch-sizes", settings, settings_middle_slots(settings));
    field.wish.rate = settings->rates[0];
    field_enter_wish(&field, &target_guira, "single");
    for (field.wish.batch = 1; field.wish.batch <= 256; field.wish.batch *= 2) {
        char what[16];
        (void)snprintf(what, sizeof what, "of %u", field.wish.batch);
        field_enter_wish(&field, &target_guira_batch, what);
    }
    field_walk_rounds(&field, &half);
    field_rounds(&field, "hit", HIT, settings->rounds, settings->seconds);
    field_end(&field);
}

void experiment_others(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("others", settings, settings->log2_slots[i]);
        field_enter(&field, &target_textbook);
        field_enter(&field, &target_blocked_bloom);
        if (settings->log2_slots[i] <= settings_middle_slots(settings)) {
            field_enter(&field, &target_libbloom);
            field_enter(&field, &target_libcuckoo);
        }
        life(&field, false);
    }
}
