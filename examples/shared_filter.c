/*
 * The demo: many threads share one filter over the lines of a file, and every promise that the
 * library makes is put to the test.
 *
 *     shared_filter [FILE] [THREADS]
 *
 * It ends with 0 if every promise held, 1 if one did not, 2 if it could not run. The phases are in
 * the folder shared_filter/: phases.c and copies.c show how the library is called.
 */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>

#include <guira/guira.h>

#include "shared_filter/demo.h"
#include "shared_filter/report.h"
#include "shared_filter/words.h"

#define DEFAULT_FILE "/usr/share/dict/american-english-huge"
#define FEWEST_DEFAULT_THREADS 4
#define MOST_THREADS 1024

enum { PROMISES_HELD, PROMISE_BROKEN, COULD_NOT_RUN };

static int usage(void) {
    fprintf(stderr,
            "Usage: shared_filter [FILE] [THREADS]\n"
            "  FILE     any file; its lines are the words (default: %s)\n"
            "  THREADS  1 to %d (default: one a processor, but at least %d)\n",
            DEFAULT_FILE, MOST_THREADS, FEWEST_DEFAULT_THREADS);
    return COULD_NOT_RUN;
}

static unsigned default_threads(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < FEWEST_DEFAULT_THREADS) {
        return FEWEST_DEFAULT_THREADS;
    }
    return processors > MOST_THREADS ? MOST_THREADS : (unsigned)processors;
}

/* Digits only: strtol alone would take " +4" and "4x", too. */
static bool parse_threads(const char *text, unsigned *threads) {
    unsigned number = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || number > MOST_THREADS) {
            return false;
        }
        number = 10 * number + (unsigned)(*text - '0');
    }
    *threads = number;
    return number >= 1 && number <= MOST_THREADS;
}

/* Each phase needs that the words are where the one before has put them. */
static bool run_phases(struct demo *demo) {
    demo->counts_exact = PASS; /* until something is found to be wrong */
    demo->invariants_hold = PASS;
    if (!demo_insert(demo) || !demo_look_up(demo) || !demo_absent(demo)) {
        return false;
    }
    if (demo->all_fit == PASS && !demo_churn(demo)) {
        return false;
    }
    if (demo->all_fit == FAIL) {
        printf("           not every word is in the filter, so what follows cannot be judged\n");
        demo->counts_exact = demo->counts_exact == FAIL ? FAIL : NOT_RUN;
        return true;
    }
    return demo_copies(demo) && demo_limit(demo);
}

static int run(struct demo *demo, const char *path) {
    struct guira_options options = {.capacity = demo->words.count,
                                    .false_positive_rate = DEMO_RATE};
    enum guira_status status = guira_create(&options, &demo->filter);
    if (status != GUIRA_OK) {
        fprintf(stderr, "shared_filter: cannot create the filter: %s\n", guira_status_text(status));
        return COULD_NOT_RUN;
    }
    int result = COULD_NOT_RUN;
    if (guira_get_info(demo->filter, &demo->full) == GUIRA_OK) {
        report_head(demo, path);
        if (run_phases(demo)) {
            result = report_end(demo) ? PROMISES_HELD : PROMISE_BROKEN;
        }
    }
    guira_destroy(demo->filter);
    return result;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : DEFAULT_FILE;
    struct demo demo = {.threads = default_threads()};
    if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
        return usage();
    }
    if (argc > 2 && !parse_threads(argv[2], &demo.threads)) {
        fprintf(stderr, "shared_filter: \"%s\" is no number of threads\n", argv[2]);
        return usage();
    }

    const char *reason = words_read(path, &demo.words);
    if (reason != NULL) {
        fprintf(stderr, "shared_filter: cannot use %s: %s\n", path, reason);
        return COULD_NOT_RUN;
    }
    int result = run(&demo, path);
    words_free(&demo.words);
    if (fflush(stdout) != 0) {
        perror("shared_filter: cannot write");
        return COULD_NOT_RUN;
    }
    return result;
}
