#include "excerpt.h"

#include <stdlib.h>
#include <string.h>

struct shrinking {
    struct checker *checker;
    struct excerpt *excerpt;
    struct operation *trial;
    struct operation culprit;
};

static bool is_culprit(const struct shrinking *s, const struct operation *o) {
    return memcmp(o, &s->culprit, sizeof *o) == 0;
}

/* The excerpt without what changes nothing of [from, to): into the trial. Its size. */
static size_t leave_out(const struct shrinking *s, size_t from, size_t to) {
    size_t kept = 0;
    for (size_t i = 0; i < s->excerpt->operations; i++) {
        const struct operation *o = &s->excerpt->operation[i];
        if (i < from || i >= to || changes(o) || is_culprit(s, o)) {
            s->trial[kept++] = *o;
        }
    }
    return kept;
}

/* Whether the trial is a contradiction that comes to light at the same return. */
static bool fails_alike(const struct shrinking *s, size_t operations) {
    const struct excerpt *e = s->excerpt;
    struct judgement j =
        checker_judge(s->checker, s->trial, operations, e->capacity, e->before, NULL);
    return j.verdict == VIOLATED && is_culprit(s, &s->trial[j.culprit]);
}

/* Leave out large pieces first, then smaller ones. */
static void shrink(struct shrinking *s) {
    struct excerpt *e = s->excerpt;
    size_t all = e->operations;
    for (size_t piece = all; piece > 0; piece /= 2) {
        for (size_t from = 0; from < e->operations;) {
            size_t kept = leave_out(s, from, from + piece);
            if (kept < e->operations && fails_alike(s, kept)) {
                memcpy(e->operation, s->trial, kept * sizeof *s->trial);
                e->operations = kept;
            } else {
                from += piece;
            }
        }
    }
    e->left_out = all - e->operations;
}

struct excerpt excerpt_create(const struct history *history, const struct findings *findings,
                              struct checker *checker) {
    const struct judgement *j = &findings->judgement;
    struct excerpt e = {.number = history->element[findings->element].number,
                        .capacity = history->element[findings->element].capacity,
                        .before = j->before,
                        .operations = j->called - j->window};
    e.operation = allocate(e.operations, sizeof *e.operation);
    memcpy(e.operation, &findings->operation[j->window], e.operations * sizeof *e.operation);
    struct shrinking s = {.checker = checker,
                          .excerpt = &e,
                          .trial = allocate(e.operations, sizeof *s.trial),
                          .culprit = findings->operation[j->culprit]};
    shrink(&s);
    free(s.trial);
    e.after = allocate(e.operations, sizeof *e.after);
    e.culprit =
        checker_judge(checker, e.operation, e.operations, e.capacity, e.before, e.after).culprit;
    return e;
}

void excerpt_destroy(struct excerpt *excerpt) {
    free(excerpt->operation);
    free(excerpt->after);
}
