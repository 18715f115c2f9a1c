/*
 * The timeline as text.
 */
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 88 }; /* columns; with the names of rows it fits a hundred */

/* One line of the whole drawing; columns that nothing is written to are spaces. */
static char *blank_line(const struct timeline *t) {
    size_t columns = (size_t)t->columns + 1;
    char *line = allocate(columns + 1, 1);
    memset(line, ' ', columns);
    return line;
}

static void draw_interval(char *line, const struct drawn *d) {
    size_t inside = (size_t)(d->end - d->begin - 1);
    size_t label = strlen(d->label);
    size_t left = (inside - label) / 2;
    memset(&line[d->begin], '.', inside + 1);
    line[d->begin] = '[';
    memcpy(&line[(size_t)d->begin + 1 + left], d->label, label);
    line[d->end] = d->open ? '>' : ']';
}

static char **draw(const struct timeline *t) {
    char **line = allocate(t->rows + 1u, sizeof *line);
    for (unsigned row = 0; row <= t->rows; row++) {
        line[row] = blank_line(t);
    }
    char *copies = line[t->rows];
    memcpy(copies, t->before, strlen(t->before));
    for (size_t i = 0; i < t->size; i++) {
        const struct drawn *d = &t->drawn[i];
        draw_interval(line[d->row], d);
        if (!d->open) {
            memcpy(&copies[d->end], d->copies, strlen(d->copies));
        }
    }
    return line;
}

static void print_pieces(const struct timeline *t, char **line, FILE *out) {
    for (int from = 0; from < t->columns; from += PIECE) {
        for (unsigned row = 0; row <= t->rows; row++) {
            char name[16] = "copies";
            if (row < t->rows) {
                (void)snprintf(name, sizeof name, "thread %u", t->row_thread[row]);
            }
            int width = t->columns - from < PIECE ? t->columns - from : PIECE;
            while (width > 0 && line[row][from + width - 1] == ' ') {
                width--;
            }
            (void)fprintf(out, "%-10s %.*s\n", name, width, &line[row][from]);
        }
        (void)fprintf(out, "\n");
    }
}

static void print_operation(const struct timeline *t, const struct drawn *d, FILE *out) {
    const struct operation *o = d->operation;
    (void)fprintf(out, "  %+10lld to %+10lld ns  thread %-3u %s %s%s\n",
                  (long long)(o->called - t->origin), (long long)(o->returned - t->origin),
                  o->thread, call_name(o->call), result_name(o->call, o->result),
                  d->culprit ? "   <- cannot be" : "");
}

void timeline_print(const struct timeline *t, FILE *out) {
    char title[TITLE_SIZE];
    timeline_title(t, title);
    (void)fprintf(out, "%s\n\n", title);
    char **line = draw(t);
    print_pieces(t, line, out);
    for (unsigned row = 0; row <= t->rows; row++) {
        free(line[row]);
    }
    free(line);
    for (size_t i = 0; i < t->size; i++) {
        print_operation(t, &t->drawn[i], out);
    }
    if (t->excerpt->left_out > 0) {
        (void)fprintf(
            out,
            "  %zu look-ups and refusals meanwhile, not needed for the contradiction, are "
            "left out\n",
            t->excerpt->left_out);
    }
}
