#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "numbers.h"

#define SECONDS_BETWEEN 0.2
#define ERASE_REST "\033[K"

double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(struct progress *progress, bool is_wanted, uint64_t total) {
    *progress = (struct progress){.is_shown = is_wanted && isatty(STDERR_FILENO) == 1,
                                  .begin = seconds_now(),
                                  .total = total};
    progress->last = progress->begin; /* what is soon done shows nothing */
}

void progress_show(struct progress *progress, uint64_t lines, uint64_t consumed) {
    double now = progress->is_shown ? seconds_now() : 0;
    if (!progress->is_shown || now - progress->last < SECONDS_BETWEEN) {
        return;
    }
    progress->last = now;
    progress->has_line = true;
    double passed = now - progress->begin;
    char count[NUMBER_ROOM];
    char rate[NUMBER_ROOM];
    char rest[2 * NUMBER_ROOM] = "";
    if (progress->total != 0 && consumed != 0) {
        double part = (double)consumed / (double)progress->total;
        part = part < 1 ? part : 1; /* the file may have grown */
        (void)snprintf(rest, sizeof rest, ", %.0f %%, %.0f s left", 100 * part,
                       passed * (1 - part) / part);
    }
    (void)fprintf(stderr, "\r%s lines, %s/s%s" ERASE_REST, rounded((double)lines, count),
                  rounded((double)lines / passed, rate), rest);
    (void)fflush(stderr);
}

void progress_end(struct progress *progress) {
    if (progress->has_line) {
        (void)fputs("\r" ERASE_REST, stderr);
        (void)fflush(stderr);
    }
    progress->is_shown = false;
    progress->has_line = false;
}
