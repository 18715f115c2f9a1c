/*
 * The line format: writer and reader.
 */
#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lines_begin(FILE *out) {
    (void)fputs("history 1\n# element NUMBER CAPACITY COPIES\n"
                "# THREAD CALL ELEMENT RESULT CALLED RETURNED\n",
                out);
}

static unsigned lowest_copies(uint64_t possible) {
    return possible == 0 ? 0 : (unsigned)__builtin_ctzll(possible);
}

void lines_declare(FILE *out, const struct history *h) {
    for (size_t i = 0; i < h->elements; i++) {
        const struct element_state *e = &h->element[i];
        (void)fprintf(out, "element %llu %u %u\n", (unsigned long long)e->number, e->capacity,
                      lowest_copies(e->possible));
    }
}

void lines_write(FILE *out, const struct history *h) {
    for (size_t i = 0; i < h->operations; i++) {
        const struct operation *o = &h->operation[i];
        (void)fprintf(out, "%u %s %llu %s %llu %llu\n", o->thread, call_name(o->call),
                      (unsigned long long)h->element[o->element].number,
                      result_name(o->call, o->result), (unsigned long long)o->called,
                      (unsigned long long)o->returned);
    }
}

enum { MOST_WORDS = 6 };

struct reader {
    struct history *history;
    size_t operation_room;
    size_t element_room;
    bool named; /* the format */
    const char *fault;
};

static void *larger_room(void *old, size_t used, size_t size, size_t *room) {
    if (used < *room) {
        return old;
    }
    *room = *room == 0 ? 64 : 2 * *room;
    void *larger = allocate(*room, size);
    if (used > 0) {
        memcpy(larger, old, used * size);
    }
    free(old);
    return larger;
}

static bool parse_number(const char *word, uint64_t most, uint64_t *out) {
    char *end;
    errno = 0;
    *out = strtoull(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

static const char *read_element(struct reader *r, char **word) {
    struct history *h = r->history;
    uint64_t number;
    uint64_t capacity;
    uint64_t copies;
    if (!parse_number(word[1], UINT32_MAX - 1, &number) || number != h->elements) {
        return "elements are numbered 0, 1, 2, ...";
    }
    if (!parse_number(word[2], MOST_COPIES - 1, &capacity) ||
        !parse_number(word[3], capacity, &copies)) {
        return "not a capacity (at most 62) and a number of copies within it";
    }
    h->element = larger_room(h->element, h->elements, sizeof *h->element, &r->element_room);
    h->element[h->elements++] = (struct element_state){
        .number = number, .capacity = (unsigned)capacity, .possible = UINT64_C(1) << copies};
    return NULL;
}

static const char *read_operation(struct reader *r, char **word) {
    struct history *h = r->history;
    struct operation o = {0};
    uint64_t thread;
    uint64_t element;
    if (!parse_number(word[0], UINT16_MAX, &thread)) {
        return "not a thread (0 to 65535)";
    }
    if (!call_from_name(word[1], &o.call)) {
        return "unknown call";
    }
    if (!parse_number(word[2], UINT32_MAX, &element) || element >= h->elements) {
        return "the element was not declared";
    }
    if (!result_from_name(o.call, word[3], &o.result)) {
        return "unknown result";
    }
    if (!parse_number(word[4], UINT64_MAX, &o.called) ||
        !parse_number(word[5], UINT64_MAX, &o.returned) || o.called > o.returned) {
        return "not the times of a call and of a return that is not earlier";
    }
    o.thread = (uint16_t)thread;
    o.element = (uint32_t)element;
    h->operation =
        larger_room(h->operation, h->operations, sizeof *h->operation, &r->operation_room);
    h->operation[h->operations++] = o;
    return NULL;
}

/* What is wrong with the line; NULL if nothing is. */
static const char *read_line(struct reader *r, char *line) {
    char *word[MOST_WORDS + 1];
    unsigned words = 0;
    char *rest;
    for (char *w = strtok_r(line, " \t\r\n", &rest); w != NULL && words <= MOST_WORDS;
         w = strtok_r(NULL, " \t\r\n", &rest)) {
        word[words++] = w;
    }
    if (words == 0 || word[0][0] == '#') {
        return NULL;
    }
    if (!r->named) {
        r->named = words == 2 && strcmp(word[0], "history") == 0 && strcmp(word[1], "1") == 0;
        return r->named ? NULL : "does not begin with \"history 1\"";
    }
    if (words == 4 && strcmp(word[0], "element") == 0) {
        return read_element(r, word);
    }
    return words == 6 ? read_operation(r, word) : "neither an element nor an operation";
}

bool lines_read(FILE *in, const char *name, struct history *history) {
    *history = (struct history){0};
    struct reader r = {.history = history};
    char *line = NULL;
    size_t size = 0;
    unsigned long long number = 0;
    while (r.fault == NULL && getline(&line, &size, in) >= 0) {
        number++;
        r.fault = read_line(&r, line);
    }
    free(line);
    if (r.fault == NULL && ferror(in)) {
        r.fault = "cannot be read";
    } else if (r.fault == NULL && !r.named) {
        r.fault = "does not begin with \"history 1\"";
    }
    if (r.fault != NULL) {
        (void)fprintf(stderr, "%s:%llu: %s\n", name, number, r.fault);
        history_free(history);
    }
    return r.fault == NULL;
}

void history_free(struct history *history) {
    free(history->operation);
    free(history->element);
    *history = (struct history){0};
}
