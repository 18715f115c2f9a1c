/*
 * Loading from whatever gives bytes.
 */
#ifndef GUIRA_LIB_LOAD_H
#define GUIRA_LIB_LOAD_H

#include "filter.h"
#include "format.h"
#include "options.h"
#include "stream.h"

/* What a filter is made from. */
struct load {
    struct guira_options options; /* hash, stripes, search budget, single_writer, allocator */
    struct header header;
    struct geometry geometry;
};

/* Checks the options; NULL is the default. Writes only options. */
enum guira_status guira__load_options(const struct guira_load_options *options, struct load *out);

/* Reads the header and checks all that can be known from it: that there is such a filter, that its
 * hash is the one in the options, that this machine has room for it, and if the source is counted
 * that all bytes are there. */
enum guira_status guira__load_header(const struct source *source, struct load *load);

/* That, and the rest: a filter. */
enum guira_status guira__load(const struct source *source, struct load *load, struct guira **out);

/* How the filter is made of its parts. */
struct plan guira__load_plan(const struct load *load);

#endif
