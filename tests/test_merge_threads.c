/*
 * Verifies merging of filters that threads are using: into each other at once, into a shared one
 * from many sides, out of one that is written to, and into one that is too full, which takes away
 * nobody's keys.
 */
#include "elements.h"
#include "multiset.h"
#include "test.h"
#include "threads.h"
#include "tokens.h"

struct merge {
    struct guira *into;
    const struct guira *from;
    bool unique;
    enum guira_status expected;
    uint64_t times;
    uint64_t wrong;
    enum guira_status last;
};

static void *run_merges(void *context) {
    struct merge *m = context;
    for (uint64_t i = 0; i < m->times; i++) {
        enum guira_status status =
            m->unique ? guira_merge_unique(m->into, m->from) : guira_merge(m->into, m->from);
        m->wrong += status != m->expected;
        m->last = status;
    }
    return NULL;
}

/* ---- Each into the other --------------------------------------------------------------------- */

/* So many slots that keys that are there twice leave each other room. */
enum { EACH = 60, BUCKETS = 800 };

static struct guira *filter_with_keys(const uint64_t *hashes, uint32_t stripes) {
    struct guira *f = filter_with((struct guira_options){
        .buckets = BUCKETS, .tag_bits = 12, .window = 2, .stripes = stripes});
    for (unsigned i = 0; i < EACH; i++) {
        assert_int_equal(guira_insert_uniform(f, hashes[i]), GUIRA_OK);
    }
    return f;
}

/* How often `f` holds keys twice; the test fails unless it holds its own once or twice, and the
 * other's once. */
static unsigned twice(const struct guira *f, const uint64_t *own, const uint64_t *others) {
    unsigned twice = 0;
    for (unsigned i = 0; i < EACH; i++) {
        unsigned copies = guira_count_uniform(f, own[i]);
        require(copies == 1 || copies == 2, "%u copies of key %u", copies, i);
        twice += copies == 2;
        assert_int_equal(guira_count_uniform(f, others[i]), 1);
    }
    require_sound(f);
    assert_int_equal(guira_size(f), 2 * EACH + twice);
    return twice;
}

static void merge_each_into_the_other(const uint64_t *hashes, bool unique, uint32_t stripes) {
    struct guira *a = filter_with_keys(hashes, stripes);
    struct guira *b = filter_with_keys(hashes + EACH, stripes);
    struct merge forth = {a, b, unique, GUIRA_OK, 1, 0, GUIRA_OK};
    struct merge back = {b, a, unique, GUIRA_OK, 1, 0, GUIRA_OK};
    struct crew crew;
    crew_begin(&crew, 2);
    crew_hire(&crew, run_merges, &forth);
    crew_hire(&crew, run_merges, &back);
    crew_end(&crew);
    require(forth.last == GUIRA_OK && back.last == GUIRA_OK, "%s, %s",
            guira_status_text(forth.last), guira_status_text(back.last));
    unsigned in_a = twice(a, hashes, hashes + EACH);
    unsigned in_b = twice(b, hashes + EACH, hashes);
    /* What came back was gone before the other copy was made, so not both got something back. */
    assert_true(unique ? in_a + in_b == 0 : in_a == 0 || in_b == 0);
    guira_destroy(a);
    guira_destroy(b);
}

static void two_filters_are_merged_into_each_other_at_once(void **state) {
    (void)state;
    struct guira *shape = filter_of(BUCKETS, 12, 2);
    for (uint64_t round = 0; round < scaled(1000); round++) {
        uint64_t *hashes = distinct_hashes(shape, (size_t)2 * EACH, round);
        merge_each_into_the_other(hashes, round % 2 == 1, round % 4 < 2 ? 1 : 16);
        free(hashes);
    }
    guira_destroy(shape);
}

/* ---- Into and out of a filter that is written to --------------------------------------------- */

enum { WRITERS = 2, STABLE = 50, KEYS = STABLE + WRITERS * OF_ONE_WRITER };

/* A filter with stable keys, and writers that go on until told to stop. */
struct scene {
    struct guira *filter;
    uint64_t *hashes; /* STABLE, and each writer's */
    unsigned copies[KEYS];
    atomic_bool stop;
    struct token_writer writer[WRITERS];
    struct crew crew;
};

static const uint64_t *of_writer(const struct scene *s, unsigned writer) {
    return s->hashes + STABLE + (size_t)writer * OF_ONE_WRITER;
}

static void scene_begin(struct scene *s, struct guira_options options, unsigned others) {
    *s = (struct scene){.filter = filter_with(options)};
    s->hashes = distinct_hashes(s->filter, KEYS, options.buckets);
    for (unsigned i = 0; i < STABLE; i++) {
        s->copies[i] = 1;
        assert_int_equal(guira_insert_uniform(s->filter, s->hashes[i]), GUIRA_OK);
    }
    crew_begin(&s->crew, WRITERS + others);
    for (unsigned i = 0; i < WRITERS; i++) {
        s->writer[i] =
            (struct token_writer){.filter = s->filter, .hashes = of_writer(s, i), .stop = &s->stop};
        tokens_begin(&s->writer[i]);
        crew_hire(&s->crew, tokens_write, &s->writer[i]);
    }
}

