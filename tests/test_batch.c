/*
 * Verifies that a batch does for each key what the single call does: the same results and, word for
 * word, the same table, whatever the size of the batch, the form of its keys and the shape of the
 * filter. And that bad arguments are refused, as a whole or key by key.
 */
#include "filters.h"
#include "test.h"

enum { LENGTH = 13, MOST = 700 };

enum operation { CONTAINS, COUNT, INSERT, INSERT_UNIQUE, REMOVE, OPERATIONS };
enum form { U64, UNIFORM, RECORDS, POINTERS, FORMS };

/* Keys in all forms. */
struct material {
    uint64_t numbers[MOST];
    char records[MOST * LENGTH];
    const void *pointers[MOST];
    size_t lengths[MOST];
};

static void draw(struct material *m, size_t n, uint64_t among, struct rng *rng) {
    memset(m->records, 'r', sizeof m->records);
    for (size_t i = 0; i < n; i++) {
        m->numbers[i] = scrambled(rng_below(rng, among));
        memcpy(m->records + i * LENGTH, &m->numbers[i], sizeof m->numbers[i]);
        m->lengths[i] = (size_t)(m->numbers[i] % (LENGTH + 1));
        m->pointers[i] = m->lengths[i] == 0 ? NULL : m->records + i * LENGTH;
    }
}

static struct guira_keys keys_of(const struct material *m, enum form form, size_t n) {
    switch (form) {
    case U64:
        return guira_keys_u64(m->numbers, n);
    case UNIFORM:
        return guira_keys_uniform(m->numbers, n);
    case RECORDS:
        return guira_keys_records(m->records, LENGTH, n);
    default:
        return guira_keys_pointers(m->pointers, m->lengths, n);
    }
}

static uint64_t hash_of(const struct guira *f, const struct material *m, enum form form, size_t i) {
    switch (form) {
    case U64:
        return guira_hash_u64(f, m->numbers[i]);
    case UNIFORM:
        return m->numbers[i];
    case RECORDS:
        return guira_hash(f, m->records + i * LENGTH, LENGTH);
    default:
        return guira_hash(f, m->pointers[i], m->lengths[i]);
    }
}

static unsigned single(struct guira *f, enum operation operation, uint64_t hash) {
    switch (operation) {
    case CONTAINS:
        return guira_contains_uniform(f, hash);
    case COUNT:
        return guira_count_uniform(f, hash);
    case INSERT:
        return guira_insert_uniform(f, hash);
    case INSERT_UNIQUE:
        return guira_insert_unique_uniform(f, hash);
    default:
        return guira_remove_uniform(f, hash);
    }
}

/* The batch; its results as numbers. */
static enum guira_status many(struct guira *f, enum operation operation, struct guira_keys keys,
                              unsigned *results) {
    static bool found[MOST + 1];
    static enum guira_status status[MOST + 1];
    static unsigned copies[MOST + 1];
    found[keys.count] = true;
    status[keys.count] = (enum guira_status)77;
    copies[keys.count] = 77;
    enum guira_status answer;
    switch (operation) {
    case CONTAINS:
        answer = guira_contains_batch(f, keys, found);
        break;
    case COUNT:
        answer = guira_count_batch(f, keys, copies);
        break;
    case INSERT:
        answer = guira_insert_batch(f, keys, status);
        break;
    case INSERT_UNIQUE:
        answer = guira_insert_unique_batch(f, keys, status);
        break;
    default:
        answer = guira_remove_batch(f, keys, status);
    }
    for (size_t i = 0; i < keys.count; i++) {
        results[i] = operation == CONTAINS ? found[i]
                     : operation == COUNT  ? copies[i]
                                           : (unsigned)status[i];
    }
    assert_true(found[keys.count] && copies[keys.count] == 77 && (int)status[keys.count] == 77);
    return answer;
}

/* One batch on `f` beside single calls on its twin. */
static void require_same(struct guira *f, struct guira *twin, const struct material *m,
                         enum operation operation, enum form form, size_t n) {
    static unsigned results[MOST];
    enum guira_status answer = many(f, operation, keys_of(m, form, n), results);
    bool all_ok = true;
    for (size_t i = 0; i < n; i++) {
        unsigned expected = single(twin, operation, hash_of(twin, m, form, i));
        require(results[i] == expected, "operation %d, form %d, key %zu of %zu: %u, not %u",
                operation, form, i, n, results[i], expected);
        all_ok &= expected == GUIRA_OK;
    }
    bool changes = operation >= INSERT;
    assert_int_equal(answer, changes && !all_ok ? GUIRA_PARTIAL : GUIRA_OK);
}

