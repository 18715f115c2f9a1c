/*
 * An allocator that counts what it gave, fails when asked to, and ends the program if it is asked
 * for more than a limit.
 */
#ifndef GUIRA_FUZZ_METER_H
#define GUIRA_FUZZ_METER_H

#include <stdbool.h>
#include <stddef.h>

#include "guira/options.h"

struct meter {
    size_t live;      /* bytes given and not come back */
    size_t limit;     /* most bytes that may be live; 0: any number */
    unsigned fail_in; /* so many calls from now one fails; 0: none */
    bool has_failed;
};

/* The meter must outlive the filter. */
struct guira_allocator metered(struct meter *meter);

#endif
