/*
 * Verifies growth between threads: while two writers make a filter double again and again, readers
 * find every key that is in, removes and counts are exact, and of two writers that want the same
 * key in exactly one hears OK.
 */
#include "elements.h"
#include "grown.h"
#include "test.h"
#include "threads.h"

enum { WRITERS = 2, READERS = 2, BATCH = 16 };

/* What the threads share. Writer w owns hashes[w]; `done[w]` of them are in or were. Each fourth
 * was removed again. */
struct work {
    struct guira *filter;
    uint64_t *hashes[WRITERS];
    size_t keys; /* of each */
    atomic_size_t done[WRITERS];
    atomic_uint writing;
    atomic_uint wrong;
};

struct worker {
    struct work *work;
    unsigned number;
};

static bool is_removed(size_t key) {
    return key % 4 == 3;
}

static void note(struct work *w, bool wrong) {
    (void)atomic_fetch_add(&w->wrong, wrong);
}

static void *write_keys(void *context) {
    struct worker *me = context;
    struct work *w = me->work;
    const uint64_t *hashes = w->hashes[me->number];
    for (size_t i = 0; i < w->keys; i++) {
        note(w, guira_insert_uniform(w->filter, hashes[i]) != GUIRA_OK);
        note(w, guira_insert_unique_uniform(w->filter, hashes[i]) != GUIRA_EXISTS);
        if (is_removed(i)) {
            note(w, guira_remove_uniform(w->filter, hashes[i]) != GUIRA_OK);
            note(w, guira_contains_uniform(w->filter, hashes[i]));
            note(w, guira_remove_uniform(w->filter, hashes[i]) != GUIRA_NOT_FOUND);
        }
        atomic_store(&w->done[me->number], i + 1);
        size_t other = (size_t)(scrambled(i) % (i + 1));
        note(w, guira_count_uniform(w->filter, hashes[other]) != !is_removed(other));
    }
    (void)atomic_fetch_sub(&w->writing, 1);
    return NULL;
}

static void *read_keys(void *context) {
    struct worker *me = context;
    struct work *w = me->work;
    struct rng rng = {me->number};
    while (atomic_load(&w->writing) > 0) {
        unsigned owner = (unsigned)rng_below(&rng, WRITERS);
        size_t done = atomic_load(&w->done[owner]);
        uint64_t batch[BATCH];
        size_t in = 0;
        for (unsigned i = 0; i < BATCH && done > 0; i++) {
            size_t key = (size_t)rng_below(&rng, done);
            bool there = guira_contains_uniform(w->filter, w->hashes[owner][key]);
            note(w, there == is_removed(key));
            if (!is_removed(key)) {
                batch[in++] = w->hashes[owner][key];
            }
        }
        bool found[BATCH];
        (void)guira_contains_batch(w->filter, guira_keys_uniform(batch, in), found);
        for (size_t i = 0; i < in; i++) {
            note(w, !found[i]);
        }
    }
    return NULL;
}

static struct guira *small_filter(uint32_t tag_bits, uint32_t window, uint32_t stripes) {
    return filter_with((struct guira_options){.buckets = 32,
                                              .tag_bits = tag_bits,
                                              .window = window,
                                              .stripes = stripes,
                                              .max_capacity = GUIRA_NO_MAXIMUM});
}

static void run_crew(struct work *w, void *(*write)(void *), void *(*read)(void *)) {
    struct crew crew;
    struct worker worker[WRITERS + READERS];
    atomic_store(&w->writing, WRITERS);
    crew_begin(&crew, WRITERS + READERS);
    for (unsigned i = 0; i < WRITERS + READERS; i++) {
        worker[i] = (struct worker){w, i};
        crew_hire(&crew, i < WRITERS ? write : read, &worker[i]);
    }
    crew_end(&crew);
    assert_int_equal(w->wrong, 0);
}

static void check_the_end(const struct work *w) {
    uint64_t in = 0;
    for (unsigned owner = 0; owner < WRITERS; owner++) {
        for (size_t i = 0; i < w->keys; i++) {
            bool there = guira_contains_uniform(w->filter, w->hashes[owner][i]);
            assert_int_equal(there, !is_removed(i));
            in += there;
        }
    }
    assert_int_equal(guira_size(w->filter), in);
    assert_true(level_of(w->filter) > 0);
    require_entries_add_up(w->filter);
}

static void keys_are_found_while_the_table_doubles(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{16, 3}, {32, 2}, {21, 3}};
    static const uint32_t stripes[] = {0, 1, 4};
    for (unsigned i = 0; i < 9; i++) {
        struct work w = {.filter = small_filter(shape[i / 3][0], shape[i / 3][1], stripes[i % 3]),
                         .keys = scaled(test_is_long() ? 30000 : 5000)};
        uint64_t *all = distinct_hashes(w.filter, WRITERS * w.keys, i);
        for (unsigned owner = 0; owner < WRITERS; owner++) {
            w.hashes[owner] = all + owner * w.keys;
        }
        run_crew(&w, write_keys, read_keys);
        check_the_end(&w);
        free(all);
        guira_destroy(w.filter);
    }
}

/* ---- One key, two writers -------------------------------------------------------------------- */

enum { RACED = 4000 };

static atomic_uint won[RACED];

static void *race_for_keys(void *context) {
    struct worker *me = context;
    struct work *w = me->work;
    for (size_t i = 0; i < w->keys; i++) {
        enum guira_status status = guira_insert_unique_uniform(w->filter, w->hashes[0][i]);
        (void)atomic_fetch_add(&won[i], status == GUIRA_OK);
        note(w, status != GUIRA_OK && status != GUIRA_EXISTS);
        note(w, !guira_contains_uniform(w->filter, w->hashes[0][i]));
    }
    (void)atomic_fetch_sub(&w->writing, 1);
    return NULL;
}

/* Asks for growth at any moment, so that keys meet it at every stage. */
static void *ask_for_growth(void *context) {
    struct worker *me = context;
    struct work *w = me->work;
    while (atomic_load(&w->writing) > 0) {
        uint32_t level = level_of(w->filter);
        if (level < 8) {
            note(w, guira_reserve(w->filter, w->filter->growth->limits[level].crowded_from + 1) !=
                        GUIRA_OK);
        }
        nap();
    }
    return NULL;
}

static void of_two_writers_of_a_key_one_hears_ok(void **state) {
    (void)state;
    for (unsigned round = 0; round < 4; round++) {
        struct work w = {.filter = small_filter(16, 3, round % 2 == 0 ? 0 : 2),
                         .keys = scaled(RACED)};
        w.hashes[0] = distinct_hashes(w.filter, w.keys, round);
        for (size_t i = 0; i < w.keys; i++) {
            atomic_store(&won[i], 0);
        }
        run_crew(&w, race_for_keys, ask_for_growth);
        for (size_t i = 0; i < w.keys; i++) {
            require(won[i] == 1, "key %zu: %u", i, won[i]);
            assert_int_equal(guira_count_uniform(w.filter, w.hashes[0][i]), 1);
        }
        assert_int_equal(guira_size(w.filter), w.keys);
        require_entries_add_up(w.filter);
        free(w.hashes[0]);
        guira_destroy(w.filter);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found_while_the_table_doubles),
        cmocka_unit_test(of_two_writers_of_a_key_one_hears_ok),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
