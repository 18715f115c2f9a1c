/*
 * Verifies that a filter that grows is an exact multiset of elements at each moment: random calls,
 * one by one and in batches, with many copies of a few elements, over every tag width and window;
 * each answer is foretold; growth, and the way back, are begun at random moments too.
 */
#include "elements.h"
#include "grid.h"
#include "grown.h"
#include "test.h"

enum { KEYS = 600, HOT_KEYS = 4, BATCH = 12 };

enum call { INSERT, INSERT_UNIQUE, REMOVE, CONTAINS, COUNT, CALLS };

struct oracle {
    struct guira *filter;
    struct rng rng;
    uint32_t window;
    uint64_t *hashes;
    unsigned copies[KEYS];
    uint64_t total;
    bool filling;
    bool may_fill_up;        /* before the call */
    uint64_t seen[2][CALLS]; /* calls while one table was in use, and two */
    uint64_t limits, fulls, shrinks;
};

static size_t some_key(struct oracle *o) {
    return (size_t)rng_below(&o->rng, rng_below(&o->rng, 6) == 0 ? HOT_KEYS : KEYS);
}

static enum call some_call(struct oracle *o) {
    uint64_t inserts = o->filling ? 55 : 20;
    uint64_t what = rng_below(&o->rng, 100);
    if (what < inserts) {
        return what < inserts / 3 ? INSERT_UNIQUE : INSERT;
    }
    return what < 70 ? REMOVE : what < 85 ? CONTAINS : COUNT;
}

/* Only inserts may have a choice: between OK and FULL, and FULL only where there is no way to grow:
 * at the last level, or a table that is nearly empty, or when even the next one has no room. */
static bool may_be_full(const struct oracle *o) {
    const struct growth *g = o->filter->growth;
    uint32_t level = level_of(o->filter);
    return level + 1 == g->levels || is_migrating(o->filter) ||
           guira_size(o->filter) < g->limits[level].crowded_from / 2;
}

static void check_change(struct oracle *o, enum call call, size_t key, enum guira_status is) {
    unsigned *copies = &o->copies[key];
    enum guira_status should = GUIRA_OK;
    if (call == REMOVE) {
        should = *copies > 0 ? GUIRA_OK : GUIRA_NOT_FOUND;
    } else if (call == INSERT_UNIQUE && *copies > 0) {
        should = GUIRA_EXISTS;
    } else if (*copies == 2 * o->window) {
        should = GUIRA_LIMIT;
    }
    bool full = is == GUIRA_FULL && should == GUIRA_OK && call != REMOVE &&
                (o->may_fill_up || may_be_full(o));
    require(is == should || full, "call %d on %u copies says %d, not %d (w %u, level %u, %d)", call,
            *copies, is, should, o->window, level_of(o->filter), is_migrating(o->filter));
    o->limits += is == GUIRA_LIMIT;
    o->fulls += is == GUIRA_FULL;
    if (is == GUIRA_OK) {
        *copies += call == REMOVE ? -1u : 1u;
        o->total += call == REMOVE ? UINT64_MAX : 1;
    }
}

static void check_look(const struct oracle *o, enum call call, size_t key, unsigned is) {
    unsigned should = call == COUNT ? o->copies[key] : o->copies[key] > 0;
    require(is == should, "call %d says %u, not %u (w %u, level %u, %d)", call, is, should,
            o->window, level_of(o->filter), is_migrating(o->filter));
}

static void do_one(struct oracle *o, enum call call) {
    size_t key = some_key(o);
    uint64_t hash = o->hashes[key];
    struct guira *f = o->filter;
    switch (call) {
    case INSERT:
        check_change(o, call, key, guira_insert_uniform(f, hash));
        break;
    case INSERT_UNIQUE:
        check_change(o, call, key, guira_insert_unique_uniform(f, hash));
        break;
    case REMOVE:
        check_change(o, call, key, guira_remove_uniform(f, hash));
        break;
    case CONTAINS:
        check_look(o, call, key, guira_contains_uniform(f, hash));
        break;
    default:
        check_look(o, call, key, guira_count_uniform(f, hash));
    }
}

static void look_at_batch(struct oracle *o, enum call call, const size_t *key,
                          struct guira_keys keys) {
    bool found[BATCH] = {false};
    unsigned count[BATCH] = {0};
    enum guira_status status = call == CONTAINS ? guira_contains_batch(o->filter, keys, found)
                                                : guira_count_batch(o->filter, keys, count);
    assert_int_equal(status, GUIRA_OK);
    for (size_t i = 0; i < BATCH; i++) {
        check_look(o, call, key[i], call == CONTAINS ? found[i] : count[i]);
    }
}

