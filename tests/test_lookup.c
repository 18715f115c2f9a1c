/*
 * Verifies contains and count in one thread: no key is ever missed, count is exact, neither changes
 * anything; and that a look-up that is disturbed again and again comes to an end and is right.
 */
#include "elements.h"
#include "grid.h"
#include "threads.h"

static void require_found(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t n = fill(f, 0, UINT64_MAX); /* to the first failure, after many moves */
    uint64_t *words = words_of(f);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = scrambled(i);
        require(guira_contains_u64(f, key), "f %u, w %u", s->f, s->w);
        uint64_t x = guira_element(f, guira_hash_u64(f, key));
        assert_int_equal(guira_count_u64(f, key), ref_copies(s, f->table.words, x));
    }
    for (uint64_t i = n; i < 2 * n; i++) {
        uint64_t key = scrambled(i);
        uint64_t x = guira_element(f, guira_hash_u64(f, key));
        unsigned copies = ref_copies(s, f->table.words, x);
        assert_int_equal(guira_contains_u64(f, key), copies > 0);
        assert_int_equal(guira_count_u64(f, key), copies);
    }
    assert_true(words_equal(f, words));
    free(words);
    guira_destroy(f);
}

static void every_inserted_key_is_found_however_it_was_moved(void **state) {
    (void)state;
    for_each_geometry(40, require_found);
}

static void asking_null_answers_as_stated(void **state) {
    (void)state;
    struct guira *f = filter_of(40, 12, 2);
    assert_int_equal(guira_insert(f, NULL, 0), GUIRA_OK);
    assert_true(guira_contains(f, NULL, 0));
    assert_false(guira_contains(NULL, "a", 1));
    assert_false(guira_contains(f, NULL, 1));
    assert_false(guira_contains_u64(NULL, 1));
    assert_false(guira_contains_uniform(NULL, 1));
    assert_int_equal(guira_count(NULL, "a", 1), 0);
    assert_int_equal(guira_count(f, NULL, 1), 0);
    assert_int_equal(guira_count_u64(NULL, 1), 0);
    assert_int_equal(guira_count_uniform(NULL, 1), 0);
    guira_destroy(f);
}

static void an_element_belongs_to_the_universe(void **state) {
    (void)state;
    struct guira *f = filter_of(40, 12, 2);
    struct ref_shape s = shape_of_filter(f);
    struct rng rng = rng_stream(1);
    for (int i = 0; i < 10000; i++) {
        uint64_t hash = rng_next(&rng);
        assert_true(guira_element(f, hash) < s.U);
        assert_int_equal(guira_element(f, hash), ref_element(&s, hash));
    }
    guira_destroy(f);
}

/* An absent key in stripes that others empty all the time: look-ups have to begin again. */
struct disturbance {
    struct guira *filter;
    atomic_bool over;
};

static void *disturb(void *context) {
    struct disturbance *d = context;
    uint64_t key = 1;
    while (!atomic_load(&d->over)) {
        for (int i = 0; i < 1000; i++) {
            (void)guira_insert_u64(d->filter, key);
            (void)guira_remove_u64(d->filter, key);
        }
    }
    return NULL;
}

struct question {
    struct disturbance *disturbance;
    uint64_t absent;
    uint64_t wrong;
};

static void *ask(void *context) {
    struct question *q = context;
    for (uint64_t i = 0; i < scaled(300000); i++) {
        q->wrong += guira_contains_uniform(q->disturbance->filter, q->absent);
    }
    atomic_store(&q->disturbance->over, true);
    return NULL;
}

static void a_disturbed_look_up_ends_and_is_right(void **state) {
    (void)state;
    struct disturbance d = {.filter = filter_with((struct guira_options){
                                .buckets = 100, .tag_bits = 16, .window = 2, .stripes = 1})};
    uint64_t *hashes = distinct_hashes(d.filter, 10, 1);
    uint64_t churned = guira_element(d.filter, guira_hash_u64(d.filter, 1));
    uint64_t absent = guira_element(d.filter, hashes[0]) == churned ? hashes[1] : hashes[0];
    struct question q = {.disturbance = &d, .absent = absent};
    struct crew crew;
    crew_begin(&crew, 2);
    crew_hire(&crew, disturb, &d);
    crew_hire(&crew, ask, &q);
    crew_end(&crew);
    assert_int_equal(q.wrong, 0);
    assert_int_equal(guira_size(d.filter), 0);
    free(hashes);
    guira_destroy(d.filter);
}

enum { BATCH = 64 };

struct questions {
    struct disturbance *disturbance;
    uint64_t hash[BATCH]; /* every other one is there */
    uint64_t wrong;
};

static void *ask_many(void *context) {
    struct questions *q = context;
    for (uint64_t i = 0; i < scaled(100000); i++) {
        bool found[BATCH];
        q->wrong += guira_contains_batch(q->disturbance->filter, guira_keys_uniform(q->hash, BATCH),
                                         found) != GUIRA_OK;
        for (unsigned j = 0; j < BATCH; j++) {
            q->wrong += found[j] != (j % 2 == 0);
        }
    }
    atomic_store(&q->disturbance->over, true);
    return NULL;
}

static void a_disturbed_batch_of_look_ups_ends_and_is_right(void **state) {
    (void)state;
    struct disturbance d = {.filter = filter_with((struct guira_options){
                                .buckets = 100, .tag_bits = 16, .window = 2, .stripes = 1})};
    struct questions q = {.disturbance = &d};
    uint64_t *hashes = distinct_hashes(d.filter, BATCH + 1, 1);
    uint64_t churned = guira_element(d.filter, guira_hash_u64(d.filter, 1));
    for (unsigned i = 0, n = 0; n < BATCH; i++) {
        if (guira_element(d.filter, hashes[i]) != churned) {
            q.hash[n++] = hashes[i];
        }
    }
    for (unsigned i = 0; i < BATCH; i += 2) {
        assert_int_equal(guira_insert_uniform(d.filter, q.hash[i]), GUIRA_OK);
    }
    struct crew crew;
    crew_begin(&crew, 2);
    crew_hire(&crew, disturb, &d);
    crew_hire(&crew, ask_many, &q);
    crew_end(&crew);
    assert_int_equal(q.wrong, 0);
    assert_int_equal(guira_size(d.filter), BATCH / 2);
    free(hashes);
    guira_destroy(d.filter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_inserted_key_is_found_however_it_was_moved),
        cmocka_unit_test(asking_null_answers_as_stated),
        cmocka_unit_test(an_element_belongs_to_the_universe),
        cmocka_unit_test(a_disturbed_look_up_ends_and_is_right),
        cmocka_unit_test(a_disturbed_batch_of_look_ups_ends_and_is_right),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
