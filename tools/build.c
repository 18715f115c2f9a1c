/* guira build: a filter from keys. */
#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "filters.h"
#include "insert.h"
#include "progress.h"
#include "settings.h"

#define DEFAULT_RATE 0.01
#define FIRST_CAPACITY 65536u /* of a filter that grows */

static const char help[] =
    "Usage: guira build [OPTION...] FILTER [FILE...]\n"
    "\n"
    "Makes a filter from keys, one a line, and saves it as FILTER, in place of the\n"
    "filter that is there. Without FILE, or where it is -, keys come from standard\n"
    "input; if FILTER is -, the filter goes to standard output.\n"
    "\n"
    "  -n, --capacity=N      make room for N keys. Without it the lines are counted\n"
    "                        first, and there is room for no more: say -n or -m if\n"
    "                        you will add keys. If they cannot be counted, as of a\n"
    "                        pipe, the filter grows with the keys\n"
    "  -m, --max-capacity=N  let it grow, up to N keys; it begins with those of\n"
    "                        --capacity\n"
    "  -p, --rate=RATE       so many others may be taken for members: 0.01 or 1% is\n"
    "                        the default\n"
    "  -k, --copies          keep each copy of a key, so that keys can be removed;\n"
    "                        else a key counts once, however often it comes\n"
    "  -l, --like=OTHER      make it of the kind of the filter OTHER, so that the\n"
    "                        two can be merged\n"
    "  -s, --seed=N          seed of the hash, instead of a random one\n"
    "  -f, --force           replace FILTER even if that is not a filter\n"
    "  -z, --null            keys end in a NUL byte, not in a newline\n"
    "  -j, --threads=N       use N threads (default: one a processor)\n"
    "  -v, --verbose         tell at the end what was done, and how long it took\n"
    "  -q, --quiet           show no progress on a terminal, and do not warn\n"
    "  -h, --help            print this\n"
    "\n"
    "N may end in k, M, G or T. The status is 0, or 2 after an error; then nothing\n"
    "is saved.\n"
    "\n"
    "  guira build words.guira /usr/share/dict/words\n"
    "  zcat ids.gz | guira build -n 100M -p 0.1% ids.guira\n";

static struct guira *make_like(const struct settings *s) {
    if (s->capacity != 0 || s->max_capacity != 0 || s->rate != 0 || s->seed != 0) {
        fail(
            "--like takes capacity, rate and seed from the other filter: leave out -n, -m, -p, -s");
    }
    struct guira *filter = load_filter(s->like);
    fail_unless_ok(guira_clear(filter), "clear", s->like);
    return filter;
}

static struct guira *make(const struct settings *s, char **paths) {
    struct guira_options options = {.capacity = s->capacity,
                                    .max_capacity = s->max_capacity,
                                    .false_positive_rate = s->rate != 0 ? s->rate : DEFAULT_RATE,
                                    .seed = s->seed};
    uint64_t lines;
    if (s->max_capacity != 0 && s->capacity > s->max_capacity) {
        fail("--max-capacity is less than --capacity");
    }
    if (s->capacity == 0 && s->max_capacity == 0 && lines_count(paths, s->delimiter, &lines)) {
        options.capacity = lines != 0 ? lines : 1;
    } else if (s->capacity == 0) {
        uint64_t most = s->max_capacity != 0 ? s->max_capacity : GUIRA_NO_MAXIMUM;
        options.capacity = most < FIRST_CAPACITY ? most : FIRST_CAPACITY;
        options.max_capacity = most;
    }
    struct guira *filter = NULL;
    fail_unless_ok(guira_create(&options, &filter), "make", s->operands[0]);
    return filter;
}

static int run(const struct settings *s) {
    double began = seconds_now();
    char **paths = key_files(s, 1);
    check_output(s, s->operands[0], paths);
    if (s->like != NULL) {
        check_input(s->like, paths);
    }
    struct guira *filter = s->like != NULL ? make_like(s) : make(s, paths);
    struct tally tally = insert_keys(s, filter, paths);
    save_filter(filter, s->operands[0]);
    warn_of_excess(s, filter);
    guira_destroy(filter);
    if (s->verbose) {
        report_keys(&tally, "keys put in", began);
    }
    return ENDED_WELL;
}

const struct command build_command = {"build", "fhj:kl:m:n:p:qs:vz", 1, MANY, help, run};
