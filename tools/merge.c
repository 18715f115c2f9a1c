/* guira merge: filters together. */
#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "filters.h"
#include "numbers.h"
#include "progress.h"

static const char help[] =
    "Usage: guira merge [OPTION...] FILTER OTHER...\n"
    "\n"
    "Puts all that each OTHER holds into a filter, which is replaced in one step, at\n"
    "the end. They must be of one family: built with --like of one of them, or with\n"
    "the same --seed, --capacity and --rate; and the filter must have room for all.\n"
    "\n"
    "  -o, --output=FILE  leave the filter as it is, and save the new one as FILE\n"
    "  -f, --force        replace FILE even if that is not a filter\n"
    "  -k, --copies       add up copies; say it if all were built with it. Else what\n"
    "                     several of them hold is there once\n"
    "  -q, --quiet        do not warn\n"
    "  -v, --verbose      tell at the end what was done, and how long it took\n"
    "  -h, --help         print this\n"
    "\n"
    "The status is 0, or 2 after an error; then the filter is as it was.\n"
    "\n"
    "  guira merge --output=week.guira monday.guira tuesday.guira wednesday.guira\n";

static void merge_one(const struct settings *s, struct guira *into, const char *path) {
    struct guira *from = load_filter(path);
    enum guira_status status = s->copies ? guira_merge(into, from) : guira_merge_unique(into, from);
    if (status == GUIRA_FULL) {
        char capacity[NUMBER_ROOM];
        fail("%s is full, its room is for %s keys, so %s cannot be merged into it; build the parts "
             "with a --capacity for all of them",
             s->operands[0], grouped(guira_capacity(into), capacity), path);
    }
    fail_unless_ok(status, "merge", path);
    guira_destroy(from);
}

static int run(const struct settings *s) {
    double began = seconds_now();
    const char *path = s->operands[0];
    check_output(s, output_of(s), s->operands + s->operand_count);
    check_input(path, s->operands + 1);
    if (s->output == NULL) {
        lock_filter(path);
    }
    struct guira *into = load_filter(path);
    for (int i = 1; i < s->operand_count; i++) {
        merge_one(s, into, s->operands[i]);
    }
    save_filter(into, output_of(s));
    warn_of_excess(s, into);
    if (s->verbose) {
        char keys[NUMBER_ROOM];
        complain("%d filters, %s keys, %.1f s", s->operand_count, grouped(guira_size(into), keys),
                 seconds_now() - began);
    }
    guira_destroy(into);
    return ENDED_WELL;
}

const struct command merge_command = {"merge", "fhko:qv", 2, MANY, help, run};
