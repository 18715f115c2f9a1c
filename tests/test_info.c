/*
 * Verifies what a filter tells about itself: geometry, seed, load, rate and statistics are those of
 * the table; texts and versions; and that each question answers NULL with its stated value.
 */
#include "filters.h"
#include "test.h"
#include "threads.h"

static const enum guira_status all_statuses[] = {
    GUIRA_OK,
    GUIRA_FULL,
    GUIRA_LIMIT,
    GUIRA_EXISTS,
    GUIRA_NOT_FOUND,
    GUIRA_STOPPED,
    GUIRA_PARTIAL,
    GUIRA_NO_MEMORY,
    GUIRA_NO_ENTROPY,
    GUIRA_IO_FAILED,
    GUIRA_CALLBACK_FAILED,
    GUIRA_CORRUPT,
    GUIRA_NULL_ARGUMENT,
    GUIRA_BAD_CAPACITY,
    GUIRA_BAD_RATE,
    GUIRA_BAD_FAILURE_CHANCE,
    GUIRA_BAD_GEOMETRY,
    GUIRA_BAD_STRIPES,
    GUIRA_BAD_SEARCH_BUDGET,
    GUIRA_BAD_HASH,
    GUIRA_BAD_ALLOCATOR,
    GUIRA_BAD_RESERVED,
    GUIRA_CONFLICT,
    GUIRA_TOO_LARGE,
    GUIRA_BAD_KEYS,
    GUIRA_READ_ONLY,
    GUIRA_OTHER_HASH,
    GUIRA_OTHER_SEED,
    GUIRA_OTHER_UNIVERSE,
    GUIRA_NOT_A_FILTER,
    GUIRA_NEWER_FORMAT,
    GUIRA_BAD_HEADER,
    GUIRA_IMPOSSIBLE_HEADER,
    GUIRA_TRUNCATED,
    GUIRA_TRAILING_BYTES,
    GUIRA_BAD_CHECKSUM,
    GUIRA_IMPOSSIBLE_TAG,
    GUIRA_WRONG_COUNT,
};
enum { STATUSES = sizeof all_statuses / sizeof all_statuses[0] };

static void statuses_and_their_texts_are_all_different(void **state) {
    (void)state;
    const char *unknown = guira_status_text((enum guira_status)9999);
    for (int i = 0; i < STATUSES; i++) {
        const char *text = guira_status_text(all_statuses[i]);
        assert_non_null(text);
        assert_string_not_equal(text, unknown);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(all_statuses[i], all_statuses[j]);
            assert_string_not_equal(text, guira_status_text(all_statuses[j]));
        }
    }
}

static void every_number_at_all_has_a_text(void **state) {
    (void)state;
    for (int i = -3; i < 200; i++) {
        assert_non_null(guira_status_text((enum guira_status)i));
    }
    assert_non_null(guira_status_text((enum guira_status)INT32_MAX));
    assert_non_null(guira_status_text((enum guira_status)INT32_MIN));
}

static void numbers_of_statuses_keep_their_meaning(void **state) {
    (void)state;
    assert_int_equal(GUIRA_FULL, 1);
    assert_int_equal(GUIRA_LIMIT, 2);
    assert_int_equal(GUIRA_EXISTS, 3);
    assert_int_equal(GUIRA_NOT_FOUND, 4);
    assert_int_equal(GUIRA_NO_MEMORY, 16);
    assert_int_equal(GUIRA_CORRUPT, 24);
    assert_int_equal(GUIRA_NULL_ARGUMENT, 32);
    assert_int_equal(GUIRA_TOO_LARGE, 43);
}

static void versions_agree(void **state) {
    (void)state;
    char text[64];
    assert_int_equal(guira_version_number(), GUIRA_VERSION_NUMBER);
    assert_string_equal(guira_version_text(), GUIRA_VERSION_STRING);
    (void)snprintf(text, sizeof text, "%d.%d.%d", GUIRA_VERSION_MAJOR, GUIRA_VERSION_MINOR,
                   GUIRA_VERSION_PATCH);
    assert_string_equal(text, guira_version_text());
}

static void info_tells_the_geometry_and_the_seed(void **state) {
    (void)state;
    struct guira *f = filter_with((struct guira_options){
        .buckets = 100, .tag_bits = 12, .window = 2, .seed = 77, .search_budget = 123});
    struct ref_shape shape = shape_of_filter(f);
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_int_equal(info.sizing.buckets, 100);
    assert_int_equal(info.sizing.tag_bits, 12);
    assert_int_equal(info.sizing.slots_per_bucket, 5);
    assert_int_equal(info.sizing.window, 2);
    assert_int_equal(info.sizing.universe, shape.U);
    assert_int_equal(info.seed, 77);
    assert_int_equal(info.hash_identity, GUIRA_HASH_XXH3_64);
    assert_int_equal(info.search_budget, 123);
    assert_false(info.single_writer);
    assert_int_equal(info.slots, 500);
    guira_destroy(f);
}

