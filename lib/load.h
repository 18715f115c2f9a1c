/*
 * Loading from whatever gives bytes.
 */
#ifndef GUIRA_LIB_LOAD_H
#define GUIRA_LIB_LOAD_H

#include "filter.h"
#include "format.h"
#include "options.h"
#include "stream.h"

/* What a filter is made from, but for its words. */
struct recipe {
    struct guira_options options; /* hash, stripes, search budget, single_writer, allocator */
    uint64_t max_table_bytes;     /* 0: no limit */
    struct header header;
    struct geometry geometry; /* of the lowest level, if the filter grows */
};

/* Checks the options; NULL is the default. Writes nothing else. */
enum guira_status guira__load_options(const struct guira_load_options *options, struct recipe *out);

/* Reads the header and checks all that can be known from it: that there is such a filter, that its
 * hash is the one in the options, that it is within the limit and this machine's addresses, and if
 * the source is counted that all bytes are there. */
enum guira_status guira__load_header(const struct source *source, struct recipe *recipe);

/* That, and the rest: a filter. */
enum guira_status guira__load(const struct source *source, struct recipe *recipe,
                              struct guira **out);

/* How the filter is made of its parts. */
struct plan guira__load_plan(const struct recipe *recipe);

#endif
