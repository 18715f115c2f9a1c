/*
 * Threads: one and two, and more than there are cores.
 */
#include "experiments.h"

#include "../crew.h"
#include "../field.h"
#include "../keys.h"

static void enter_all(struct field *field) {
    field_enter(field, &target_two_lines);
    field_enter_rates(field, &target_guira);
    field_enter_rates(field, &target_guira_batch);
    field_enter(field, &target_textbook_mutex);
    field_enter(field, &target_textbook_rwlock);
    if (field->wish.log2_slots <= settings_middle_slots(field->settings)) {
        field_enter(field, &target_libcuckoo);
        field_enter(field, &target_libbloom_mutex);
    }
}

static void mixed(struct field *field, unsigned rounds, double seconds) {
    for (size_t i = 0; i < field->count; i++) {
        if (field->contender[i].target->remove != NULL) {
            contender_prepare_mixed(&field->contender[i]);
        }
    }
    field_rounds(field, "mixed 90-5-5", MIXED, rounds, seconds);
}

void experiment_threads(const struct settings *settings) {
    static const struct walk half = {"insert 0-50%", false, 0, 0.5};
    for (size_t i = 0; i < settings->slots_count; i++) {
        struct field field = field_make("threads", settings, settings->log2_slots[i]);
        field.threads[1] = crew_cores() > 1 ? 2 : 0;
        enter_all(&field);
        field_walk_rounds(&field, &half);
        mixed(&field, settings->rounds, settings->seconds);
        field_rounds(&field, "hit", HIT, settings->rounds, settings->seconds);
        for (size_t j = 0; j < field.count; j++) {
            keys_make_skewed(&field.contender[j]);
        }
        field_rounds(&field, "hit Zipf 0.99", SKEWED, settings->rounds, settings->seconds);
        field_end(&field);
    }
}

/* Time slices last milliseconds, so the pieces must last many of them. */
void experiment_many(const struct settings *settings) {
    const unsigned counts[] = {2, 4, 8, 16, 32, 64, 0};
    unsigned rounds = (settings->rounds + 2) / 3;
    struct field field = field_make("many", settings, settings_middle_slots(settings));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        field.threads[i] = counts[i];
    }
    field_enter(&field, &target_two_lines);
    field_enter_rates(&field, &target_guira);
    field_enter(&field, &target_textbook_mutex);
    field_enter(&field, &target_textbook_rwlock);
    field_enter(&field, &target_libcuckoo);
    mixed(&field, rounds, 20 * settings->seconds);
    field_end(&field);
}
