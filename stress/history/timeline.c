#include "timeline.h"

#include <stdlib.h>
#include <string.h>

/* "0-2" for 0, 1 and 2; "none" for the empty set. */
static void write_set(uint64_t set, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (unsigned low = 0; low <= MOST_COPIES && used < size; low++) {
        if ((set >> low & 1) == 0) {
            continue;
        }
        unsigned high = low;
        while (high < MOST_COPIES && (set >> (high + 1) & 1) != 0) {
            high++;
        }
        const char *comma = used > 0 ? "," : "";
        int written = low == high ? snprintf(text + used, size - used, "%s%u", comma, low)
                                  : snprintf(text + used, size - used, "%s%u-%u", comma, low, high);
        used += (size_t)written;
        low = high;
    }
    if (used == 0) {
        (void)snprintf(text, size, "none");
    }
}

/* Which operations are drawn: the last ones called, and of those before them what is still pending
 * at the end, as far as there is room. */
static void choose(struct timeline *t) {
    const struct excerpt *e = t->excerpt;
    uint64_t end = e->operation[e->culprit].returned;
    size_t recent = e->operations > MOST_DRAWN / 2 ? e->operations - MOST_DRAWN / 2 : 0;
    if (e->operations <= MOST_DRAWN) {
        recent = 0;
    }
    for (size_t i = 0; i < e->operations; i++) {
        const struct operation *o = &e->operation[i];
        if (i != e->culprit && i < recent && (o->returned < end || t->size == MOST_DRAWN / 2 - 1)) {
            t->earlier++;
            continue;
        }
        struct drawn *d = &t->drawn[t->size++];
        d->operation = o;
        d->after = e->after[i];
        d->culprit = i == e->culprit;
        d->open = o->returned > end;
    }
}

/* A row for each thread that is drawn, by number; threads that overlap themselves share one row. */
static void choose_rows(struct timeline *t) {
    for (size_t i = 0; i < t->size; i++) {
        unsigned thread = t->drawn[i].operation->thread;
        unsigned at = 0;
        while (at < t->rows && t->row_thread[at] < thread) {
            at++;
        }
        if (at == t->rows || t->row_thread[at] != thread) {
            memmove(&t->row_thread[at + 1], &t->row_thread[at],
                    (t->rows - at) * sizeof t->row_thread[0]);
            t->row_thread[at] = thread;
            t->rows++;
        }
    }
    for (size_t i = 0; i < t->size; i++) {
        struct drawn *d = &t->drawn[i];
        while (t->row_thread[d->row] != d->operation->thread) {
            d->row++;
        }
    }
}

struct moment {
    uint64_t time;
    bool is_return;
    struct drawn *drawn;
};

static int by_time(const void *a, const void *b) {
    const struct moment *x = a;
    const struct moment *y = b;
    if (x->drawn->open != y->drawn->open && (x->is_return || y->is_return)) {
        /* What is pending at the end returns after all else. */
        bool x_last = x->drawn->open && x->is_return;
        bool y_last = y->drawn->open && y->is_return;
        if (x_last != y_last) {
            return x_last - y_last;
        }
    }
    if (x->time != y->time) {
        return (x->time > y->time) - (x->time < y->time);
    }
    return x->is_return - y->is_return;
}

static int longer(int a, int b) {
    return a > b ? a : b;
}

/* Columns in the order of time: each moment has its own, far enough
 * from the others for the texts. */
static void choose_columns(struct timeline *t) {
    struct moment moment[2 * MOST_DRAWN] = {0};
    int row_end[MOST_DRAWN];
    for (size_t i = 0; i < t->size; i++) {
        struct drawn *d = &t->drawn[i];
        moment[2 * i] = (struct moment){d->operation->called, false, d};
        moment[2 * i + 1] = (struct moment){d->operation->returned, true, d};
        row_end[i] = -1;
    }
    qsort(moment, 2 * t->size, sizeof moment[0], by_time);
    int column = (int)strlen(t->before);
    int copies_end = column;
    for (size_t i = 0; i < 2 * t->size; i++) {
        struct drawn *d = moment[i].drawn;
        if (!moment[i].is_return) {
            column = longer(column + 1, row_end[d->row] + 1);
            d->begin = column;
            continue;
        }
        column = longer(column + 1, d->begin + (int)strlen(d->label) + 1);
        if (!d->open) {
            column = longer(column, copies_end + 2);
            copies_end = column + (int)strlen(d->copies);
        }
        d->end = column;
        row_end[d->row] = column;
    }
    t->columns = longer(column, copies_end) + 1;
}

struct timeline timeline_layout(const struct excerpt *excerpt) {
    struct timeline t = {.excerpt = excerpt};
    choose(&t);
    for (size_t i = 0; i < t.size; i++) {
        struct drawn *d = &t.drawn[i];
        unsigned call = d->operation->call;
        (void)snprintf(d->label, sizeof d->label, d->culprit ? ">%s %s<" : "%s %s", call_name(call),
                       result_name(call, d->operation->result));
        write_set(d->after, d->copies, sizeof d->copies);
    }
    write_set(excerpt->before, t.before, sizeof t.before);
    if (t.earlier > 0) {
        (void)snprintf(t.before, sizeof t.before, "?");
    }
    t.origin = t.size > 0 ? t.drawn[0].operation->called : 0;
    choose_rows(&t);
    choose_columns(&t);
    return t;
}

void timeline_title(const struct timeline *t, char *text) {
    const struct excerpt *e = t->excerpt;
    char before[LABEL_SIZE];
    write_set(e->before, before, sizeof before);
    int used = snprintf(text, TITLE_SIZE,
                        "Element %llu, at most %u copies, %s at first: nothing explains this",
                        (unsigned long long)e->number, e->capacity, before);
    if (t->earlier > 0 && used > 0 && used < TITLE_SIZE) {
        (void)snprintf(text + used, TITLE_SIZE - (size_t)used,
                       " (%zu earlier operations not drawn)", t->earlier);
    }
}