static void require_twins(uint32_t tag_bits, uint32_t window, uint64_t stream) {
    static struct material m;
    struct guira *f = filter_of(120, tag_bits, window);
    struct guira *twin = filter_of(120, tag_bits, window);
    struct rng rng = rng_stream(stream);
    for (uint64_t round = 0; round < scaled(40); round++) {
        size_t n = (size_t)rng_below(&rng, round % 8 == 0 ? 300 : 70);
        draw(&m, n, 400, &rng);
        require_same(f, twin, &m, (enum operation)rng_below(&rng, OPERATIONS),
                     (enum form)rng_below(&rng, FORMS), n);
    }
    uint64_t *words = words_of(twin);
    assert_true(words_equal(f, words));
    free(words);
    assert_int_equal(guira_size(f), guira_size(twin));
    require_sound(f);
    guira_destroy(f);
    guira_destroy(twin);
}

static void a_batch_is_its_single_calls_in_every_shape(void **state) {
    (void)state;
    for (uint32_t tag_bits = 4; tag_bits <= 32; tag_bits++) {
        for (uint32_t window = 1; window <= 64 / tag_bits; window++) {
            struct ref_shape shape;
            if (ref_shape(2, tag_bits, window, &shape)) {
                require_twins(tag_bits, window, tag_bits * 100 + window);
            }
        }
    }
}

static void every_size_has_as_many_results(void **state) {
    (void)state;
    static struct material m;
    struct guira *f = filter_of(150, 9, 2);
    struct guira *twin = filter_of(150, 9, 2);
    struct rng rng = rng_stream(1);
    for (size_t n = 0; n <= 140; n++) {
        draw(&m, n, 800, &rng);
        for (int operation = 0; operation < OPERATIONS; operation++) {
            require_same(f, twin, &m, (enum operation)operation, U64, n);
        }
    }
    guira_destroy(f);
    guira_destroy(twin);
}

static void equal_keys_in_one_batch_are_so_many_copies(void **state) {
    (void)state;
    uint64_t keys[40];
    enum guira_status status[40];
    unsigned copies[40];
    for (size_t i = 0; i < 40; i++) {
        keys[i] = 5;
    }
    struct guira *f = filter_of(100, 12, 4);
    assert_int_equal(guira_insert_batch(f, guira_keys_u64(keys, 40), status), GUIRA_PARTIAL);
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(status[i], i < 8 ? GUIRA_OK : GUIRA_LIMIT);
    }
    assert_int_equal(guira_count_batch(f, guira_keys_u64(keys, 40), copies), GUIRA_OK);
    assert_int_equal(copies[39], 8);
    assert_int_equal(guira_remove_batch(f, guira_keys_u64(keys, 8), status), GUIRA_OK);
    assert_int_equal(guira_insert_unique_batch(f, guira_keys_u64(keys, 2), status), GUIRA_PARTIAL);
    assert_int_equal(status[0], GUIRA_OK);
    assert_int_equal(status[1], GUIRA_EXISTS);
    guira_destroy(f);
}

/* A key without an address among others, at the ends and in rows, spoils only itself. */
static void a_null_key_fails_alone(void **state) {
    (void)state;
    static struct material m;
    static unsigned results[MOST];
    struct rng rng = rng_stream(2);
    draw(&m, 600, UINT64_MAX, &rng);
    struct guira *f = filter_for(10000, 0.0001);
    for (int operation = 0; operation < OPERATIONS; operation++) {
        for (size_t i = 0; i < 600; i++) {
            bool is_null = i < 2 || i == 300 || i == 301 || i == 599;
            m.lengths[i] = LENGTH;
            m.pointers[i] = is_null ? NULL : m.records + i * LENGTH;
        }
        struct guira_keys keys = keys_of(&m, POINTERS, 600);
        uint64_t before = guira_size(f);
        assert_int_equal(many(f, (enum operation)operation, keys, results), GUIRA_PARTIAL);
        unsigned refused = operation >= INSERT ? GUIRA_NULL_ARGUMENT : 0;
        unsigned usual = operation == INSERT_UNIQUE ? GUIRA_EXISTS : 0;
        for (size_t i = 0; i < 600; i++) {
            assert_int_equal(results[i], m.pointers[i] == NULL ? refused : usual);
        }
        uint64_t change = operation == INSERT ? 595 : operation == REMOVE ? -UINT64_C(595) : 0;
        assert_int_equal(guira_size(f), before + change);
    }
    guira_destroy(f);
}

