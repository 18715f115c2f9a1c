/*
 * The timeline as an SVG document: no scripts, no style sheet, and only the generic font families.
 */
#include "timeline.h"

#include <string.h>

enum {
    COLUMN = 9, /* pixels; a character of the labels is about 6.6 wide */
    ROW = 38,
    BAR = 24,
    LEFT = 128,
    TOP = 66,
    MARGIN = 20,
    LEAST_WIDTH = 760
};

struct look {
    const char *fill;
    const char *stroke;
    const char *meaning;
};

static const struct look looks[] = {{"#d8efd3", "#3c7d34", "adds a copy"},
                                    {"#fbe3c4", "#a8661a", "removes a copy"},
                                    {"#dbe7f6", "#3d648f", "changes nothing"},
                                    {"#f9d2d2", "#b01c1c", "cannot be answered so"}};

static const struct look *look_of(const struct drawn *d) {
    if (d->culprit) {
        return &looks[3];
    }
    if (!changes(d->operation)) {
        return &looks[2];
    }
    return d->operation->call == CALL_REMOVE ? &looks[1] : &looks[0];
}

static int x_of(int column) {
    return LEFT + column * COLUMN;
}

static int y_of(unsigned row) {
    return TOP + (int)row * ROW;
}

static void text(FILE *out, int x, int y, const char *attributes, const char *content) {
    (void)fprintf(out, "<text x=\"%d\" y=\"%d\" %s>", x, y, attributes);
    for (const char *c = content; *c != '\0'; c++) {
        if (*c == '<') {
            (void)fputs("&lt;", out);
        } else if (*c == '>') {
            (void)fputs("&gt;", out);
        } else {
            (void)fputc(*c, out);
        }
    }
    (void)fputs("</text>\n", out);
}

static void draw_rows(const struct timeline *t, int width, FILE *out) {
    for (unsigned row = 0; row <= t->rows; row++) {
        char name[24] = "possible copies";
        if (row < t->rows) {
            (void)snprintf(name, sizeof name, "thread %u", t->row_thread[row]);
            (void)fprintf(out,
                          "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#dddddd\"/>\n",
                          LEFT, y_of(row) + BAR / 2, width - MARGIN, y_of(row) + BAR / 2);
        }
        text(out, LEFT - 12, y_of(row) + BAR / 2 + 4, "text-anchor=\"end\" fill=\"#333333\"", name);
    }
}

static void draw_operation(const struct timeline *t, const struct drawn *d, FILE *out) {
    const struct look *look = look_of(d);
    const struct operation *o = d->operation;
    int x = x_of(d->begin);
    int y = y_of(d->row);
    int wide = x_of(d->end) - x;
    char label[LABEL_SIZE];
    (void)snprintf(label, sizeof label, "%s %s", call_name(o->call),
                   result_name(o->call, o->result));
    (void)fprintf(out,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\" "
                  "stroke=\"%s\" stroke-width=\"%s\"%s><title>%s, called at %+lld ns, returned at "
                  "%+lld ns</title></rect>\n",
                  x, y, wide, BAR, look->fill, look->stroke, d->culprit ? "2" : "1",
                  d->open ? " stroke-dasharray=\"5 3\"" : "", label,
                  (long long)(o->called - t->origin), (long long)(o->returned - t->origin));
    text(out, x + wide / 2, y + BAR / 2 + 4, "text-anchor=\"middle\" fill=\"#111111\"", label);
    if (!d->open) {
        int below = y_of(t->rows);
        (void)fprintf(out,
                      "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" "
                      "stroke-dasharray=\"2 4\"/>\n",
                      x + wide, y + BAR, x + wide, below, look->stroke);
        text(out, x + wide, below + BAR / 2 + 4,
             d->culprit ? "text-anchor=\"middle\" fill=\"#b01c1c\" font-weight=\"bold\""
                        : "text-anchor=\"middle\" fill=\"#333333\"",
             d->copies);
    }
}

static void draw_legend(const struct timeline *t, FILE *out) {
    int y = y_of(t->rows) + ROW + 8;
    int x = LEFT;
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        (void)fprintf(out,
                      "<rect x=\"%d\" y=\"%d\" width=\"22\" height=\"14\" rx=\"3\" fill=\"%s\" "
                      "stroke=\"%s\"/>\n",
                      x, y, looks[i].fill, looks[i].stroke);
        text(out, x + 28, y + 11, "fill=\"#333333\"", looks[i].meaning);
        x += 50 + 7 * (int)strlen(looks[i].meaning);
    }
    text(out, LEFT, y + 34, "fill=\"#666666\"",
         "Time runs to the right: the order is true, the lengths are not. Dashed: still open at "
         "the end.");
    text(out, LEFT, y + 50, "fill=\"#666666\"",
         "Possible copies: how often the element can be there just after that return.");
}

bool timeline_write_svg(const struct timeline *t, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    char title[TITLE_SIZE];
    timeline_title(t, title);
    int width = x_of(t->columns) + MARGIN;
    width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
    int height = y_of(t->rows) + ROW + 80;
    (void)fprintf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<title>%s</title>\n"
                  "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
                  width, height, width, height, title, width, height);
    text(out, MARGIN, 32, "font-size=\"16\" font-weight=\"bold\" fill=\"#111111\"", title);
    draw_rows(t, width, out);
    text(out, LEFT - 4, y_of(t->rows) + BAR / 2 + 4, "fill=\"#333333\"", t->before);
    for (size_t i = 0; i < t->size; i++) {
        draw_operation(t, &t->drawn[i], out);
    }
    draw_legend(t, out);
    (void)fputs("</svg>\n", out);
    return fclose(out) == 0;
}
