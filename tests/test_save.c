/*
 * Verifies saving: the bytes are header, words and checksum of the filter at one instant, copied or
 * in place, whatever threads do meanwhile; and a save that fails leaves nothing locked or leaked.
 */
#include "allocators.h"
#include "elements.h"
#include "grid.h"
#include "tape.h"
#include "threads.h"

static const struct guira_save_options in_place = {.in_place = true};

/* ---- The bytes ------------------------------------------------------------------------------ */

static void require_bytes(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t items = fill(f, 0, s->M * s->k / 2);
    struct tape tape = tape_of(f);
    assert_int_equal(tape.length, guira_saved_size(f));
    assert_int_equal(tape.length, TAPE_HEADER + 8 * s->M + TAPE_END);
    assert_int_equal(tape_get_64(&tape, TAPE_BUCKETS), s->M);
    assert_int_equal(tape_get_32(&tape, TAPE_TAG_BITS), s->f);
    assert_int_equal(tape_get_32(&tape, TAPE_WINDOW), s->w);
    assert_int_equal(tape_get_64(&tape, TAPE_FINGERPRINTS), s->Q);
    assert_int_equal(tape_get_64(&tape, TAPE_SEED), filter_seed());
    assert_int_equal(tape_get_32(&tape, TAPE_HASH), GUIRA_HASH_XXH3_64);
    assert_int_equal(tape_get_64(&tape, TAPE_ITEMS), items);
    assert_int_equal(tape_get_64(&tape, TAPE_CAPACITY), guira_capacity(f));
    assert_int_equal(tape_get_32(&tape, TAPE_BUDGET), GUIRA_DEFAULT_SEARCH_BUDGET);
    uint64_t *words = words_of(f);
    for (uint64_t bucket = 0; bucket < s->M; bucket++) {
        assert_int_equal(tape_get_64(&tape, TAPE_HEADER + 8 * (size_t)bucket), words[bucket]);
    }
    free(words);
    struct tape signed_again = tape_copy(&tape);
    tape_sign(&signed_again);
    assert_memory_equal(tape.bytes, signed_again.bytes, tape.length);
    tape_free(&signed_again);
    tape_free(&tape);
    guira_destroy(f);
}

static void a_saved_filter_is_its_header_words_and_checksum(void **state) {
    (void)state;
    for_each_geometry(13, require_bytes);
}

static void require_round_trip(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    size_t count = (size_t)(s->U < 60 ? s->U / 4 : 15);
    unsigned copies[15];
    uint64_t *hashes = insert_some_copies(f, copies, count, s->f);
    struct tape tape = tape_of(f);
    struct guira *loaded = filter_of_tape(&tape);
    require_same(f, loaded);
    require(holds_exactly(loaded, hashes, copies, count), "f %u, w %u", s->f, s->w);
    struct tape again = tape_of(loaded);
    assert_int_equal(again.length, tape.length);
    assert_memory_equal(again.bytes, tape.bytes, tape.length);
    tape_free(&again);
    tape_free(&tape);
    free(hashes);
    guira_destroy(loaded);
    guira_destroy(f);
}

static void every_geometry_comes_back_with_each_copy(void **state) {
    (void)state;
    for_each_geometry(2, require_round_trip);
    for_each_geometry(13, require_round_trip);
}

/* Among them the sizes at which the saver's pieces end. */
static void odd_sizes_come_back(void **state) {
    (void)state;
    static const uint64_t buckets[] = {2,    3,    4,    5,     7,     127,    128,
                                       4095, 4096, 4097, 12288, 12289, 131071, 131073};
    for (size_t i = 0; i < sizeof buckets / sizeof buckets[0]; i++) {
        struct guira *f = filter_of(buckets[i], 12, 2);
        (void)fill(f, i, buckets[i] * 2);
        struct tape tape = tape_of(f);
        struct guira *loaded = filter_of_tape(&tape);
        require_same(f, loaded);
        tape_free(&tape);
        guira_destroy(loaded);
        guira_destroy(f);
    }
}

