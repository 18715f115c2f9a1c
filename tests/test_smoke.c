/*
 * Verifies, with many threads and oracles that need no history: a stable key is never missed while
 * others churn about it; each thread's own elements behave as if it were alone; nothing is lost or
 * doubled in the end. On tables small and full enough that every insert searches and paths cross,
 * with one lock, two and many. And no thread's statistics are lost.
 */
#include <sched.h>

#include "elements.h"
#include "test.h"
#include "threads.h"

struct scene {
    struct guira *filter;
    unsigned limit;   /* 2 * window */
    uint64_t *hashes; /* stable ones first, then each writer's own */
    unsigned *copies; /* of each, kept by its owner */
    size_t stable;
    size_t own; /* keys of each writer */
    uint64_t rounds;
    atomic_uint busy;     /* writers that are not done */
    atomic_ullong missed; /* stable keys that a reader did not find */
    atomic_ullong wrong;  /* answers to a writer about its own elements */
    atomic_ullong looked;
    atomic_ullong full;
};

struct worker {
    struct scene *scene;
    unsigned number;
};

/* One call on one of the writer's own elements; true if the answer was right. */
static bool step(struct scene *s, size_t key, uint64_t what) {
    struct guira *f = s->filter;
    uint64_t hash = s->hashes[key];
    unsigned *copies = &s->copies[key];
    enum guira_status status;
    what %= 16; /* chances that keep the table within reach of its brim */
    if (what < 8) {
        status = guira_remove_uniform(f, hash);
        if (status != (*copies > 0 ? GUIRA_OK : GUIRA_NOT_FOUND)) {
            return false;
        }
        *copies -= status == GUIRA_OK;
        return true;
    }
    if (what < 10) {
        return guira_count_uniform(f, hash) == *copies;
    }
    if (what == 10) {
        return guira_contains_uniform(f, hash) == (*copies > 0);
    }
    if (what == 11) {
        status = guira_insert_unique_uniform(f, hash);
        if (*copies > 0 || status == GUIRA_EXISTS) {
            return *copies > 0 && status == GUIRA_EXISTS;
        }
    } else {
        status = guira_insert_uniform(f, hash);
    }
    (void)atomic_fetch_add(&s->full, status == GUIRA_FULL);
    *copies += status == GUIRA_OK;
    return status == GUIRA_OK || status == GUIRA_FULL ||
           (status == GUIRA_LIMIT && *copies == s->limit);
}

static void *write_own(void *context) {
    const struct worker *w = context;
    struct scene *s = w->scene;
    struct rng rng = rng_stream(1000 + w->number);
    size_t first = s->stable + w->number * s->own;
    for (uint64_t i = 0; i < s->rounds; i++) {
        bool hot = rng_below(&rng, 16) == 0;
        size_t key = first + (size_t)rng_below(&rng, hot ? 1 : s->own);
        if (!step(s, key, rng_next(&rng))) {
            (void)atomic_fetch_add(&s->wrong, 1);
        }
    }
    (void)atomic_fetch_sub(&s->busy, 1);
    return NULL;
}

static void *read_stable(void *context) {
    const struct worker *w = context;
    struct scene *s = w->scene;
    size_t i = w->number;
    uint64_t looked = 0;
    uint64_t missed = 0;
    do {
        for (size_t n = 0; n < s->stable; n++, i++) {
            missed += !guira_contains_uniform(s->filter, s->hashes[i % s->stable]);
        }
        looked += s->stable;
        (void)sched_yield();
    } while (atomic_load(&s->busy) > 0);
    (void)atomic_fetch_add(&s->missed, missed);
    (void)atomic_fetch_add(&s->looked, looked);
    return NULL;
}

/* Checks, sizes and visits beside it all: they must not disturb, and sizes stay possible. */
static void *ask_about_the_whole(void *context) {
    const struct worker *w = context;
    struct scene *s = w->scene;
    do {
        unsigned invariant = 0;
        struct guira_info info;
        bool sound = guira_check(s->filter, &invariant) == GUIRA_OK;
        bool told = guira_get_info(s->filter, &info) == GUIRA_OK;
        if (!sound || !told || guira_size(s->filter) > 2 * info.slots) {
            (void)atomic_fetch_add(&s->wrong, 1);
        }
        nap(); /* a check holds all locks, so without a pause little else would be done */
    } while (atomic_load(&s->busy) > 0);
    return NULL;
}

struct cast {
    unsigned writers;
    unsigned readers;
    bool asker;
};

static void play(struct scene *s, struct cast cast) {
    struct worker worker[MAX_THREADS];
    struct crew crew;
    atomic_store(&s->busy, cast.writers);
    crew_begin(&crew, cast.writers + cast.readers + cast.asker);
    for (unsigned i = 0; i < cast.writers; i++) {
        worker[i] = (struct worker){s, i};
        crew_hire(&crew, write_own, &worker[i]);
    }
    for (unsigned i = cast.writers; i < cast.writers + cast.readers; i++) {
        worker[i] = (struct worker){s, i};
        crew_hire(&crew, read_stable, &worker[i]);
    }
    struct worker last = {s, 0};
    if (cast.asker) {
        crew_hire(&crew, ask_about_the_whole, &last);
    }
    crew_end(&crew);
}

/* Stable keys take half of the slots (a quarter where windows of one slot fill no more), and the
 * writers have more keys than the rest can take. */
