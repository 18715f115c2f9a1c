/*
 * What a command of guira is: a name, the options that it takes, its help, and a function. main.c
 * finds the command, settings.c reads its arguments.
 *
 *     main.c      which command                 lines.c     input, in pieces of whole lines
 *     settings.c  options, by getopt_long       crew.c      many threads over the pieces, in order
 *     numbers.c   numbers, in and out           filters.c   filters, from files and to files
 *     errors.c    messages, how it all ends     progress.c  how far it is, on a terminal
 *
 *     build.c, query.c, change.c (add, remove), merge.c, info.c, verify.c, size.c: the commands
 */
#ifndef GUIRA_TOOLS_COMMAND_H
#define GUIRA_TOOLS_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

/* The statuses of grep. */
enum { ENDED_WELL = 0, ENDED_WITH_NO = 1, ENDED_IN_TROUBLE = 2 };

/* What the options said; a letter that a command does not take keeps its default. */
struct settings {
    const struct command *command;
    uint64_t capacity;     /* 0: not given */
    uint64_t max_capacity; /* 0: not given */
    double rate;           /* 0: not given */
    uint64_t seed;         /* 0: not given */
    const char *like;
    const char *output;
    unsigned threads;
    char delimiter;
    bool absent, all, count; /* query: which lines, or only how many */
    bool copies;
    bool force;
    bool json;
    bool map;
    bool quiet, verbose;
    char **operands; /* what is no option, up to NULL */
    int operand_count;
};

enum { MANY = 1 << 30 }; /* operands */

struct command {
    const char *name;
    const char *letters; /* of its options, as getopt wants them */
    int least, most;     /* operands */
    const char *help;
    int (*run)(const struct settings *settings);
};

extern const struct command build_command, query_command, add_command, remove_command,
    merge_command, info_command, verify_command, size_command;

#endif