static void in_place_gives_the_same_bytes(void **state) {
    (void)state;
    static const uint64_t buckets[] = {2, 100, 4096, 10001};
    for (size_t i = 0; i < sizeof buckets / sizeof buckets[0]; i++) {
        struct guira *f = filter_of(buckets[i], 16, 3);
        (void)fill(f, i, buckets[i]);
        struct tape copied = tape_of(f);
        struct tape placed = {0};
        assert_int_equal(guira_save(f, &in_place, tape_write, &placed), GUIRA_OK);
        assert_int_equal(placed.length, copied.length);
        assert_memory_equal(placed.bytes, copied.bytes, copied.length);
        tape_free(&placed);
        tape_free(&copied);
        guira_destroy(f);
    }
}

/* ---- Failures ------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    struct guira *f = filter_of(10, 12, 2);
    struct tape tape = {0};
    assert_int_equal(guira_saved_size(NULL), 0);
    assert_int_equal(guira_save(NULL, NULL, tape_write, &tape), GUIRA_NULL_ARGUMENT);
    assert_int_equal(guira_save(f, NULL, NULL, &tape), GUIRA_NULL_ARGUMENT);
    for (size_t i = 0; i < 4; i++) {
        struct guira_save_options options = {.in_place = true};
        options.reserved[i] = 1;
        assert_int_equal(guira_save(f, &options, tape_write, &tape), GUIRA_BAD_RESERVED);
    }
    assert_int_equal(tape.calls, 0);
    guira_destroy(f);
}

static void require_writer_failures(const struct guira_save_options *options) {
    struct counting counting = {0};
    struct guira *f = filter_with((struct guira_options){
        .buckets = 20000, .tag_bits = 12, .window = 2, .allocator = counting_allocator(&counting)});
    (void)fill(f, 0, 1000);
    unsigned live = counting.live;
    enum guira_status status = GUIRA_CALLBACK_FAILED;
    unsigned n = 0;
    while (status != GUIRA_OK) {
        struct tape tape = {.fail_at = ++n};
        status = guira_save(f, options, tape_write, &tape);
        assert_int_equal(tape.calls, status == GUIRA_OK ? n - 1 : n); /* none after it failed */
        assert_true(status == GUIRA_OK || status == GUIRA_CALLBACK_FAILED);
        assert_int_equal(counting.live, live);
        assert_int_equal(fill(f, 1000 + n, 1), 1); /* no lock is left */
        tape_free(&tape);
    }
    assert_true(n > 6);
    require_sound(f);
    guira_destroy(f);
    assert_false(counting.mismatch);
    assert_int_equal(counting.live, 0);
}

static void whichever_call_of_the_writer_fails_nothing_is_left_locked(void **state) {
    (void)state;
    require_writer_failures(NULL);
    require_writer_failures(&in_place);
}

static void without_memory_for_the_copy_nothing_is_written(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira *f = filter_with((struct guira_options){
        .buckets = 1000, .tag_bits = 12, .window = 2, .allocator = counting_allocator(&counting)});
    struct tape tape = {0};
    counting.fail_at = counting.calls + 1;
    assert_int_equal(guira_save(f, NULL, tape_write, &tape), GUIRA_NO_MEMORY);
    counting.misalign_at = counting.calls + 1;
    assert_int_equal(guira_save(f, NULL, tape_write, &tape), GUIRA_BAD_ALLOCATOR);
    assert_int_equal(tape.calls, 0);
    counting.fail_at = counting.calls + 1;
    assert_int_equal(guira_save(f, &in_place, tape_write, &tape), GUIRA_OK);
    assert_int_equal(tape.length, guira_saved_size(f));
    tape_free(&tape);
    guira_destroy(f);
    assert_false(counting.mismatch);
}

