/*
 * The EDN writer.
 */
#include "files.h"

#include <stdlib.h>

enum { THREADS = 1 << 16, PROCESSES = 2 * THREADS };

struct event {
    const struct operation *operation;
    uint64_t time;
    uint32_t *process; /* of the operation; set at its call */
    bool is_return;
};

static int by_time(const void *a, const void *b) {
    const struct event *x = a;
    const struct event *y = b;
    if (x->time != y->time) {
        return (x->time > y->time) - (x->time < y->time);
    }
    return x->is_return - y->is_return;
}

static const char *const names[CALLS] = {"contains", "insert", "insert-unique", "remove", "count"};

static const char *value_name(const struct operation *o) {
    static const char *const statuses[] = {":ok", ":full", ":limit", ":exists", ":not-found"};
    bool is_status = o->call != CALL_CONTAINS && o->call != CALL_COUNT;
    return is_status && o->result < sizeof statuses / sizeof statuses[0]
               ? statuses[o->result]
               : result_name(o->call, o->result);
}

static void write_event(struct edn *edn, const struct history *h, const struct event *e) {
    const struct operation *o = e->operation;
    bool failed = (o->call == CALL_INSERT || o->call == CALL_INSERT_UNIQUE) && //
                  o->result == GUIRA_FULL;
    (void)fprintf(
        edn->out, "{:index %llu, :time %llu, :process %lu, :type %s, :f :%s, :value [%llu %s]}\n",
        (unsigned long long)edn->index++, (unsigned long long)e->time, (unsigned long)*e->process,
        !e->is_return ? ":invoke"
        : failed      ? ":fail"
                      : ":ok",
        names[o->call], (unsigned long long)h->element[o->element].number,
        e->is_return ? value_name(o) : "nil");
}

void edn_declare(struct edn *edn, const struct history *h) {
    struct operation insert = {.call = CALL_INSERT, .result = GUIRA_OK};
    uint32_t process = 0;
    for (size_t i = 0; i < h->elements; i++) {
        const struct element_state *e = &h->element[i];
        (void)fprintf(edn->out, "; element %llu: at most %u copies\n",
                      (unsigned long long)e->number, e->capacity);
        insert.element = (uint32_t)i;
        for (uint64_t copies = e->possible; copies > 1; copies >>= 1) {
            struct event event = {.operation = &insert, .process = &process};
            write_event(edn, h, &event);
            event.is_return = true;
            write_event(edn, h, &event);
        }
    }
}

/* The thread's own number, or the next free one above all of them if the thread is busy. */
static uint32_t free_process(const bool *busy, uint32_t thread) {
    uint32_t process = thread;
    for (uint32_t other = THREADS; busy[process] && other < PROCESSES; other++) {
        process = other;
    }
    return process;
}

void edn_write(struct edn *edn, const struct history *h) {
    struct event *event = allocate(2 * h->operations, sizeof *event);
    uint32_t *process = allocate(h->operations, sizeof *process);
    bool *busy = allocate(PROCESSES, sizeof *busy);
    for (size_t i = 0; i < h->operations; i++) {
        const struct operation *o = &h->operation[i];
        event[2 * i] = (struct event){o, o->called, &process[i], false};
        event[2 * i + 1] = (struct event){o, o->returned, &process[i], true};
    }
    qsort(event, 2 * h->operations, sizeof *event, by_time);
    for (size_t i = 0; i < 2 * h->operations; i++) {
        if (!event[i].is_return) {
            *event[i].process = free_process(busy, event[i].operation->thread);
        }
        busy[*event[i].process] = !event[i].is_return;
        write_event(edn, h, &event[i]);
    }
    free(busy);
    free(process);
    free(event);
}
