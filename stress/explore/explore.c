/*
 * The search; see explore.h. Reductions, each of which keeps every reachable end:
 *
 * - States that were reached before are not continued again. What a thread will do is a function of
 *   what its accesses returned, so these results and the memory are the whole state. Only a 128-bit
 *   hash of it is kept: two of n different states share one with probability about n^2 / 2^129.
 * - An unlock is done in the same step as the access before it: whatever other threads do in
 * between
 *   could as well be done after it (Lipton, "Reduction", CACM 1975: a left mover).
 * - A lock is taken in the same step as the access after it (a right mover); but not with another
 *   lock, so that deadlocks are found.
 */
#include "explore.h"

#include <setjmp.h>
#include <string.h>

#include "atomic.h"
#include "fail.h"
#include "mutant.h"
#include "states.h"

/* The thread whose body is being run. */
static struct {
    struct thread *thread;
    uint32_t number;
    uint32_t access, note, call; /* how many of each it has asked for */
    jmp_buf unanswered;
} running;

static uint64_t ask(struct access access) {
    struct thread *t = running.thread;
    if (running.access < t->accesses) {
        return t->result[running.access++];
    }
    t->next = access;
    longjmp(running.unanswered, 1);
}

uint64_t explore_load(uint32_t location, memory_order order) {
    return ask((struct access){LOAD, location, order, 0});
}

void explore_store(uint32_t location, uint64_t value, memory_order order) {
    (void)ask((struct access){STORE, location, order, value});
}

uint64_t explore_add(uint32_t location, uint64_t amount, memory_order order) {
    return ask((struct access){ADD, location, order, amount});
}

void explore_lock(uint32_t lock) {
    (void)ask((struct access){LOCK, lock, memory_order_acquire, 0});
}

void explore_unlock(uint32_t lock) {
    (void)ask((struct access){UNLOCK, lock, memory_order_release, 0});
}

void explore_note(uint64_t value) {
    struct thread *t = running.thread;
    if (running.note == MAX_NOTES) {
        explore_fail("more than %d notes of one thread", MAX_NOTES);
    }
    t->note[running.note++] = value;
    t->notes = running.note;
}

/* A call begins when it is first reached; the runs that repeat it find it there. */
void explore_call(uint8_t kind, uint8_t element) {
    struct thread *t = running.thread;
    if (running.call == MAX_CALLS) {
        explore_fail("more than %d calls of one thread", MAX_CALLS);
    }
    if (running.call == t->calls) {
        t->call[t->calls++] =
            (struct call){.kind = kind, .element = element, .after = t->horizon.calls};
    }
}

void explore_return(uint8_t result) {
    struct thread *t = running.thread;
    struct call *call = &t->call[running.call++];
    call->result = result;
    if (!call->ended) {
        call->ended = true;
        t->horizon.calls |= UINT32_C(1) << (running.number * MAX_CALLS + running.call - 1);
    }
}

/* Run the body up to its next access. */
static void advance(const struct program *program, struct machine *m, uint32_t thread) {
    running.thread = &m->thread[thread];
    running.number = thread;
    running.access = running.note = running.call = 0;
    running.thread->next = (struct access){.kind = NO_ACCESS};
    mutant_begin_body();
    if (setjmp(running.unanswered) == 0) {
        program->body(thread);
    }
}

/* How deep the search can get: each thread's accesses. */
enum { DEPTH = MAX_THREADS * MAX_ACCESSES + 1 };

struct search {
    const struct program *program;
    struct exploration *result;
    struct states *states;
    struct machine *machine; /* one for each depth */
    struct step trace[DEPTH];
    uint32_t steps;
};

/* One access of a thread, and what goes with it in one step. */
static bool take_step(struct search *s, struct machine *m, uint32_t thread, uint32_t choice) {
    enum access_kind kind = m->thread[thread].next.kind;
    if (!machine_step(m, thread, choice, &s->trace[s->steps])) {
        return false;
    }
    s->steps++;
    advance(s->program, m, thread);
    while (!s->result->plain && kind != LOCK && m->thread[thread].next.kind == UNLOCK) {
        (void)machine_step(m, thread, 0, &s->trace[s->steps++]);
        advance(s->program, m, thread);
    }
    return true;
}

