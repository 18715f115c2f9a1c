/*
 * Drawing an excerpt: threads as rows, operations as intervals that say what was asked and
 * answered. Time runs to the right, but only its order is true: columns are as wide as the texts
 * need.
 *
 *     thread 0  [insert OK]     [contains true]
 *     thread 1     [ remove OK ]       [>contains true<]
 *     copies    1             0-1                      none
 *
 * The last row says how often the element can have been there just after each return; "none"
 * stands where nothing explains what was answered. >...< marks the operation whose return that was.
 */
#ifndef GUIRA_STRESS_HISTORY_TIMELINE_H
#define GUIRA_STRESS_HISTORY_TIMELINE_H

#include <stdio.h>

#include "excerpt.h"

enum { MOST_DRAWN = 48, LABEL_SIZE = 40 };

struct drawn {
    const struct operation *operation;
    uint64_t after;
    unsigned row;
    int begin; /* columns */
    int end;
    bool culprit;
    bool open; /* returns only after what is drawn */
    char label[LABEL_SIZE];
    char copies[LABEL_SIZE]; /* the text of `after` */
};

struct timeline {
    const struct excerpt *excerpt;
    struct drawn drawn[MOST_DRAWN];
    size_t size;
    size_t earlier; /* operations of the excerpt that are left out since there are too many */
    unsigned row_thread[MOST_DRAWN]; /* the thread that a row shows */
    unsigned rows;
    int columns;
    uint64_t origin;         /* the time at the left edge */
    char before[LABEL_SIZE]; /* the multiplicities possible there; "?" after earlier ones */
};

struct timeline timeline_layout(const struct excerpt *excerpt);

/* A line that says what is shown; the size of `text` is TITLE_SIZE. */
enum { TITLE_SIZE = 200 };
void timeline_title(const struct timeline *timeline, char *text);

/* To a terminal, in pieces as wide as it, then the operations one by one. */
void timeline_print(const struct timeline *timeline, FILE *out);

/* As a whole SVG document; false if it could not be written. */
bool timeline_write_svg(const struct timeline *timeline, const char *path);

#endif
