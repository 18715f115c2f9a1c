/*
 * Keys that are bytes, 8, 32 and 128 of them, beside integers. Not in the largest tables.
 */
#include "experiments.h"

#include "../field.h"

void experiment_strings(const struct settings *settings) {
    static const struct walk half = {"insert 0-50%", false, 0, 0.5};
    static const struct {
        unsigned bytes;
        const char *name;
    } kinds[] = {{0, "integers"}, {8, "8 bytes"}, {32, "32 bytes"}, {128, "128 bytes"}};
    for (size_t i = 0; i <= settings->slots_count / 2; i++) {
        struct field field = field_make("strings", settings, settings->log2_slots[i]);
        field.wish.rate = settings->rates[0];
        for (size_t j = 0; j < sizeof kinds / sizeof kinds[0]; j++) {
            field.wish.key_bytes = kinds[j].bytes;
            field_enter_wish(&field, j == 0 ? &target_guira : &target_guira_records, kinds[j].name);
            field_enter_wish(&field, &target_guira_batch, kinds[j].name);
        }
        field_walk_rounds(&field, &half);
        field_fill_to_design(&field);
        field_rounds(&field, "hit", HIT, settings->rounds, settings->seconds);
        field_rounds(&field, "miss", MISS, settings->rounds, settings->seconds);
        field_end(&field);
    }
}
