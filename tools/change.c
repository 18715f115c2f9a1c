/* guira add, guira remove: keys into a filter, and out of it. */
#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "filters.h"
#include "insert.h"
#include "numbers.h"
#include "progress.h"
#include "settings.h"

static const char add_help[] =
    "Usage: guira add [OPTION...] FILTER [FILE...]\n"
    "\n"
    "Puts the lines of each FILE into a filter. Without FILE, or where it is -, they\n"
    "come from standard input. The filter is replaced in one step, at the end;\n"
    "several commands that change it at once wait for each other.\n"
    "\n"
    "  -o, --output=OTHER  leave the filter as it is, and save the new one as OTHER\n"
    "  -f, --force         replace OTHER even if that is not a filter\n"
    "  -k, --copies        keep each copy of a key; say it if the filter was built\n"
    "                      with it\n"
    "  -z, --null          keys end in a NUL byte, not in a newline\n"
    "  -j, --threads=N     use N threads (default: one a processor)\n"
    "  -v, --verbose       tell at the end what was done, and how long it took\n"
    "  -q, --quiet         show no progress on a terminal, and do not warn\n"
    "  -h, --help          print this\n"
    "\n"
    "The status is 0, or 2 after an error, as when the filter is full; then it is as\n"
    "it was.\n"
    "\n"
    "  guira add seen.guira today.txt\n";

static const char remove_help[] =
    "Usage: guira remove --copies [OPTION...] FILTER [FILE...]\n"
    "\n"
    "Takes one copy of each line of each FILE out of a filter. Without FILE, or\n"
    "where it is -, they come from standard input. The filter is replaced in one\n"
    "step, at the end; several commands that change it at once wait for each other.\n"
    "\n"
    "Remove only what was put in, as often as it was, and only from a filter that\n"
    "was built, added to and merged with --copies throughout. Else OTHER KEYS ARE\n"
    "LOST: a line that never was put in takes away the entry of a key that the\n"
    "filter cannot tell from it, and that key is not found any more. Nothing tells\n"
    "which one.\n"
    "\n"
    "  -k, --copies        needed: says that the filter keeps copies\n"
    "  -o, --output=OTHER  leave the filter as it is, and save the new one as OTHER\n"
    "  -f, --force         replace OTHER even if that is not a filter\n"
    "  -z, --null          keys end in a NUL byte, not in a newline\n"
    "  -j, --threads=N     use N threads (default: one a processor)\n"
    "  -v, --verbose       tell at the end what was done, and how long it took\n"
    "  -q, --quiet         show no progress on a terminal, and do not warn\n"
    "  -h, --help          print this\n"
    "\n"
    "The status is 0 if each line was there, 1 if one was not; the others are\n"
    "removed all the same. It is 2 after an error; then the filter is as it was.\n"
    "\n"
    "  guira remove --copies members.guira left.txt\n";

static struct guira *load_to_change(const struct settings *s, char **paths) {
    const char *path = s->operands[0];
    check_input(path, paths);
    check_output(s, output_of(s), paths);
    if (s->output == NULL) {
        lock_filter(path);
    }
    return load_filter(path);
}

static int run_add(const struct settings *s) {
    double began = seconds_now();
    char **paths = key_files(s, 1);
    struct guira *filter = load_to_change(s, paths);
    struct tally tally = insert_keys(s, filter, paths);
    save_filter(filter, output_of(s));
    warn_of_excess(s, filter);
    guira_destroy(filter);
    if (s->verbose) {
        report_keys(&tally, "keys put in", began);
    }
    return ENDED_WELL;
}

static void remove_batch(void *context, struct worker *worker) {
    struct guira *filter = context;
    const struct batch *batch = &worker->batch;
    enum guira_status results[BATCH];
    struct guira_keys keys = guira_keys_pointers(batch->keys, batch->lengths, batch->count);
    (void)guira_remove_batch(filter, keys, results);
    for (size_t i = 0; i < batch->count; i++) {
        worker->tally.done += results[i] == GUIRA_OK;
    }
}

static int run_remove(const struct settings *s) {
    double began = seconds_now();
    char **paths = key_files(s, 1);
    if (!s->copies) {
        fail("keys can only be removed from a filter that was built with --copies: if it was, say "
             "--copies; see 'guira remove --help'");
    }
    struct guira *filter = load_to_change(s, paths);
    struct tally tally = crew_run(s, paths, remove_batch, filter);
    save_filter(filter, output_of(s));
    guira_destroy(filter);
    if (!s->quiet && tally.done != tally.lines) {
        char lines[NUMBER_ROOM];
        complain("%s lines were not in the filter", grouped(tally.lines - tally.done, lines));
    }
    if (s->verbose) {
        report_keys(&tally, "keys taken out", began);
    }
    return tally.done == tally.lines ? ENDED_WELL : ENDED_WITH_NO;
}

const struct command add_command = {"add", "fhj:ko:qvz", 1, MANY, add_help, run_add};
const struct command remove_command = {"remove", "fhj:ko:qvz", 1, MANY, remove_help, run_remove};
