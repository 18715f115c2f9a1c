#include "checker.h"

#include <stdlib.h>

/* Pending operations of a kind are interchangeable but for when they return. */
enum kind { CHANGES_NOTHING, INSERTS, INSERTS_FIRST, REMOVES, KINDS };

struct checker {
    const struct operation *operation;
    int capacity;
    uint64_t pending;     /* bit s: slot s is in use */
    uint64_t kind[KINDS]; /* the same, kind by kind */
    const struct operation *slot[MOST_PENDING];
    unsigned first;              /* the slot that returns first, if any is pending */
    struct configurations now;   /* all that explains what happened until now */
    struct configurations next;  /* while a return is handled: where it has taken effect */
    struct configurations queue; /* and where it has not yet */
};

struct checker *checker_create(void) {
    return allocate(1, sizeof(struct checker));
}

void checker_destroy(struct checker *checker) {
    configurations_free(&checker->now);
    configurations_free(&checker->next);
    configurations_free(&checker->queue);
    free(checker);
}

static enum kind kind_of(const struct operation *o) {
    if (!changes(o)) {
        return CHANGES_NOTHING;
    }
    return o->call == CALL_INSERT ? INSERTS : o->call == CALL_REMOVE ? REMOVES : INSERTS_FIRST;
}

static uint64_t bit(unsigned slot) {
    return UINT64_C(1) << slot;
}

static unsigned lowest(uint64_t slots) {
    return (unsigned)__builtin_ctzll(slots);
}

/* Of some slots, at least one, the one that returns first. */
static unsigned first_to_return(const struct checker *c, uint64_t slots) {
    unsigned first = lowest(slots);
    for (uint64_t rest = slots & (slots - 1); rest != 0; rest &= rest - 1) {
        unsigned slot = lowest(rest);
        if (c->slot[slot]->returned < c->slot[first]->returned) {
            first = slot;
        }
    }
    return first;
}

static uint64_t multiplicities(const struct configurations *set) {
    uint64_t result = 0;
    for (size_t i = 0; i < set->size; i++) {
        result |= UINT64_C(1) << set->item[i].copies;
    }
    return result;
}

/* Everything pending that changes nothing and may answer as it did in this state takes effect. */
static uint64_t done_by_looking(const struct checker *c, uint64_t done, int copies) {
    for (uint64_t rest = c->kind[CHANGES_NOTHING] & ~done; rest != 0; rest &= rest - 1) {
        unsigned slot = lowest(rest);
        if (specified(c->slot[slot], copies, c->capacity) == copies) {
            done |= bit(slot);
        }
    }
    return done;
}

static bool handle_call(struct checker *c, const struct operation *o) {
    if (~c->pending == 0) {
        return false;
    }
    unsigned slot = lowest(~c->pending);
    enum kind kind = kind_of(o);
    c->slot[slot] = o;
    if (c->pending == 0 || o->returned < c->slot[c->first]->returned) {
        c->first = slot;
    }
    c->pending |= bit(slot);
    c->kind[kind] |= bit(slot);
    if (kind == CHANGES_NOTHING) {
        for (size_t i = 0; i < c->now.size; i++) {
            struct configuration *each = &c->now.item[i];
            if (specified(o, each->copies, c->capacity) == each->copies) {
                each->done |= bit(slot);
            }
        }
        c->now.indexed = false;
    }
    return true;
}

/* One step from a configuration: let the first of a kind take effect. What has `wanted` done is an
 * answer, the rest is to be gone on from. */
static void take_effect(struct checker *c, struct configuration from, enum kind kind,
                        uint64_t wanted) {
    uint64_t waiting = c->kind[kind] & ~from.done;
    if (waiting == 0) {
        return;
    }
    unsigned slot = first_to_return(c, waiting);
    int copies = specified(c->slot[slot], from.copies, c->capacity);
    if (copies == IMPOSSIBLE) {
        return;
    }
    struct configuration to = {done_by_looking(c, from.done | bit(slot), copies), copies};
    (void)configurations_add((to.done & wanted) != 0 ? &c->next : &c->queue, to);
}

