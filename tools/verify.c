/* guira verify: is this file a whole filter? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "numbers.h"

static const char help[] =
    "Usage: guira verify [OPTION...] FILTER...\n"
    "\n"
    "Reads each filter from the first byte to the last, and checks the checksums and\n"
    "every invariant of the table. That finds damage, not what somebody forged with\n"
    "care. FILTER may be -, for standard input.\n"
    "\n"
    "  -q, --quiet  print nothing\n"
    "  -h, --help   print this\n"
    "\n"
    "The status is 0 if all are whole, 1 if one is damaged or no filter, 2 after an\n"
    "error.\n"
    "\n"
    "  guira verify *.guira\n";

static enum guira_status load(const char *path, struct guira **filter) {
    return strcmp(path, "-") == 0 ? guira_load_fd(NULL, STDIN_FILENO, filter)
                                  : guira_load_file(NULL, path, filter);
}

/* Whether that is about the file, not about the machine. */
static bool is_verdict(enum guira_status status) {
    return status >= GUIRA_NOT_A_FILTER || status == GUIRA_CORRUPT;
}

static bool verify(const char *path, bool is_quiet) {
    struct guira *filter = NULL;
    enum guira_status status = load(path, &filter);
    if (status == GUIRA_OK) {
        status = guira_check(filter, NULL);
    }
    if (status != GUIRA_OK && !is_verdict(status)) {
        fail_unless_ok(status, "verify", path);
    }
    char keys[NUMBER_ROOM];
    if (!is_quiet && status == GUIRA_OK) {
        (void)printf("%s: whole, %s keys\n", path, grouped(guira_size(filter), keys));
    } else if (!is_quiet) {
        (void)printf("%s: %s\n", path, guira_status_text(status));
    }
    guira_destroy(filter);
    return status == GUIRA_OK;
}

static int run(const struct settings *s) {
    bool are_whole = true;
    for (int i = 0; i < s->operand_count; i++) {
        are_whole = verify(s->operands[i], s->quiet) && are_whole;
    }
    return are_whole ? ENDED_WELL : ENDED_WITH_NO;
}

const struct command verify_command = {"verify", "hq", 1, MANY, help, run};
