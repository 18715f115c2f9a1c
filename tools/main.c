/*
 * guira: filters from the command line.
 *
 *     guira build words.guira words.txt
 *     zcat log.gz | guira query words.guira
 */
#include <stdio.h>
#include <string.h>

#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "settings.h"

static const char usage[] =
    "Usage: guira COMMAND [OPTION...] [FILE...]\n"
    "\n"
    "Sets of lines in little memory: a filter never misses a line that was put in,\n"
    "and takes others for members at a rate that you choose. Commands:\n"
    "\n"
    "  build    make a filter from keys, one a line\n"
    "  query    print the lines that are in a filter, or those that are not\n"
    "  add      put more keys into a filter\n"
    "  remove   take keys out of a filter\n"
    "  merge    put filters together\n"
    "  info     tell about a filter\n"
    "  verify   check a filter from the first byte to the last\n"
    "  size     tell what a set would cost\n"
    "\n"
    "'guira COMMAND --help' tells more, and so does 'man guira-COMMAND'. 'guira\n"
    "--version' tells the version. The status is that of grep: 0 if all is well, 1 if\n"
    "the answer is no, and 2 after an error.\n";

static const struct command *const commands[] = {&build_command,  &query_command, &add_command,
                                                 &remove_command, &merge_command, &info_command,
                                                 &verify_command, &size_command,  NULL};

static const struct command *find_command(const char *name) {
    const struct command *const *at = commands;
    while (*at != NULL && strcmp((*at)->name, name) != 0) {
        at++;
    }
    return *at;
}

static int run(const struct command *command, int argc, char **argv) {
    char name[64];
    struct settings settings;
    (void)snprintf(name, sizeof name, "guira %s", command->name);
    argv[0] = name; /* for the messages of getopt_long */
    name_program(name);
    read_settings(command, argc, argv, &settings);
    int ended = command->run(&settings);
    finish_output();
    return ended;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        (void)fputs(usage, stderr);
        return ENDED_IN_TROUBLE;
    }
    const struct command *command = find_command(argv[1]);
    if (command != NULL) {
        return run(command, argc - 1, argv + 1);
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("guira %s\n", guira_version_text());
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
               strcmp(argv[1], "help") == 0) {
        (void)fputs(usage, stdout);
    } else {
        fail("there is no command '%s'; 'guira --help' lists them", argv[1]);
    }
    finish_output();
    return ENDED_WELL;
}
