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
        life(&field);
    }
}

void experiment_batch(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("batch", settings, settings->log2_slots[i]);
        field_enter(&field, &target_textbook);
        field_enter_rates(&field, &target_guira_batch);
        life(&field);
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
        field_enter(&field, &target_libbloom);
        field_enter(&field, &target_libcuckoo);
        life(&field);
    }
}

/* Batches beside bare memory once more, in the same rounds. */
void experiment_memory(const struct settings *settings) {
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("memory", settings, settings->log2_slots[i]);
        field_enter(&field, &target_two_lines_prefetched);
        field_enter(&field, &target_two_lines);
        field_enter(&field, &target_line_prefetched);
        field_enter(&field, &target_line);
        field_enter_rates(&field, &target_guira_batch);
        for (size_t j = 0; j < field.count; j++) {
            contender_bring_to(&field.contender[j], field.contender[j].design);
        }
        field_rounds(&field, "hit", HIT, settings->rounds, settings->seconds);
        field_end(&field);
    }
}
