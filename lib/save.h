/*
 * Saving to whatever takes bytes.
 */
#ifndef GUIRA_LIB_SAVE_H
#define GUIRA_LIB_SAVE_H

#include "filter.h"
#include "stream.h"

/* What guira_save does. */
enum guira_status guira__save(const struct guira *filter, const struct guira_save_options *options,
                              const struct sink *sink);

#endif
