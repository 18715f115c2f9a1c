/*
 * Verifies, without threads and without luck, that a call may be interrupted at any access: whole
 * other calls run in its middle, each at a step of its own, also while it holds locks; one that
 * then meets a held lock is given up, as it has changed nothing by then. The answers must be those
 * of the calls in some order, and the multiset in the end what they make together; FULL must have
 * been true at some moment, and so never be the outcome of a lost race.
 *
 * The library is compiled for this test with support/steps.h as its atomic objects and without
 * lock.c. Tables of a few buckets near their brim, so that nearly every insert moves entries.
 */
#include "filters.h"
#include "path.h"
#include "test.h"

enum { MAX_OTHERS = 3, MAX_ITEMS = 128, MAX_STRIPES = 8, BATCH = 40 };

enum verb { CONTAINS, CONTAINS_BATCH, COUNT, REMOVE, INSERT, INSERT_UNIQUE };

struct call {
    enum verb verb;
    uint64_t hash;
    uint64_t element;
    unsigned answer; /* a status, a count, or a truth */
    uint64_t gap;    /* steps of the interrupted call before this one's turn */
    bool ran;        /* false: it met a lock, or the interrupted call had ended */
};

static struct {
    struct guira *filter; /* NULL: steps are not counted */
    uint64_t left;        /* steps until the next of the others runs */
    struct call *others;
    unsigned count;
    unsigned next; /* how many had their turn */
    jmp_buf blocked;
} trap;

/* Whether the interrupted call's element had room at each moment so far. */
static bool always_room;
static bool room_for_interrupted(void);

/* A batch that asks for one element again and again; its answer is that of one of the keys. */
static bool contains_in_batch(const struct guira *f, const struct call *c) {
    uint64_t hashes[BATCH];
    bool found[BATCH];
    for (int i = 0; i < BATCH; i++) {
        hashes[i] = c->hash;
    }
    assert_int_equal(guira_contains_batch(f, guira_keys_uniform(hashes, BATCH), found), GUIRA_OK);
    return found[c->gap % BATCH];
}

static void carry_out(struct guira *f, struct call *c) {
    switch (c->verb) {
    case CONTAINS:
        c->answer = guira_contains_uniform(f, c->hash);
        break;
    case CONTAINS_BATCH:
        c->answer = contains_in_batch(f, c);
        break;
    case COUNT:
        c->answer = guira_count_uniform(f, c->hash);
        break;
    case REMOVE:
        c->answer = guira_remove_uniform(f, c->hash);
        break;
    case INSERT:
        c->answer = guira_insert_uniform(f, c->hash);
        break;
    default:
        c->answer = guira_insert_unique_uniform(f, c->hash);
        break;
    }
}

/* In the place of lock.c: whoever would wait is given up. */
void guira__lock_wait(struct lock *lock) {
    (void)lock;
    longjmp(trap.blocked, 1);
}

void guira__back_off(unsigned attempt) {
    (void)attempt;
}

static bool is_held(struct guira *f, uint32_t stripe) {
    return ck_spinlock_locked(&f->stripes.all[stripe].lock.spin);
}

void step_before_access(void) {
    struct guira *f = trap.filter;
    if (f == NULL || --trap.left > 0) {
        return;
    }
    bool held[MAX_STRIPES];
    for (uint32_t i = 0; i < f->stripes.count; i++) {
        held[i] = is_held(f, i);
    }
    trap.filter = NULL;
    if (setjmp(trap.blocked) == 0) {
        carry_out(f, &trap.others[trap.next]);
        trap.others[trap.next].ran = true;
    } else {
        for (uint32_t i = 0; i < f->stripes.count; i++) {
            if (is_held(f, i) && !held[i]) {
                lock_release(&f->stripes.all[i].lock);
            }
        }
    }
    always_room = always_room && room_for_interrupted();
    if (++trap.next < trap.count) {
        trap.left = trap.others[trap.next].gap;
        trap.filter = f;
    }
}

/* ---- The exact multiset ---------------------------------------------------------------------- */