static void load_and_rate_follow_the_items(void **state) {
    (void)state;
    struct guira *f = filter_of(100, 12, 2);
    struct ref_shape shape = shape_of_filter(f);
    struct guira_info info;
    for (uint64_t n = 0; n <= 400; n += 40) {
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        assert_int_equal(info.items, n);
        assert_int_equal(guira_size(f), n);
        assert_true(info.load >= (double)n / 500 - 1e-12 && info.load <= (double)n / 500 + 1e-12);
        double rate = (double)n / (double)shape.U;
        assert_true(info.rate >= rate * (1 - 1e-12) && info.rate <= rate * (1 + 1e-12));
        assert_int_equal(fill(f, n, 40), 40);
    }
    guira_destroy(f);
}

static void statistics_start_at_zero_and_count_searches(void **state) {
    (void)state;
    struct guira *f = filter_of(64, 12, 2);
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_true(info.searches + info.nodes + info.moves + info.full_inserts + info.lost_races +
                    info.reader_retries + info.lock_waits ==
                0);
    (void)fill(f, 0, 16); /* finds its slots at once */
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_int_equal(info.searches, 0);
    (void)fill(f, 16, UINT64_MAX); /* to the brim: the last one fails */
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_true(info.searches > 0 && info.nodes >= info.searches && info.moves > 0);
    assert_int_equal(info.full_inserts, 1);
    assert_int_equal(info.lost_races, 0);
    assert_int_equal(info.reader_retries, 0);
    assert_int_equal(info.lock_waits, 0);
    guira_destroy(f);
}

static void *insert_one(void *context) {
    (void)guira_insert_u64(context, 1);
    return NULL;
}

/* A lock that is held for some milliseconds is found taken, if not at the first try. */
static void waiting_for_a_lock_is_counted(void **state) {
    (void)state;
    struct guira *f = filter_of(64, 12, 2);
    struct guira_info info = {0};
    for (int tries = 0; tries < 1000 && info.lock_waits == 0; tries++) {
        struct crew crew;
        crew_begin(&crew, 1);
        guira_fork_prepare(f);
        crew_hire(&crew, insert_one, f);
        nap();
        guira_fork_release(f);
        crew_end(&crew);
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        (void)guira_remove_u64(f, 1);
    }
    assert_true(info.lock_waits > 0);
    guira_destroy(f);
}

static void moves_are_as_many_as_the_shortest_path_has(void **state) {
    (void)state;
    struct guira *f = filter_of(64, 12, 2);
    struct ref_shape shape = shape_of_filter(f);
    uint64_t expected = 0;
    for (uint64_t i = 0;; i++) {
        uint64_t hash = scrambled(i);
        int moves = ref_moves_to_room(&shape, f->table.words, guira_element(f, hash), 10);
        struct guira_info info;
        enum guira_status status = guira_insert_uniform(f, hash);
        assert_int_equal(status, moves < 0 ? GUIRA_FULL : GUIRA_OK);
        if (status == GUIRA_FULL) {
            break;
        }
        expected += (uint64_t)moves;
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        assert_int_equal(info.moves, expected);
    }
    guira_destroy(f);
}

static void null_is_answered_as_stated(void **state) {
    (void)state;
    struct guira *f = filter_of(10, 8, 2);
    struct guira_info info;
    assert_int_equal(guira_get_info(NULL, &info), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_get_info(f, NULL), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_size(NULL), 0);
    assert_int_equal(guira_capacity(NULL), 0);
    assert_int_equal(guira_element(NULL, 1), 0);
    assert_int_equal(guira_hash(NULL, "a", 1), 0);
    assert_int_equal(guira_hash(f, NULL, 1), 0);
    assert_int_equal(guira_hash_u64(NULL, 1), 0);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_and_their_texts_are_all_different),
        cmocka_unit_test(every_number_at_all_has_a_text),
        cmocka_unit_test(numbers_of_statuses_keep_their_meaning),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(info_tells_the_geometry_and_the_seed),
        cmocka_unit_test(load_and_rate_follow_the_items),
        cmocka_unit_test(statistics_start_at_zero_and_count_searches),
        cmocka_unit_test(waiting_for_a_lock_is_counted),
        cmocka_unit_test(moves_are_as_many_as_the_shortest_path_has),
        cmocka_unit_test(null_is_answered_as_stated),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
