/*
 * A second unit in C; see first.c.
 */
#include <guira/guira.h>

#include "units.h"

bool third_contains(const struct guira *filter, uint64_t key) {
    return guira_contains_u64(filter, key);
}

size_t third_info_size(void) {
    return sizeof(struct guira_info);
}