/* From all of `now`: what can be reached until the `wanted` slot has taken effect, in `next`; on
 * the way there, in `queue`. With nothing wanted, `queue` is all that can be reached. */
static bool explore(struct checker *c, uint64_t wanted) {
    configurations_empty(&c->next);
    configurations_empty(&c->queue);
    for (size_t i = 0; i < c->now.size; i++) {
        bool done = (c->now.item[i].done & wanted) != 0;
        (void)configurations_add(done ? &c->next : &c->queue, c->now.item[i]);
    }
    for (size_t i = 0; i < c->queue.size; i++) {
        struct configuration from = c->queue.item[i];
        take_effect(c, from, INSERTS, wanted);
        take_effect(c, from, INSERTS_FIRST, wanted);
        take_effect(c, from, REMOVES, wanted);
        if (c->queue.size + c->next.size > MOST_CONFIGURATIONS) {
            return false;
        }
    }
    return true;
}

static bool all_have_done(const struct configurations *set, uint64_t wanted) {
    for (size_t i = 0; i < set->size; i++) {
        if ((set->item[i].done & wanted) == 0) {
            return false;
        }
    }
    return true;
}

/* The first pending operation returns, so by now it has taken effect; forget all that says it has
 * not. All that is left has its bit, so none become equal when it is cleared. */
static bool handle_return(struct checker *c) {
    uint64_t returning = bit(c->first);
    if (!all_have_done(&c->now, returning)) {
        if (!explore(c, returning)) {
            return false;
        }
        struct configurations old = c->now;
        c->now = c->next;
        c->next = old;
    }
    for (size_t i = 0; i < c->now.size; i++) {
        c->now.item[i].done &= ~returning;
    }
    c->now.indexed = false;
    c->kind[kind_of(c->slot[c->first])] &= ~returning;
    c->pending &= ~returning;
    if (c->pending != 0) {
        c->first = first_to_return(c, c->pending);
    }
    return true;
}

static void begin(struct checker *c, unsigned capacity, uint64_t possible) {
    c->capacity = (int)capacity;
    c->pending = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        c->kind[kind] = 0;
    }
    configurations_empty(&c->now);
    for (int copies = 0; copies <= c->capacity; copies++) {
        if ((possible >> copies & 1) != 0) {
            (void)configurations_add(&c->now, (struct configuration){0, copies});
        }
    }
}

static void note_call(struct judgement *j, const struct checker *c, size_t called) {
    if (c->pending == 0) {
        j->window = called;
        j->before = multiplicities(&c->now);
        j->cuts++;
    }
    size_t pending = (size_t)__builtin_popcountll(c->pending) + 1;
    j->most_pending = pending > j->most_pending ? pending : j->most_pending;
}

/* What may be the multiplicity now, whatever of the pending operations has taken effect. */
static bool note_possible(struct checker *c, uint64_t *after) {
    bool explored = explore(c, 0);
    *after = multiplicities(&c->queue);
    return explored;
}

struct judgement checker_judge(struct checker *c, const struct operation *operation,
                               size_t operations, unsigned capacity, uint64_t possible,
                               uint64_t *after) {
    struct judgement j = {.verdict = UNDECIDED};
    for (size_t i = 0; after != NULL && i < operations; i++) {
        after[i] = 0;
    }
    begin(c, capacity, possible);
    while (j.called < operations || c->pending != 0) {
        /* Equal times prove no order, so calls come first. */
        if (j.called < operations &&
            (c->pending == 0 || operation[j.called].called <= c->slot[c->first]->returned)) {
            note_call(&j, c, j.called);
            if (!handle_call(c, &operation[j.called++])) {
                return j;
            }
            continue;
        }
        j.culprit = (size_t)(c->slot[c->first] - operation);
        if (!handle_return(c)) {
            return j;
        }
        if (c->now.size == 0) {
            j.verdict = VIOLATED;
            return j;
        }
        size_t size = c->now.size;
        j.most_configurations = size > j.most_configurations ? size : j.most_configurations;
        if (after != NULL && !note_possible(c, &after[j.culprit])) {
            return j;
        }
    }
    j.verdict = c->now.size > 0 ? LINEARIZABLE : VIOLATED;
    j.possible = multiplicities(&c->now);
    return j;
}