/* Stop the writers; then copies[] is what the filter must hold of the scene's own keys. */
static void scene_stop(struct scene *s) {
    atomic_store(&s->stop, true);
    crew_end(&s->crew);
    for (unsigned i = 0; i < WRITERS; i++) {
        assert_int_equal(s->writer[i].wrong, 0);
        memcpy(s->copies + STABLE + (size_t)i * OF_ONE_WRITER, s->writer[i].copies,
               sizeof s->writer[i].copies);
    }
}

static void scene_end(struct scene *s) {
    free(s->hashes);
    guira_destroy(s->filter);
}

static void what_is_merged_is_of_one_instant(void **state) {
    (void)state;
    struct scene s;
    struct guira_options options = {.buckets = 26, .tag_bits = 12, .window = 2, .stripes = 26};
    scene_begin(&s, options, 0);
    uint64_t different = 0;
    uint64_t last = 0;
    for (uint64_t round = 0; round < scaled(2000) || different < 10; round++) {
        struct guira *into = filter_with(options);
        enum guira_status status = guira_merge(into, s.filter);
        if (status == GUIRA_OK) {
            for (unsigned i = 0; i < STABLE; i++) {
                require(guira_contains_uniform(into, s.hashes[i]), "stable key %u is lost", i);
            }
            for (unsigned i = 0; i < WRITERS; i++) {
                require(tokens_are_of_one_instant(into, of_writer(&s, i)), "writer %u", i);
            }
        } else {
            assert_int_equal(status, GUIRA_FULL);
            assert_int_equal(guira_size(into), 0);
        }
        require_sound(into);
        different += status == GUIRA_OK && guira_size(into) != last;
        last = guira_size(into);
        guira_destroy(into);
    }
    scene_stop(&s);
    assert_true(holds_exactly(s.filter, s.hashes, s.copies, KEYS));
    scene_end(&s);
}

enum { MERGERS = 3, MERGED = 40 };

static void many_merge_into_a_filter_that_is_written_to(void **state) {
    (void)state;
    for (uint64_t round = 0; round < scaled(200); round++) {
        struct scene s;
        struct guira_options options = {
            .buckets = 120 + round % 7, .tag_bits = 12, .window = 2, .stripes = 8};
        struct merge merges[MERGERS];
        struct guira *from[MERGERS];
        for (unsigned i = 0; i < MERGERS; i++) {
            from[i] = filter_with(options);
        }
        scene_begin(&s, options, MERGERS);
        for (unsigned i = 0; i < MERGERS; i++) {
            /* What others insert and remove too: each counts its own copies. */
            for (unsigned k = 0; k < MERGED; k++) {
                assert_int_equal(guira_insert_uniform(from[i], of_writer(&s, 0)[k + i]), GUIRA_OK);
            }
            merges[i] = (struct merge){s.filter, from[i], false, GUIRA_OK, 1, 0, GUIRA_OK};
            crew_hire(&s.crew, run_merges, &merges[i]);
        }
        nap();
        scene_stop(&s);
        for (unsigned i = 0; i < MERGERS; i++) {
            bool in = merges[i].wrong == 0;
            for (unsigned k = 0; k < MERGED; k++) {
                s.copies[STABLE + k + i] += in;
            }
            guira_destroy(from[i]);
        }
        assert_true(holds_exactly(s.filter, s.hashes, s.copies, KEYS));
        require_sound(s.filter);
        scene_end(&s);
    }
}

/* ---- Too much -------------------------------------------------------------------------------- */

/* The merges take elements of the writers and put all back, as often as they do it. */
static void a_merge_that_fails_takes_nobodys_keys_away(void **state) {
    (void)state;
    static const uint32_t stripes[] = {1, 30};
    for (int i = 0; i < 2; i++) {
        struct guira_options options = {
            .buckets = 30, .tag_bits = 12, .window = 2, .stripes = stripes[i]};
        struct guira *from = filter_with(options);
        struct scene s;
        scene_begin(&s, options, 1);
        for (unsigned k = 0; k < KEYS; k++) {
            if (k < 10 || k >= STABLE) {
                (void)guira_insert_uniform(from, s.hashes[k]);
            }
        }
        struct merge merges = {s.filter, from, false, GUIRA_FULL, scaled(800), 0, GUIRA_OK};
        crew_hire(&s.crew, run_merges, &merges);
        for (uint64_t look = 0; look < scaled(800); look++) {
            for (unsigned k = 0; k < STABLE; k++) {
                require(guira_contains_uniform(s.filter, s.hashes[k]), "stable key %u is lost", k);
            }
        }
        (void)pthread_join(s.crew.thread[WRITERS], NULL);
        s.crew.size--;
        s.crew.expected--;
        scene_stop(&s);
        assert_int_equal(merges.wrong, 0);
        assert_true(holds_exactly(s.filter, s.hashes, s.copies, KEYS));
        require_sound(s.filter);
        guira_destroy(from);
        scene_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_filters_are_merged_into_each_other_at_once),
        cmocka_unit_test(what_is_merged_is_of_one_instant),
        cmocka_unit_test(many_merge_into_a_filter_that_is_written_to),
        cmocka_unit_test(a_merge_that_fails_takes_nobodys_keys_away),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