static void smoke(struct guira_options options, struct cast cast, uint64_t rounds) {
    struct scene s = {.filter = filter_with(options), .rounds = scaled(rounds)};
    struct guira_info info;
    assert_int_equal(guira_get_info(s.filter, &info), GUIRA_OK);
    s.limit = 2 * info.sizing.window;
    s.stable = (size_t)(info.sizing.window == 1 ? info.slots / 4 : info.slots / 2);
    s.own = (size_t)(info.slots / 2 / cast.writers) + 1;
    size_t keys = s.stable + cast.writers * s.own;
    s.hashes = distinct_hashes(s.filter, keys, options.buckets);
    s.copies = calloc(keys, sizeof *s.copies);
    assert_non_null(s.copies);
    for (size_t i = 0; i < s.stable; i++) {
        assert_int_equal(guira_insert_uniform(s.filter, s.hashes[i]), GUIRA_OK);
        s.copies[i] = 1;
    }
    play(&s, cast);
    require(s.missed == 0, "%llu of %llu look-ups missed a stable key",
            (unsigned long long)s.missed, (unsigned long long)s.looked);
    require(s.wrong == 0, "%llu wrong answers to writers", (unsigned long long)s.wrong);
    require_sound(s.filter);
    require(holds_exactly(s.filter, s.hashes, s.copies, keys), "items were lost or doubled");
    assert_int_equal(guira_get_info(s.filter, &info), GUIRA_OK);
    print_message(
        "load %.2f, %llu looks, %llu FULL, %llu searches, %llu lost races, %llu retries\n",
        info.load, (unsigned long long)s.looked, (unsigned long long)s.full,
        (unsigned long long)info.searches, (unsigned long long)info.lost_races,
        (unsigned long long)info.reader_retries);
    free(s.hashes);
    free(s.copies);
    guira_destroy(s.filter);
}

static void a_small_full_table_serves_many_threads(void **state) {
    (void)state;
    static const uint32_t stripes[] = {1, 2, 0, 128};
    for (size_t i = 0; i < sizeof stripes / sizeof stripes[0]; i++) {
        smoke(
            (struct guira_options){
                .buckets = 120, .tag_bits = 12, .window = 2, .stripes = stripes[i]},
            (struct cast){4, 3, true}, 150000);
    }
}

static void other_windows_serve_many_threads_alike(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{16, 4}, {8, 8}, {9, 3}, {16, 1}, {32, 2}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        smoke((struct guira_options){.buckets = 600 / (64 / shape[i][0]),
                                     .tag_bits = shape[i][0],
                                     .window = shape[i][1],
                                     .stripes = 16},
              (struct cast){3, 2, false}, 150000);
    }
}

static void two_buckets_serve_many_threads(void **state) {
    (void)state;
    smoke((struct guira_options){.buckets = 2, .tag_bits = 16, .window = 4},
          (struct cast){2, 2, true}, 150000);
    smoke((struct guira_options){.buckets = 3, .tag_bits = 9, .window = 2, .stripes = 3},
          (struct cast){2, 2, true}, 150000);
}

static void a_larger_table_serves_many_threads(void **state) {
    (void)state;
    smoke((struct guira_options){.buckets = 20000, .tag_bits = 12, .window = 3},
          (struct cast){4, 4, false}, 150000);
}

static void a_tiny_search_budget_loses_nothing(void **state) {
    (void)state;
    smoke(
        (struct guira_options){
            .buckets = 120, .tag_bits = 12, .window = 2, .search_budget = 5, .stripes = 8},
        (struct cast){4, 2, false}, 150000);
}

static void one_writer_without_locks_serves_many_readers(void **state) {
    (void)state;
    smoke(
        (struct guira_options){.buckets = 120, .tag_bits = 12, .window = 2, .single_writer = true},
        (struct cast){1, 5, false}, 400000);
}

/* A thread that inserts into a full table. */
struct refused {
    struct guira *filter;
    uint64_t inserts;
    uint64_t full;
};

static void *insert_in_vain(void *context) {
    struct refused *r = context;
    for (uint64_t i = 0; i < r->inserts; i++) {
        r->full += guira_insert_u64(r->filter, i) == GUIRA_FULL;
    }
    return NULL;
}

static void statistics_of_many_threads_add_up(void **state) {
    (void)state;
    enum { CREW = 4, SLOTS = 8 };
    struct guira *f = filter_of(2, 16, 4);
    struct refused refused[CREW];
    struct crew crew;
    struct guira_info info;
    assert_int_equal(fill(f, 0, SLOTS), SLOTS);
    crew_begin(&crew, CREW);
    for (unsigned i = 0; i < CREW; i++) {
        refused[i] = (struct refused){.filter = f, .inserts = scaled(50000)};
        crew_hire(&crew, insert_in_vain, &refused[i]);
    }
    crew_end(&crew);
    for (unsigned i = 0; i < CREW; i++) {
        assert_int_equal(refused[i].full, refused[i].inserts);
    }
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    uint64_t inserts = CREW * refused[0].inserts;
    assert_int_equal(info.full_inserts, inserts);
    assert_int_equal(info.searches, 2 * inserts);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_full_table_serves_many_threads),
        cmocka_unit_test(other_windows_serve_many_threads_alike),
        cmocka_unit_test(two_buckets_serve_many_threads),
        cmocka_unit_test(a_larger_table_serves_many_threads),
        cmocka_unit_test(a_tiny_search_budget_loses_nothing),
        cmocka_unit_test(one_writer_without_locks_serves_many_readers),
        cmocka_unit_test(statistics_of_many_threads_add_up),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
