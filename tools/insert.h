/* Keys of files into a filter, by many threads: what build and add have in common. */
#ifndef GUIRA_TOOLS_INSERT_H
#define GUIRA_TOOLS_INSERT_H

#include <guira/guira.h>

#include "crew.h"

/* Ends the program if there is no room: then nothing was saved. */
struct tally insert_keys(const struct settings *settings, struct guira *filter, char **paths);

#endif
