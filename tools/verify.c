/* guira verify: is this file a whole filter? */
#include <stdio.h>

#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "filters.h"
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
    "The status is 0 if all are whole, 1 if one is damaged or no filter, 2 if one\n"
    "cannot be read. Those after it are checked all the same.\n"
    "\n"
    "  guira verify *.guira\n";

/* Whether that is about the file, not about the machine. */
static bool is_verdict(enum guira_status status) {
    return status >= GUIRA_NOT_A_FILTER || status == GUIRA_CORRUPT;
}

static int verify(const char *path, bool is_quiet) {
    struct guira *filter = NULL;
    enum guira_status status = load_whole(path, &filter);
    if (status == GUIRA_OK) {
        status = guira_check(filter, NULL);
    }
    if (status != GUIRA_OK && !is_verdict(status)) {
        complain("cannot verify %s: %s%s", name_of(path), reason_of(status, path), advice(status));
        guira_destroy(filter);
        return ENDED_IN_TROUBLE;
    }
    char keys[NUMBER_ROOM];
    if (!is_quiet && status == GUIRA_OK) {
        (void)printf("%s: whole, %s keys\n", path, grouped(guira_size(filter), keys));
    } else if (!is_quiet) {
        (void)printf("%s: %s\n", path, reason_of(status, path));
    }
    guira_destroy(filter);
    return status == GUIRA_OK ? ENDED_WELL : ENDED_WITH_NO;
}

static int run(const struct settings *s) {
    int worst = ENDED_WELL;
    for (int i = 0; i < s->operand_count; i++) {
        int ended = verify(s->operands[i], s->quiet);
        worst = ended > worst ? ended : worst;
    }
    return worst;
}

const struct command verify_command = {"verify", "hq", 1, MANY, help, run};
