/*
 * Threads that share the work on the pieces of the input. Each takes the next piece, works on it
 * beside the others, and then waits for its turn, so that what they write is in the order of the
 * input. Memory is bounded: a piece and its output for each thread.
 *
 *     take a piece  | one thread at a time: lines_next
 *     work on it    | all at once
 *     hand it in    | one thread at a time, in the order of the pieces: output, tally, progress
 */
#ifndef GUIRA_TOOLS_CREW_H
#define GUIRA_TOOLS_CREW_H

#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "lines.h"

struct tally {
    uint64_t lines;
    uint64_t done; /* what a command counts: keys that were found, or put in, or taken out */
};

/* One thread's own. */
struct worker {
    struct piece piece;
    struct batch batch;
    char *output; /* to be written when it is its turn */
    size_t output_length;
    size_t output_room;
    struct tally tally; /* of this piece */
};

/* Appends to the worker's output. */
void worker_write(struct worker *worker, const void *bytes, size_t length);

/* What is to be done with each batch of lines; adds to worker->tally.done. */
typedef void (*crew_job)(void *context, struct worker *worker);

/* Does the job for all lines of the files. Ends the program if they cannot be read, or standard
 * output cannot be written. */
struct tally crew_run(const struct settings *settings, char **paths, crew_job job, void *context);

/* "10,000,000 lines, 9,950,000 keys put in, 2.1 s", on standard error; `what` is "keys put in". */
void report_keys(const struct tally *tally, const char *what, double began);

#endif