struct bag {
    uint64_t element[MAX_ITEMS];
    unsigned size;
};

static struct bag bag_of(const struct guira *f, const struct ref_shape *s) {
    struct bag bag = {.size = 0};
    for (uint64_t bucket = 0; bucket < s->M; bucket++) {
        for (uint32_t slot = 0; slot < s->k; slot++) {
            uint64_t tag = ref_tag(s, f->table.words, bucket, slot);
            if (tag != 0) {
                bag.element[bag.size++] = ref_element_at(s, bucket, slot, tag);
            }
        }
    }
    return bag;
}

static unsigned bag_count(const struct bag *bag, uint64_t element) {
    unsigned n = 0;
    for (unsigned i = 0; i < bag->size; i++) {
        n += bag->element[i] == element;
    }
    return n;
}

static void bag_remove(struct bag *bag, uint64_t element) {
    for (unsigned i = 0; i < bag->size; i++) {
        if (bag->element[i] == element) {
            bag->element[i] = bag->element[--bag->size];
            return;
        }
    }
}

static bool bags_equal(const struct bag *a, const struct bag *b) {
    bool equal = a->size == b->size;
    for (unsigned i = 0; i < a->size && equal; i++) {
        equal = bag_count(a, a->element[i]) == bag_count(b, a->element[i]);
    }
    return equal;
}

/* Whether the call could answer so with that multiset, which it then changes. */
static bool possible(struct bag *bag, const struct call *c, unsigned limit) {
    unsigned copies = bag_count(bag, c->element);
    switch (c->verb) {
    case CONTAINS:
    case CONTAINS_BATCH:
        return c->answer == (copies > 0);
    case COUNT:
        return c->answer == copies;
    case REMOVE:
        bag_remove(bag, c->element);
        return c->answer == (copies > 0 ? (unsigned)GUIRA_OK : (unsigned)GUIRA_NOT_FOUND);
    default:
        if (c->verb == INSERT_UNIQUE && copies > 0) {
            return c->answer == GUIRA_EXISTS;
        }
        if (c->answer == GUIRA_OK) {
            bag->element[bag->size++] = c->element;
        }
        return copies == limit ? c->answer == GUIRA_LIMIT
                               : c->answer == GUIRA_OK || c->answer == GUIRA_FULL;
    }
}

/* Whether the answers, and the multiset in the end, are those of the calls one after another, with
 * the interrupted one at some place among the others. */
