#include "insert.h"

#include "errors.h"
#include "numbers.h"

struct target {
    struct guira *filter;
    bool copies;
};

__attribute__((noreturn)) static void refuse(const struct guira *filter, enum guira_status status) {
    char capacity[NUMBER_ROOM];
    char size[NUMBER_ROOM];
    fail("%s: the filter is made for %s keys and holds %s%s; nothing was saved",
         guira_status_text(status), grouped(guira_capacity(filter), capacity),
         grouped(guira_size(filter), size), advice(status));
}

static void insert_batch(void *context, struct worker *worker) {
    const struct target *target = context;
    const struct batch *batch = &worker->batch;
    enum guira_status results[BATCH];
    struct guira_keys keys = guira_keys_pointers(batch->keys, batch->lengths, batch->count);
    if (target->copies) {
        (void)guira_insert_batch(target->filter, keys, results);
    } else {
        (void)guira_insert_unique_batch(target->filter, keys, results);
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (results[i] != GUIRA_OK && results[i] != GUIRA_EXISTS) {
            refuse(target->filter, results[i]);
        }
        worker->tally.done += results[i] == GUIRA_OK;
    }
}

struct tally insert_keys(const struct settings *settings, struct guira *filter, char **paths) {
    struct target target = {filter, settings->copies};
    return crew_run(settings, paths, insert_batch, &target);
}