/* As a copy is that was made beside a writer: more or fewer entries than were counted. */
static void a_copy_that_would_not_load_is_not_written(void **state) {
    (void)state;
    struct guira *f = filter_with(
        (struct guira_options){.buckets = 10, .tag_bits = 16, .window = 2, .single_writer = true});
    assert_int_equal(fill(f, 0, 15), 15);
    uint64_t *words = words_of(f);
    struct tape tape = {0};
    for (uint64_t bucket = 0; bucket < 10; bucket++) {
        uint64_t wrong = words[bucket] != 0 ? 0 : 1;
        word_store(&f->table.words[bucket], wrong, memory_order_relaxed);
        assert_int_equal(guira_save(f, NULL, tape_write, &tape), GUIRA_CORRUPT);
        word_store(&f->table.words[bucket], words[bucket], memory_order_relaxed);
    }
    assert_int_equal(tape.calls, 0);
    free(words);
    tape = tape_of(f);
    guira_destroy(filter_of_tape(&tape));
    tape_free(&tape);
    guira_destroy(f);
}

/* ---- Beside others -------------------------------------------------------------------------- */

/* What the writer sees of the filter that is saved. */
struct witness {
    struct guira *filter;
    bool expect_locked;
    bool wrong;
};

static int look_about(void *context, const void *bytes, size_t length) {
    struct witness *w = context;
    (void)bytes;
    (void)length;
    for (uint32_t i = 0; i < w->filter->stripes.count; i++) {
        w->wrong |= ck_spinlock_locked(&w->filter->stripes.all[i].lock.spin) != w->expect_locked;
    }
    w->wrong |= !guira_contains_u64(w->filter, scrambled(0)); /* readers never wait */
    w->wrong |= guira_size(w->filter) < 500;
    if (!w->expect_locked) { /* and then writers do not, either */
        w->wrong |= guira_insert_u64(w->filter, 5) != GUIRA_OK;
        w->wrong |= guira_remove_u64(w->filter, 5) != GUIRA_OK;
    }
    return 0;
}

static void the_locks_are_held_while_writing_only_in_place(void **state) {
    (void)state;
    struct guira *f = filter_with(
        (struct guira_options){.buckets = 9000, .tag_bits = 12, .window = 2, .stripes = 16});
    assert_int_equal(fill(f, 0, 500), 500);
    struct witness witness = {.filter = f};
    assert_int_equal(guira_save(f, NULL, look_about, &witness), GUIRA_OK);
    assert_false(witness.wrong);
    witness.expect_locked = true;
    assert_int_equal(guira_save(f, &in_place, look_about, &witness), GUIRA_OK);
    assert_false(witness.wrong);
    guira_destroy(f);
    f = filter_with(
        (struct guira_options){.buckets = 90, .tag_bits = 12, .window = 2, .single_writer = true});
    assert_true(fill(f, 0, 500) < 500);
    struct tape tape = tape_of(f);
    struct guira *loaded = filter_of_tape(&tape);
    require_same(f, loaded);
    tape_free(&tape);
    guira_destroy(loaded);
    guira_destroy(f);
}

enum { STABLE = 200, PAIRS = 60, WRITERS = 2, ALL_PAIRS = WRITERS * PAIRS };

/* Keys that stay, and keys of which each writer holds two and two: at any instant one or two of the
 * four, by turns, so that a copy that is not of one instant has none, or all. */
struct scene {
    struct guira *filter;
    const uint64_t *hashes;
    atomic_bool over;
    atomic_uint wrong;
    unsigned saves;
};

struct churner {
    struct scene *scene;
    size_t first;
};

/* Move a pair: the second is inserted before the first is removed, so one is always there. */
static void *churn(void *context) {
    const struct churner *c = context;
    struct scene *s = c->scene;
    const uint64_t *own = s->hashes + c->first;
    for (size_t i = 0; !atomic_load(&s->over); i = (i + 1) % PAIRS) {
        uint64_t here = own[2 * i];
        uint64_t there = own[2 * i + 1];
        for (int turn = 0; turn < 2; turn++) {
            unsigned wrong = guira_insert_uniform(s->filter, there) != GUIRA_OK;
            wrong += guira_remove_uniform(s->filter, here) != GUIRA_OK;
            (void)atomic_fetch_add(&s->wrong, wrong);
            uint64_t swap = here;
            here = there;
            there = swap;
        }
    }
    return NULL;
}

