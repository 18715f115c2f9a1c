/* Keys of files into a filter, by many threads: what build and add have in common. */
#ifndef GUIRA_TOOLS_INSERT_H
#define GUIRA_TOOLS_INSERT_H

#include <guira/guira.h>

#include "crew.h"

/* Ends the program if there is no room: then nothing was saved. */
struct tally insert_keys(const struct settings *settings, struct guira *filter, char **paths);

/* "10,000,000 lines, 9,950,000 new keys, 2.1 s", on standard error. */
void report_keys(const struct tally *tally, const char *what, double began);

/* Where the changed filter goes: to --output, or where it came from. */
const char *output_of(const struct settings *settings);

/* Standard input cannot be both. */
void check_input(const char *filter, char **paths);

#endif
