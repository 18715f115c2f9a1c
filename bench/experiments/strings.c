/*
 * Keys that are bytes, 8, 32 and 128 of them, beside integers.
 */
#include "experiments.h"

#include "../field.h"

void experiment_strings(const struct settings *settings) {
    static const struct walk half = {"insert 0-50%", false, 0, 0.5};
    static const unsigned lengths[] = {0, 8, 32, 128};
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("strings", settings, settings->log2_slots[i]);
        field.wish.rate = settings->rates[0];
        for (size_t j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
            field.wish.key_bytes = lengths[j];
            field_enter_keys(&field, lengths[j] == 0 ? &target_guira : &target_guira_records);
            field_enter_keys(&field, &target_guira_batch);
        }
        field_walk(&field, &half, field_pieces(&field));
        field_report(&field, half.name);
        field_fill_to_design(&field);
        field_rounds(&field, "hit", HIT, settings->rounds, settings->seconds);
        field_rounds(&field, "miss", MISS, settings->rounds, settings->seconds);
        field_end(&field);
    }
}
