/*
 * Verifies, with second.cpp and third.c, that units that include the header link together, and that
 * C and C++ mean the same structs.
 */
#include <guira/guira.h>

#include <stdio.h>

#include "units.h"

int main(void) {
    struct guira_options options = {.capacity = 100, .false_positive_rate = 0.01, .seed = 5};
    struct guira *filter = NULL;
    if (guira_create(&options, &filter) != GUIRA_OK || second_insert(filter, 42) != GUIRA_OK ||
        !third_contains(filter, 42)) {
        (void)puts("the units do not agree about a filter");
        return 1;
    }
    guira_destroy(filter);
    if (second_options_size() != sizeof(struct guira_options) ||
        second_info_size() != sizeof(struct guira_info) ||
        third_info_size() != sizeof(struct guira_info)) {
        (void)puts("the units do not agree about sizes");
        return 1;
    }
    return 0;
}