static void do_batch(struct oracle *o, enum call call) {
    size_t key[BATCH];
    uint64_t hash[BATCH];
    enum guira_status result[BATCH];
    for (size_t i = 0; i < BATCH; i++) {
        key[i] = some_key(o);
        hash[i] = o->hashes[key[i]];
    }
    struct guira_keys keys = guira_keys_uniform(hash, BATCH);
    if (call == CONTAINS || call == COUNT) {
        look_at_batch(o, call, key, keys);
        return;
    }
    if (call == INSERT) {
        (void)guira_insert_batch(o->filter, keys, result);
    } else if (call == INSERT_UNIQUE) {
        (void)guira_insert_unique_batch(o->filter, keys, result);
    } else {
        (void)guira_remove_batch(o->filter, keys, result);
    }
    for (size_t i = 0; i < BATCH; i++) {
        check_change(o, call, key[i], result[i]);
    }
}

static void run(struct oracle *o, uint64_t calls) {
    for (uint64_t i = 0; i < calls; i++) {
        if (rng_below(&o->rng, 400) == 0) {
            o->filling = !o->filling;
        }
        if (rng_below(&o->rng, 1000) == 0) {
            uint64_t items = rng_below(&o->rng, guira_capacity(o->filter) + 1);
            assert_int_equal(guira_reserve(o->filter, items), GUIRA_OK);
        }
        if (rng_below(&o->rng, 200) == 0) {
            uint32_t level = level_of(o->filter);
            assert_int_equal(guira_shrink(o->filter), GUIRA_OK);
            o->shrinks += level_of(o->filter) < level;
        }
        enum call call = some_call(o);
        o->may_fill_up = may_be_full(o);
        o->seen[is_migrating(o->filter)][call]++;
        if (rng_below(&o->rng, 16) == 0) {
            do_batch(o, call);
        } else {
            do_one(o, call);
        }
        assert_int_equal(guira_size(o->filter), o->total);
    }
}

static void require_all(const struct oracle *o) {
    for (size_t key = 0; key < KEYS; key++) {
        check_look(o, COUNT, key, guira_count_uniform(o->filter, o->hashes[key]));
        check_look(o, CONTAINS, key, guira_contains_uniform(o->filter, o->hashes[key]));
    }
    require_entries_add_up(o->filter);
}

/* Filters of one geometry, each begun anew so that all of them grow. */
static void run_filters(const struct ref_shape *s, struct oracle *sums) {
    for (unsigned filters = 0; filters < 2; filters++) {
        struct oracle o = {.filter = growing_of(s->M, s->f, s->w, GUIRA_NO_MAXIMUM),
                           .window = s->w,
                           .rng = rng_stream(s->f << 16 | s->w << 8 | filters),
                           .filling = true};
        o.hashes = distinct_hashes(o.filter, KEYS, s->f << 8 | s->w);
        for (unsigned part = 0; part < 4; part++) {
            run(&o, scaled(test_is_long() ? 20000 : 1200));
            require_all(&o);
        }
        for (int call = 0; call < CALLS; call++) {
            sums->seen[0][call] += o.seen[0][call];
            sums->seen[1][call] += o.seen[1][call];
        }
        sums->limits += o.limits;
        sums->fulls += o.fulls;
        sums->shrinks += o.shrinks;
        free(o.hashes);
        guira_destroy(o.filter);
    }
}

static struct oracle sums;

static void run_shape(const struct ref_shape *s) {
    if (s->w > 1 && s->Q >= 16 && s->U > 4 * (uint64_t)KEYS) {
        run_filters(s, &sums);
    }
}

static void every_answer_is_that_of_an_exact_multiset(void **state) {
    (void)state;
    memset(&sums, 0, sizeof sums);
    for_each_geometry(8, run_shape);
    for_each_geometry(37, run_shape);
    for (int call = 0; call < CALLS; call++) {
        require(sums.seen[0][call] > 500 && sums.seen[1][call] > 500, "call %d: %llu, %llu", call,
                (unsigned long long)sums.seen[0][call], (unsigned long long)sums.seen[1][call]);
        print_message("call %d: %llu with one table, %llu with two\n", call,
                      (unsigned long long)sums.seen[0][call],
                      (unsigned long long)sums.seen[1][call]);
    }
    require(sums.limits > 100 && sums.shrinks > 20, "%llu LIMIT, shrunk %llu times",
            (unsigned long long)sums.limits, (unsigned long long)sums.shrinks);
    print_message("%llu LIMIT, %llu FULL, shrunk %llu times\n", (unsigned long long)sums.limits,
                  (unsigned long long)sums.fulls, (unsigned long long)sums.shrinks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_an_exact_multiset),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
