/*
 * A history: what many threads called on one filter, what they heard, and when.
 *
 *     time -------------------------------------------------------------------->
 *     thread 0    [insert x: OK         ]        [contains x: true ]
 *     thread 1          [remove x: OK     ]
 *     thread 2               [count x: 1 ]
 *
 * The specification that a history is judged by is that of a multiset of elements with a capacity
 * for each: `specified` below is all of it.
 */
#ifndef GUIRA_STRESS_HISTORY_HISTORY_H
#define GUIRA_STRESS_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <guira/status.h>

enum { MOST_COPIES = 63 }; /* so that a set of multiplicities is the bits of one word */

enum call { CALL_CONTAINS, CALL_INSERT, CALL_INSERT_UNIQUE, CALL_REMOVE, CALL_COUNT, CALLS };

struct operation {
    uint64_t called;   /* nanoseconds; not later than the call began */
    uint64_t returned; /* nanoseconds; not earlier than the call ended */
    uint32_t element;  /* index into the history's elements */
    uint16_t thread;
    uint8_t call;   /* enum call */
    uint8_t result; /* contains: 0 or 1; count: the copies; the others: enum guira_status */
};

struct element_state {
    uint64_t number;   /* its name in reports and files */
    unsigned capacity; /* 2 * window */
    uint64_t possible; /* bit m: it may be there m times before the first operation */
};

struct history {
    struct operation *operation; /* in any order */
    size_t operations;
    struct element_state *element;
    size_t elements;
};

enum { IMPOSSIBLE = -1 };

/* The specification: how often an element is there after an operation that found it there `copies`
 * times, or IMPOSSIBLE if the operation cannot answer that way then. */
static inline int specified(const struct operation *o, int copies, int capacity) {
    switch (o->call) {
    case CALL_CONTAINS:
        return o->result == (copies > 0) ? copies : IMPOSSIBLE;
    case CALL_COUNT:
        return o->result == copies ? copies : IMPOSSIBLE;
    case CALL_REMOVE:
        if (o->result == GUIRA_OK) {
            return copies > 0 ? copies - 1 : IMPOSSIBLE;
        }
        return o->result == GUIRA_NOT_FOUND && copies == 0 ? copies : IMPOSSIBLE;
    case CALL_INSERT:
        if (o->result == GUIRA_OK) {
            return copies < capacity ? copies + 1 : IMPOSSIBLE;
        }
        return o->result == GUIRA_FULL || (o->result == GUIRA_LIMIT && copies == capacity)
                   ? copies
                   : IMPOSSIBLE;
    case CALL_INSERT_UNIQUE:
        if (o->result == GUIRA_OK) {
            return copies == 0 && capacity > 0 ? 1 : IMPOSSIBLE;
        }
        return o->result == GUIRA_FULL || (o->result == GUIRA_EXISTS && copies > 0) ? copies
                                                                                    : IMPOSSIBLE;
    default:
        return IMPOSSIBLE;
    }
}

/* Whether the operation, answering as it did, changes how often its element is there. */
static inline bool changes(const struct operation *o) {
    return o->call != CALL_CONTAINS && o->call != CALL_COUNT && o->result == GUIRA_OK;
}

/* Names: "insert_unique", "NOT_FOUND", "true", "3". The text of a result is valid for ever. */
const char *call_name(unsigned call);
const char *result_name(unsigned call, unsigned result);

/* The reverse, for readers of files; false if there is no such call or result. */
bool call_from_name(const char *name, uint8_t *call);
bool result_from_name(unsigned call, const char *name, uint8_t *result);

/* For qsort: by the moment of the call, then of the return, then by thread. */
int by_call_time(const void *a, const void *b);

/* Memory or the end of the program: these programs have no use for half a history. */
void *allocate(size_t count, size_t size);

#endif