static unsigned copies_of(const struct guira *f, uint64_t hash) {
    return guira_count_uniform(f, hash);
}

/* How much is wrong with what was saved. */
static unsigned judge(const struct scene *s, struct tape *tape) {
    struct guira *loaded = NULL;
    if (tape_load(tape, NULL, &loaded) != GUIRA_OK || guira_check(loaded, NULL) != GUIRA_OK) {
        guira_destroy(loaded);
        return 1;
    }
    unsigned wrong = 0;
    uint64_t items = STABLE;
    for (size_t i = 0; i < STABLE; i++) {
        wrong += copies_of(loaded, s->hashes[i]) != 1;
    }
    for (size_t i = 0; i < ALL_PAIRS; i++) {
        unsigned here = copies_of(loaded, s->hashes[STABLE + 2 * i]);
        unsigned there = copies_of(loaded, s->hashes[STABLE + 2 * i + 1]);
        wrong += here > 1 || there > 1 || here + there == 0;
        items += here + there;
    }
    wrong += guira_size(loaded) != items;
    guira_destroy(loaded);
    return wrong;
}

static void *save_again_and_again(void *context) {
    struct scene *s = context;
    for (unsigned i = 0; i < s->saves; i++) {
        struct tape tape = {0};
        unsigned wrong =
            guira_save(s->filter, i % 2 == 0 ? NULL : &in_place, tape_write, &tape) != GUIRA_OK;
        wrong += wrong != 0 ? 0 : judge(s, &tape);
        (void)atomic_fetch_add(&s->wrong, wrong);
        tape_free(&tape);
    }
    atomic_store(&s->over, true);
    return NULL;
}

static void save_beside_writers(uint32_t buckets, uint32_t stripes) {
    struct scene s = {.filter = filter_with((struct guira_options){
                          .buckets = buckets, .tag_bits = 12, .window = 2, .stripes = stripes}),
                      .saves = (unsigned)scaled(400)};
    uint64_t *hashes = distinct_hashes(s.filter, STABLE + 2 * ALL_PAIRS, 1);
    s.hashes = hashes;
    for (size_t i = 0; i < STABLE; i++) {
        assert_int_equal(guira_insert_uniform(s.filter, hashes[i]), GUIRA_OK);
    }
    for (size_t i = 0; i < ALL_PAIRS; i++) {
        assert_int_equal(guira_insert_uniform(s.filter, hashes[STABLE + 2 * i]), GUIRA_OK);
    }
    struct churner churners[WRITERS];
    struct crew crew;
    crew_begin(&crew, WRITERS + 1);
    for (size_t i = 0; i < WRITERS; i++) {
        churners[i] = (struct churner){&s, STABLE + i * PAIRS * 2};
        crew_hire(&crew, churn, &churners[i]);
    }
    crew_hire(&crew, save_again_and_again, &s);
    crew_end(&crew);
    assert_int_equal(s.wrong, 0);
    require_sound(s.filter);
    free(hashes);
    guira_destroy(s.filter);
}

/* Two tables so full that inserts move entries, with one lock and with some, and a large one. */
static void what_is_saved_beside_writers_is_the_filter_at_one_instant(void **state) {
    (void)state;
    save_beside_writers(75, 1);
    save_beside_writers(75, 10);
    save_beside_writers(5000, 256);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_filter_is_its_header_words_and_checksum),
        cmocka_unit_test(every_geometry_comes_back_with_each_copy),
        cmocka_unit_test(odd_sizes_come_back),
        cmocka_unit_test(in_place_gives_the_same_bytes),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(whichever_call_of_the_writer_fails_nothing_is_left_locked),
        cmocka_unit_test(without_memory_for_the_copy_nothing_is_written),
        cmocka_unit_test(a_copy_that_would_not_load_is_not_written),
        cmocka_unit_test(the_locks_are_held_while_writing_only_in_place),
        cmocka_unit_test(what_is_saved_beside_writers_is_the_filter_at_one_instant),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
