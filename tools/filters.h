/* Filters from files and to files, with what a command line adds: standard input and output, a lock
 * between commands that change one file, and interrupts. */
#ifndef GUIRA_TOOLS_FILTERS_H
#define GUIRA_TOOLS_FILTERS_H

#include <stdbool.h>

#include <guira/guira.h>

#include "command.h"

/* All end the program with a message if they fail. "-" is standard input, or output. */

/* A filter in memory of its own. */
struct guira *load_filter(const char *path);

/* Whether that is a whole filter and nothing else: standard input, too, is read to its end. */
enum guira_status load_whole(const char *path, struct guira **filter);

/* One that is only asked: over the pages of the file if that is wanted and possible. */
struct guira *open_filter(const char *path, bool is_mapped);

/* Waits until no other command is changing the file, and keeps them away until the program ends: of
 * two that load, change and save it at once, the later would undo what the other did. */
void lock_filter(const char *path);

/* The filter and one of the files of keys cannot both be standard input. */
void check_input(const char *filter, char **paths);

/* Whether a filter can be saved there, before hours of work on it: what it would replace is empty
 * or a filter, unless --force was given, and is none of the files of keys, up to NULL. */
void check_output(const struct settings *settings, const char *path, char **keys);

/* Where the changed filter goes: to --output, or where it came from. */
const char *output_of(const struct settings *settings);

/* In one step, and through symbolic links; an interrupt that comes meanwhile has its effect
 * afterwards. */
void save_filter(const struct guira *filter, const char *path);

/* Says so, unless it is to be quiet, if the filter has more keys than it was made for: it takes
 * them, at a higher rate. */
void warn_of_excess(const struct settings *settings, const struct guira *filter);

#endif
