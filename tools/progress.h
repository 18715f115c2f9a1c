/* How far a command is, on standard error if that is a terminal: one line, a few times a second. */
#ifndef GUIRA_TOOLS_PROGRESS_H
#define GUIRA_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool is_shown;
    bool has_line; /* to be cleared at the end */
    double begin;  /* seconds */
    double last;
    uint64_t total; /* bytes; 0: not known */
};

double seconds_now(void);

void progress_begin(struct progress *progress, bool is_wanted, uint64_t total);
void progress_show(struct progress *progress, uint64_t lines, uint64_t consumed);
void progress_end(struct progress *progress);

#endif
