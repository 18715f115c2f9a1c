/*
 * Saving to whatever takes bytes.
 */
#ifndef GUIRA_LIB_SAVE_H
#define GUIRA_LIB_SAVE_H

#include "filter.h"
#include "stream.h"

/* What can be refused before anything is written; a mapped filter that was not verified is. */
enum guira_status guira__save_check(const struct guira *filter,
                                    const struct guira_save_options *options);

/* What guira_save does, that check too. */
enum guira_status guira__save(const struct guira *filter, const struct guira_save_options *options,
                              const struct sink *sink);

#endif