static void bad_arguments_are_refused_as_a_whole(void **state) {
    (void)state;
    struct guira *f = filter_of(100, 12, 2);
    uint64_t key = 1;
    size_t length = 8;
    const void *pointer = &key;
    unsigned results[1];
    struct guira_keys good = guira_keys_u64(&key, 1);
    struct guira_keys formless = good;
    formless.form = (enum guira_key_form)0;
    struct guira_keys next = good;
    next.form = (enum guira_key_form)5;
    const struct {
        struct guira *filter;
        struct guira_keys keys;
        enum guira_status status;
        enum guira_status status_if_none; /* when there are 0 of the keys */
    } bad[] = {
        {NULL, good, GUIRA_NULL_ARGUMENT, GUIRA_NULL_ARGUMENT},
        {f, guira_keys_u64(NULL, 1), GUIRA_NULL_ARGUMENT, GUIRA_OK},
        {f, guira_keys_uniform(NULL, 1), GUIRA_NULL_ARGUMENT, GUIRA_OK},
        {f, guira_keys_records(NULL, 1, 1), GUIRA_NULL_ARGUMENT, GUIRA_OK},
        {f, guira_keys_pointers(NULL, &length, 1), GUIRA_NULL_ARGUMENT, GUIRA_OK},
        {f, guira_keys_pointers(&pointer, NULL, 1), GUIRA_NULL_ARGUMENT, GUIRA_OK},
        {f, guira_keys_records(&key, SIZE_MAX / 2, 3), GUIRA_BAD_KEYS, GUIRA_OK},
        {f, guira_keys_u64(&key, SIZE_MAX / 8 + 1), GUIRA_BAD_KEYS, GUIRA_OK},
        {f, guira_keys_pointers(&pointer, &length, SIZE_MAX), GUIRA_BAD_KEYS, GUIRA_OK},
        {f, formless, GUIRA_BAD_KEYS, GUIRA_BAD_KEYS},
        {f, next, GUIRA_BAD_KEYS, GUIRA_BAD_KEYS},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct guira_keys none = bad[i].keys;
        none.count = 0;
        for (int operation = 0; operation < OPERATIONS; operation++) {
            assert_int_equal(many(bad[i].filter, (enum operation)operation, none, results),
                             bad[i].status_if_none);
        }
        bool found = true;
        assert_int_equal(guira_contains_batch(bad[i].filter, bad[i].keys, &found), bad[i].status);
        enum guira_status status = GUIRA_CORRUPT;
        assert_int_equal(guira_insert_batch(bad[i].filter, bad[i].keys, &status), bad[i].status);
        assert_true(found && status == GUIRA_CORRUPT);
    }
    assert_int_equal(guira_contains_batch(f, good, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_count_batch(f, good, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_batch(f, good, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_insert_batch(f, guira_keys_u64(NULL, 0), NULL), GUIRA_OK);
    assert_int_equal(guira_size(f), 0);
    guira_destroy(f);
}

static void records_of_no_bytes_are_empty_keys(void **state) {
    (void)state;
    struct guira *f = filter_of(100, 16, 4);
    enum guira_status status[3];
    assert_int_equal(guira_insert_batch(f, guira_keys_records(NULL, 0, 3), status), GUIRA_OK);
    assert_int_equal(guira_count(f, NULL, 0), 3);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_is_its_single_calls_in_every_shape),
        cmocka_unit_test(every_size_has_as_many_results),
        cmocka_unit_test(equal_keys_in_one_batch_are_so_many_copies),
        cmocka_unit_test(a_null_key_fails_alone),
        cmocka_unit_test(bad_arguments_are_refused_as_a_whole),
        cmocka_unit_test(records_of_no_bytes_are_empty_keys),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
