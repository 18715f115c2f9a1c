/*
 * The header in C++; see first.c.
 */
#include <guira/guira.h>

#include "units.h"

enum guira_status second_insert(struct guira *filter, uint64_t key) {
    return guira_insert_u64(filter, key);
}

size_t second_options_size(void) {
    return sizeof(struct guira_options);
}

size_t second_info_size(void) {
    return sizeof(guira_info);
}
