#include "naive.h"

struct trial {
    const struct operation *operation;
    size_t operations;
    unsigned capacity;
    uint64_t end;
    bool placed[MOST_NAIVE];
    uint64_t finals;
};

/* The specification once more, as a table of what is allowed. Changes *copies. */
static bool may_answer(const struct operation *o, unsigned capacity, unsigned *copies) {
    unsigned before = *copies;
    bool ok = o->result == GUIRA_OK;
    if (o->call == CALL_CONTAINS) {
        return (before != 0) == (o->result != 0);
    }
    if (o->call == CALL_COUNT) {
        return before == o->result;
    }
    if (o->call == CALL_REMOVE) {
        *copies -= ok && before > 0;
        return ok ? before > 0 : o->result == GUIRA_NOT_FOUND && before == 0;
    }
    if (o->result == GUIRA_FULL) {
        return true;
    }
    *copies += ok;
    if (o->call == CALL_INSERT) {
        return ok ? before < capacity : o->result == GUIRA_LIMIT && before == capacity;
    }
    return ok ? before == 0 && capacity > 0 : o->result == GUIRA_EXISTS && before > 0;
}

/* Whether an operation can come next: no other that is still to be placed returned before it. */
static bool may_be_next(const struct trial *t, size_t at) {
    for (size_t i = 0; i < t->operations; i++) {
        if (!t->placed[i] && t->operation[i].returned < t->operation[at].called) {
            return false;
        }
    }
    return !t->placed[at] && t->operation[at].called <= t->end;
}

static bool is_complete(const struct trial *t) {
    for (size_t i = 0; i < t->operations; i++) {
        if (!t->placed[i] && t->operation[i].returned <= t->end) {
            return false;
        }
    }
    return true;
}

static void place_the_rest(struct trial *t, unsigned copies) {
    if (is_complete(t)) {
        t->finals |= UINT64_C(1) << copies;
    }
    for (size_t i = 0; i < t->operations; i++) {
        unsigned then = copies;
        if (may_be_next(t, i) && may_answer(&t->operation[i], t->capacity, &then)) {
            t->placed[i] = true;
            place_the_rest(t, then);
            t->placed[i] = false;
        }
    }
}

uint64_t naive_check(const struct operation *operation, size_t operations, unsigned capacity,
                     uint64_t possible, uint64_t end) {
    struct trial t = {operation, operations, capacity, end, {false}, 0};
    for (unsigned copies = 0; copies <= capacity; copies++) {
        if ((possible >> copies & 1) != 0) {
            place_the_rest(&t, copies);
        }
    }
    return t.finals;
}
