/* The options of a command. A letter means the same in every command that takes it. */
#ifndef GUIRA_TOOLS_SETTINGS_H
#define GUIRA_TOOLS_SETTINGS_H

#include "command.h"

/* Reads them, with argv[0] being what messages begin with; ends the program after --help, and after
 * a message if something is wrong. */
void read_settings(const struct command *command, int argc, char **argv, struct settings *out);

/* The files of keys that the operands from `first` on name: standard input if there are none. */
char **key_files(const struct settings *settings, int first);

#endif