static void fail(struct search *s, const struct machine *end, const char *failure) {
    s->result->failure = failure;
    s->result->end = *end;
    s->result->steps = s->steps;
    s->result->trace = malloc((s->steps + 1) * sizeof *s->trace);
    if (s->result->trace == NULL) {
        explore_fail("out of memory");
    }
    memcpy(s->result->trace, s->trace, s->steps * sizeof *s->trace);
}

static void visit(struct search *s, uint32_t depth, uint32_t last);

/* Whether the thread goes on in the same step: it took a lock and now does something else. */
static bool goes_on(const struct search *s, const struct machine *before, const struct machine *now,
                    uint32_t thread) {
    return !s->result->plain && before->thread[thread].next.kind == LOCK &&
           now->thread[thread].next.kind != LOCK && machine_choices(now, thread) > 0;
}

/* All outcomes of one thread's next access. */
static void visit_thread(struct search *s, uint32_t depth, uint32_t thread) {
    const struct machine *here = &s->machine[depth];
    struct machine *there = &s->machine[depth + 1];
    uint32_t choices = machine_choices(here, thread);
    for (uint32_t choice = 0; choice < choices && s->result->failure == NULL; choice++) {
        uint32_t steps = s->steps;
        machine_copy(there, here);
        if (take_step(s, there, thread, choice)) {
            if (goes_on(s, here, there, thread)) {
                visit_thread(s, depth + 1, thread);
            } else if (s->result->plain || states_add(s->states, there)) {
                visit(s, depth + 1, thread);
            }
        }
        s->steps = steps;
    }
}

/* Go on from a state, first with the thread that came last: few changes make readable traces. */
static void visit(struct search *s, uint32_t depth, uint32_t last) {
    const struct machine *here = &s->machine[depth];
    bool stuck = true;
    bool ended = true;
    s->result->states++;
    for (uint32_t i = 0; i < here->threads && s->result->failure == NULL; i++) {
        uint32_t thread = (last + i) % here->threads;
        ended = ended && here->thread[thread].next.kind == NO_ACCESS;
        if (machine_choices(here, thread) > 0) {
            stuck = false;
            visit_thread(s, depth, thread);
        }
    }
    if (s->result->failure != NULL || !stuck) {
        return;
    }
    const char *failure = ended ? s->program->check(here) : "deadlock";
    s->result->ends += !s->result->plain || states_add(s->states, here);
    if (failure != NULL) {
        fail(s, here, failure);
    }
}

void explore(const struct program *program, struct exploration *result) {
    if (program->threads > MAX_THREADS || program->locations > MAX_LOCATIONS ||
        program->locks > MAX_LOCKS) {
        explore_fail("%s is too large", program->name);
    }
    struct exploration wanted = {.locks_carry = result->locks_carry, .plain = result->plain};
    *result = wanted;
    struct search *s = calloc(1, sizeof *s);
    struct machine *machine = calloc(DEPTH, sizeof *machine);
    if (s == NULL || machine == NULL) {
        explore_fail("out of memory");
    }
    s->program = program;
    s->result = result;
    s->states = states_create();
    s->machine = machine;
    machine->threads = program->threads;
    machine->locations = program->locations;
    machine->locks = program->locks;
    machine->locks_carry = wanted.locks_carry;
    for (uint32_t i = 0; i < program->locations; i++) {
        machine->location[i].stores = 1;
    }
    if (program->prepare != NULL) {
        program->prepare(machine);
    }
    for (uint32_t i = 0; i < program->threads; i++) {
        machine->thread[i].last_place = UINT32_MAX;
        advance(program, machine, i);
    }
    visit(s, 0, 0);
    states_destroy(s->states);
    free(machine);
    free(s);
}
