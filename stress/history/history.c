#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const calls[CALLS] = {"contains", "insert", "insert_unique", "remove", "count"};
static const char *const statuses[] = {"OK", "FULL", "LIMIT", "EXISTS", "NOT_FOUND"};
static const char *const numbers[MOST_COPIES + 1] = {
    "0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10", "11", "12", "13", "14", "15",
    "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
    "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47",
    "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63"};

enum { STATUSES = sizeof statuses / sizeof statuses[0] };

const char *call_name(unsigned call) {
    return call < CALLS ? calls[call] : "?";
}

const char *result_name(unsigned call, unsigned result) {
    if (call == CALL_CONTAINS) {
        return result == 0 ? "false" : "true";
    }
    if (call == CALL_COUNT) {
        return result <= MOST_COPIES ? numbers[result] : "?";
    }
    return result < STATUSES ? statuses[result] : "?";
}

bool call_from_name(const char *name, uint8_t *call) {
    for (unsigned i = 0; i < CALLS; i++) {
        if (strcmp(name, calls[i]) == 0) {
            *call = (uint8_t)i;
            return true;
        }
    }
    return false;
}

bool result_from_name(unsigned call, const char *name, uint8_t *result) {
    unsigned results = call == CALL_CONTAINS ? 2 : call == CALL_COUNT ? MOST_COPIES + 1u : STATUSES;
    for (unsigned i = 0; i < results; i++) {
        if (strcmp(name, result_name(call, i)) == 0) {
            *result = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static int order(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

int by_call_time(const void *a, const void *b) {
    const struct operation *x = a;
    const struct operation *y = b;
    int result = order(x->called, y->called);
    if (result == 0) {
        result = order(x->returned, y->returned);
    }
    return result != 0 ? result : order(x->thread, y->thread);
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        (void)fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}
