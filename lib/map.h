/*
 * Filters whose table is the pages of a file.
 */
#ifndef GUIRA_LIB_MAP_H
#define GUIRA_LIB_MAP_H

#include <stddef.h>

#include "atomic.h"
#include "format.h"
#include "guira/file.h"

struct mapping {
    uint8_t *pages; /* the file from its first byte on */
    size_t bytes;
    struct header header;
    atomic_word is_verified;
};

/* For calls that need a table that is sound: guira_verify, unless that found nothing before. */
enum guira_status guira__verify_once(const struct guira *f);

void guira__unmap(const struct mapping *mapping);

#endif
