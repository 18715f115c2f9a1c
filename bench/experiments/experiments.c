#include "experiments.h"

#include <stddef.h>

const struct experiment experiments[] = {
    {"single", "one thread, one call a key", experiment_single},
    {"batch", "one thread, batches, beside bare memory", experiment_batch},
    {"batch-sizes", "one thread, batches of few and of many keys", experiment_batch_sizes},
    {"others", "one thread, other filters", experiment_others},
    {"threads", "one and two threads", experiment_threads},
    {"many", "more threads than cores", experiment_many},
    {"contention", "what threads cost each other, counted", experiment_contention},
    {"latency", "how long single calls take", experiment_latency},
    {"files", "saving, copying and loading", experiment_files},
    {"growth", "filters that take a hundred times their keys", experiment_growth},
    {"strings", "keys that are bytes", experiment_strings},
    {"sizes", "bits for an item", experiment_sizes},
    {NULL, NULL, NULL},
};
