/*
 * Verifies that bytes which are no filter never become one, by whatever way they are loaded: from
 * a reader, a file descriptor, a file, or mapped. Each thing that can be wrong has its own status,
 * the same by all ways.
 */
#include <fcntl.h>
#include <unistd.h>

#include "allocators.h"
#include "folder.h"
#include "grid.h"
#include "tape.h"

static enum guira_status load_by_fd(const struct guira_load_options *options, struct guira **out) {
    int fd = open(folder.file, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    enum guira_status status = guira_load_fd(options, fd, out);
    (void)close(fd);
    return status;
}

/* What all ways say of bytes that are no filter; none of them may make one. */
static enum guira_status refusal(struct tape *tape) {
    struct guira *const untouched = no_filter();
    struct guira *out = untouched;
    enum guira_status status = refusal_of(tape);
    write_file(folder.file, tape);
    struct counting counting = {0};
    struct guira_load_options options = {.allocator = counting_allocator(&counting)};
    assert_int_equal(load_by_fd(&options, &out), status);
    assert_int_equal(guira_load_file(&options, folder.file, &out), status);
    assert_int_equal(guira_map_file(&options, folder.file, &out), status);
    assert_ptr_equal(out, untouched);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
    return status;
}

/* The other way round: with all that was wrong put right again. */
static void require_filter(struct tape *tape) {
    struct guira *out = NULL;
    guira_destroy(filter_of_tape(tape));
    write_file(folder.file, tape);
    assert_int_equal(load_by_fd(NULL, &out), GUIRA_OK);
    guira_destroy(out);
    assert_int_equal(guira_load_file(NULL, folder.file, &out), GUIRA_OK);
    guira_destroy(out);
    assert_int_equal(guira_map_file(NULL, folder.file, &out), GUIRA_OK);
    guira_destroy(out);
}

static void wherever_the_bytes_end_they_are_truncated(void **state) {
    (void)state;
    struct tape tape = small_tape();
    for (size_t length = tape.length; length-- > 0;) {
        tape.length = length;
        assert_int_equal(refusal(&tape), GUIRA_TRUNCATED);
    }
    tape_free(&tape);
}

static void whichever_bit_is_flipped_no_filter_comes_of_it(void **state) {
    (void)state;
    struct tape tape = small_tape();
    for (size_t bit = 0; bit < 8 * tape.length; bit++) {
        tape.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        enum guira_status expected = bit < 64                ? GUIRA_NOT_A_FILTER
                                     : bit / 8 < TAPE_HEADER ? GUIRA_BAD_HEADER
                                                             : GUIRA_BAD_CHECKSUM;
        assert_int_equal(refusal(&tape), expected);
        tape.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    require_filter(&tape);
    tape_free(&tape);
}

/* The words' checksum depends on the header, so those of another filter do not fit. */
static void words_of_another_filter_do_not_fit_the_header(void **state) {
    (void)state;
    struct tape one = small_tape();
    struct tape other = tape_copy(&one);
    tape_put_64(&other, TAPE_SEED, 12345);
    tape_sign(&other);
    require_filter(&other);
    memcpy(other.bytes + TAPE_HEADER, one.bytes + TAPE_HEADER, one.length - TAPE_HEADER);
    assert_int_equal(refusal(&other), GUIRA_BAD_CHECKSUM);
    tape_free(&other);
    tape_free(&one);
}

static void impossible_headers_are_refused_before_their_words_are_read(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        enum guira_status status;
    } wrong[] = {{TAPE_VERSION, 2, GUIRA_NEWER_FORMAT},
                 {TAPE_FLAGS, 2, GUIRA_NEWER_FORMAT},
                 {TAPE_FLAGS, 1, GUIRA_IMPOSSIBLE_HEADER}, /* it grows, with no levels */
                 {TAPE_HEADER_LENGTH, 64, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_BUCKETS, 1, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_TAG_BITS, 0, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_WINDOW, 6, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_FINGERPRINTS, 1, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_ITEMS, 66, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_CAPACITY, 66, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_BUDGET, 0, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_ZEROS, 1, GUIRA_IMPOSSIBLE_HEADER},
                 {TAPE_HASH, 3, GUIRA_OTHER_HASH},
                 {TAPE_ITEMS, 1, GUIRA_WRONG_COUNT}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct tape tape = small_tape();
        tape_put_32(&tape, wrong[i].at, wrong[i].value);
        tape_sign(&tape);
        assert_int_equal(refusal(&tape), wrong[i].status);
        bool read_on = wrong[i].status == GUIRA_WRONG_COUNT;
        assert_int_equal(tape.at, read_on ? tape.length : TAPE_HEADER);
        tape_free(&tape);
    }
}

static void require_bad_words_noticed(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    (void)fill(f, 0, s->M);
    struct tape tape = tape_of(f);
    uint64_t largest = (UINT64_C(1) << s->f) - 1;
    for (uint64_t bucket = 0; bucket < s->M; bucket++) {
        size_t at = TAPE_HEADER + 8 * (size_t)bucket;
        uint64_t word = tape_get_64(&tape, at);
        for (uint32_t bit = s->k * s->f; bit < 64; bit++) {
            tape_put_64(&tape, at, word | UINT64_C(1) << bit);
            tape_sign(&tape);
            assert_int_equal(refusal(&tape), GUIRA_IMPOSSIBLE_TAG);
        }
        for (uint32_t slot = 0; slot < s->k; slot++) {
            uint64_t slot_bits = largest << (slot * s->f);
            uint64_t tag = word >> (slot * s->f) & largest;
            tape_put_64(&tape, at, word | slot_bits);
            tape_sign(&tape);
            assert_int_equal(refusal(&tape), GUIRA_IMPOSSIBLE_TAG);
            tape_put_64(&tape, at, (word & ~slot_bits) | (uint64_t)(tag == 0) << (slot * s->f));
            tape_sign(&tape);
            assert_int_equal(refusal(&tape), GUIRA_WRONG_COUNT);
        }
        tape_put_64(&tape, at, word);
    }
    tape_sign(&tape);
    require_filter(&tape);
    tape_free(&tape);
    guira_destroy(f);
}

static void words_that_no_filter_has_are_refused(void **state) {
    (void)state;
    for_each_geometry(3, require_bad_words_noticed);
}

static void more_bytes_than_the_filter_s_are_no_file_of_one(void **state) {
    (void)state;
    struct tape tape = small_tape();
    for (size_t more = 1; more <= 200; more += more < 20 ? 1 : 60) {
        struct tape longer = tape_copy(&tape);
        for (size_t i = 0; i < more; i++) {
            assert_int_equal(tape_write(&longer, "", 1), 0);
        }
        struct guira *out = NULL;
        write_file(folder.file, &longer);
        assert_int_equal(guira_load_file(NULL, folder.file, &out), GUIRA_TRAILING_BYTES);
        assert_int_equal(guira_map_file(NULL, folder.file, &out), GUIRA_TRAILING_BYTES);
        assert_null(out);
        assert_int_equal(load_by_fd(NULL, &out), GUIRA_OK); /* others may follow there */
        guira_destroy(out);
        tape_free(&longer);
    }
    tape_free(&tape);
}

/* Nothing is known of these but that some are headers with a right checksum. */
static void random_bytes_are_no_filter(void **state) {
    (void)state;
    struct rng rng = rng_stream(1);
    struct tape tape = small_tape();
    struct tape whole = tape_copy(&tape);
    for (uint64_t i = 0; i < scaled(3000); i++) {
        memcpy(tape.bytes, whole.bytes, whole.length);
        size_t from = rng_chance(&rng, 0.5) ? 16 : (size_t)rng_below(&rng, whole.length);
        for (size_t at = from; at < whole.length; at += 1 + (size_t)rng_below(&rng, 40)) {
            tape.bytes[at] = (uint8_t)rng_next(&rng);
        }
        if (memcmp(tape.bytes, whole.bytes, whole.length) == 0) {
            continue;
        }
        if (rng_chance(&rng, 0.7)) {
            tape_sign(&tape);
        }
        struct guira *out = NULL;
        enum guira_status status = tape_load(&tape, NULL, &out);
        if (status == GUIRA_OK) { /* changed and signed, and all the same a filter: it may be */
            require_sound(out);
            guira_destroy(out);
        } else {
            assert_int_equal(refusal(&tape), status);
        }
    }
    tape_free(&whole);
    tape_free(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wherever_the_bytes_end_they_are_truncated),
        cmocka_unit_test(whichever_bit_is_flipped_no_filter_comes_of_it),
        cmocka_unit_test(words_of_another_filter_do_not_fit_the_header),
        cmocka_unit_test(impossible_headers_are_refused_before_their_words_are_read),
        cmocka_unit_test(words_that_no_filter_has_are_refused),
        cmocka_unit_test(more_bytes_than_the_filter_s_are_no_file_of_one),
        cmocka_unit_test(random_bytes_are_no_filter),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
