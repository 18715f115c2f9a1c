#include "experiments.h"

#include <stddef.h>

const struct experiment experiments[] = {
    {"single", "one thread, one call a key", experiment_single},
    {NULL, NULL, NULL},
};
