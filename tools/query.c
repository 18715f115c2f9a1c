/* guira query: which lines are in a filter. */
#include <inttypes.h>
#include <stdio.h>

#include <unistd.h>

#include <guira/guira.h>

#include "command.h"
#include "crew.h"
#include "errors.h"
#include "filters.h"
#include "progress.h"
#include "settings.h"

static const char help[] =
    "Usage: guira query [OPTION...] FILTER [FILE...]\n"
    "\n"
    "Prints the lines of each FILE that are in the filter, in their order, as they\n"
    "come. Without FILE, or where it is -, lines come from standard input; FILTER\n"
    "may be -, too. Lines that were put in are always found; of the others some are,\n"
    "see guira info for the rate.\n"
    "\n"
    "  -a, --absent     print the lines that are not in the filter: those never were\n"
    "                   put in\n"
    "  -A, --all        print all lines, each after the number of its copies in the\n"
    "                   filter and a tab; 0 is absent\n"
    "  -c, --count      print only how many lines there would be\n"
    "  -q, --quiet      print nothing, and stop at the first line that would be\n"
    "                   printed\n"
    "  -z, --null       lines end in a NUL byte, not in a newline\n"
    "  -j, --threads=N  use N threads (default: one a processor)\n"
    "  -M, --map        use the pages of the file instead of memory; nobody may\n"
    "                   write into the file meanwhile, though replacing it does no\n"
    "                   harm\n"
    "  -v, --verbose    tell at the end what was done, and how long it took\n"
    "  -h, --help       print this\n"
    "\n"
    "The status is 0 if a line was selected, 1 if none was, 2 after an error. With\n"
    "--all the lines that are in the filter are the selected ones.\n"
    "\n"
    "  zcat urls.gz | guira query seen.guira | sort\n"
    "  guira query --absent dictionary.guira letter.txt\n";

struct question {
    const struct guira *filter;
    const struct settings *settings;
};

/* The end, from any thread: the answer is known. */
static void end_if_settled(const struct question *question, const struct worker *worker) {
    if (question->settings->quiet && worker->tally.done != 0) {
        _exit(ENDED_WELL);
    }
}

/* Lines of a batch lie one after the other, so a run of selected ones is one piece of memory. */
static void write_lines(struct worker *worker, size_t first, size_t end) {
    const struct batch *batch = &worker->batch;
    const char *begin = batch->keys[first];
    const char *last = batch->keys[end - 1];
    worker_write(worker, begin, (size_t)(last - begin) + batch->lengths[end - 1] + 1);
}

static void select_lines(void *context, struct worker *worker) {
    const struct question *question = context;
    const struct settings *s = question->settings;
    const struct batch *batch = &worker->batch;
    bool found[BATCH];
    struct guira_keys keys = guira_keys_pointers(batch->keys, batch->lengths, batch->count);
    (void)guira_contains_batch(question->filter, keys, found);
    size_t i = 0;
    while (i < batch->count) {
        size_t first = i;
        while (i < batch->count && found[i] != s->absent) {
            i++;
        }
        worker->tally.done += i - first;
        if (i != first && !s->count && !s->quiet) {
            write_lines(worker, first, i);
        }
        while (i < batch->count && found[i] == s->absent) {
            i++;
        }
    }
    end_if_settled(question, worker);
}

static void count_copies(void *context, struct worker *worker) {
    const struct question *question = context;
    const struct batch *batch = &worker->batch;
    unsigned copies[BATCH];
    struct guira_keys keys = guira_keys_pointers(batch->keys, batch->lengths, batch->count);
    (void)guira_count_batch(question->filter, keys, copies);
    for (size_t i = 0; i < batch->count; i++) {
        char digits[3] = {(char)('0' + copies[i] / 10), (char)('0' + copies[i] % 10), '\t'};
        size_t blank = copies[i] < 10; /* there are at most 32 */
        worker_write(worker, digits + blank, sizeof digits - blank);
        write_lines(worker, i, i + 1);
        worker->tally.done += copies[i] != 0;
    }
}

static int run(const struct settings *s) {
    double began = seconds_now();
    char **paths = key_files(s, 1);
    if (s->all && (s->absent || s->count || s->quiet)) {
        fail("--all prints all lines: it goes with none of --absent, --count, --quiet");
    }
    check_input(s->operands[0], paths);
    struct guira *filter = open_filter(s->operands[0], s->map);
    struct question question = {filter, s};
    struct tally tally = crew_run(s, paths, s->all ? count_copies : select_lines, &question);
    guira_destroy(filter);
    if (s->count) {
        (void)printf("%" PRIu64 "\n", tally.done);
    }
    if (s->verbose) {
        report_keys(&tally, "selected", began);
    }
    return tally.done != 0 ? ENDED_WELL : ENDED_WITH_NO;
}

const struct command query_command = {"query", "aAchj:Mqvz", 1, MANY, help, run};