static bool explained(const struct bag *before, const struct bag *after, const struct call *call,
                      const struct call *others, unsigned count, unsigned limit) {
    for (unsigned at = 0; at <= count; at++) {
        struct bag bag = *before;
        bool good = true;
        for (unsigned i = 0; i <= count && good; i++) {
            good = (i != at || possible(&bag, call, limit)) &&
                   (i == count || !others[i].ran || possible(&bag, &others[i], limit));
        }
        if (good && bags_equal(&bag, after)) {
            return true;
        }
    }
    return false;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

struct trial {
    struct guira *filter;
    struct ref_shape shape;
    struct rng rng;
    uint64_t pool[24];
    uint64_t words[8];
    uint64_t items[MAX_STRIPES];
};

static struct call random_call(struct trial *t, uint64_t hash, enum verb from, enum verb to) {
    enum verb verb = (enum verb)(from + rng_below(&t->rng, (uint64_t)(to - from) + 1));
    return (struct call){verb, hash, guira_element(t->filter, hash), 99, 1 + rng_below(&t->rng, 12),
                         false};
}

static void save_or_restore(struct trial *t, bool restore) {
    for (uint64_t i = 0; i < t->shape.M; i++) {
        if (restore) {
            atomic_store(&t->filter->table.words[i], t->words[i]);
        }
        t->words[i] = atomic_load(&t->filter->table.words[i]);
    }
    for (uint32_t i = 0; i < t->filter->stripes.count; i++) {
        if (restore) {
            atomic_store(&t->filter->stripes.all[i].items, t->items[i]);
        }
        t->items[i] = atomic_load(&t->filter->stripes.all[i].items);
    }
}

static const struct trial *current;
static const struct call *interrupted;

static bool room_for_interrupted(void) {
    return ref_moves_to_room(&current->shape, current->filter->table.words, interrupted->element,
                             MAX_MOVES) >= 0;
}

/* One call, interrupted at that step by the others; false if it ends before. */
static bool interrupt_at(struct trial *t, struct call call, struct call *others, unsigned count,
                         uint64_t step) {
    save_or_restore(t, true);
    struct bag before = bag_of(t->filter, &t->shape);
    for (unsigned i = 0; i < count; i++) {
        others[i].ran = false;
    }
    current = t;
    interrupted = &call;
    always_room = room_for_interrupted();
    trap.left = step;
    trap.others = others;
    trap.count = count;
    trap.next = 0;
    trap.filter = t->filter;
    carry_out(t->filter, &call);
    trap.filter = NULL;
    struct bag after = bag_of(t->filter, &t->shape);
    bool good = explained(&before, &after, &call, others, count, 2 * t->shape.w) &&
                (call.verb < INSERT || call.answer != GUIRA_FULL || !always_room);
    require(good, "M %llu, f %u, w %u, call %d, first other %d of %u, step %llu: answer %u",
            (unsigned long long)t->shape.M, t->shape.f, t->shape.w, call.verb, others[0].verb,
            count, (unsigned long long)step, call.answer);
    require_sound(t->filter);
    return trap.next > 0;
}

static uint64_t interrupt_everywhere(struct trial *t) {
    struct call others[MAX_OTHERS];
    /* Half of the time all is about one element. */
    uint64_t hash = t->pool[rng_below(&t->rng, 24)];
    unsigned count = 1 + (unsigned)rng_below(&t->rng, MAX_OTHERS);
    struct call call = random_call(t, hash, CONTAINS, INSERT_UNIQUE);
    for (unsigned i = 0; i < count; i++) {
        bool same = rng_below(&t->rng, 2) == 0;
        others[i] =
            random_call(t, same ? hash : t->pool[rng_below(&t->rng, 24)], CONTAINS, INSERT_UNIQUE);
    }
    save_or_restore(t, false);
    uint64_t step = 1;
    while (interrupt_at(t, call, others, count, step)) {
        step++;
    }
    save_or_restore(t, true);
    return step - 1;
}

static void interrupt_in_table(uint64_t buckets, uint32_t tag_bits, uint32_t window) {
    struct trial t = {
        .filter = filter_with((struct guira_options){
            .buckets = buckets, .tag_bits = tag_bits, .window = window, .stripes = MAX_STRIPES}),
        .rng = rng_stream(buckets * 100 + tag_bits)};
    t.shape = shape_of_filter(t.filter);
    uint64_t steps = 0;
    for (int i = 0; i < 24; i++) {
        t.pool[i] = rng_next(&t.rng);
    }
    for (uint64_t i = 0; i < scaled(3000); i++) {
        /* Wander about near the brim. */
        for (int j = 0; j < 6; j++) {
            uint64_t hash = t.pool[rng_below(&t.rng, 24)];
            (void)(rng_below(&t.rng, 3) == 0 ? guira_remove_uniform(t.filter, hash)
                                             : guira_insert_uniform(t.filter, hash));
        }
        steps += interrupt_everywhere(&t);
    }
    assert_true(steps > scaled(3000));
    guira_destroy(t.filter);
}

static void a_call_interrupted_anywhere_is_still_one_step(void **state) {
    (void)state;
    for (uint64_t buckets = 2; buckets <= 7; buckets++) {
        interrupt_in_table(buckets, 12, 2);
        interrupt_in_table(buckets, 16, 1);
        interrupt_in_table(buckets, 16, 2);
        interrupt_in_table(buckets, 21, 2);
        interrupt_in_table(buckets, 21, 3);
        interrupt_in_table(buckets, 32, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_interrupted_anywhere_is_still_one_step),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
