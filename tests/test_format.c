/*
 * Verifies the header of a saved filter: its bytes are those that docs/format.md says, what was
 * encoded is decoded again, and each thing that can be wrong has its status. And the words: their
 * order of bytes, and which can be a table's.
 */
#include "bytes.h"
#include "format.h"
#include "grid.h"
#include "tape.h"
#include "words.h"

static struct header header_for(const struct ref_shape *s, struct rng *rng) {
    return (struct header){
        .buckets = s->M,
        .tag_bits = s->f,
        .window = s->w,
        .fingerprints = s->Q,
        .seed = rng_next(rng) | 1,
        .hash_identity = 1 + (uint32_t)rng_below(rng, UINT32_MAX),
        .search_budget = 1 + (uint32_t)rng_below(rng, GUIRA_MAX_SEARCH_BUDGET),
        .items = rng_below(rng, s->M * s->k + 1),
        .capacity = rng_below(rng, s->M * s->k + 1),
    };
}

/* A header of 1,000 buckets. */
static struct header some_header(void) {
    struct ref_shape shape;
    struct rng rng = rng_stream(1);
    assert_true(ref_shape(1000, 12, 2, &shape));
    return header_for(&shape, &rng);
}

static enum guira_status decode(const uint8_t bytes[HEADER_BYTES]) {
    struct header out;
    return guira__header_decode(bytes, HEADER_BYTES, &out);
}

static void a_header_is_the_bytes_that_the_format_says(void **state) {
    (void)state;
    static const uint8_t expected[TAPE_SIGNATURE] = {
        0x89, 0x47, 0x55, 0x49, 0x52, 0x41, 0x0d, 0x0a, /* magic */
        1,    0,    0,    0,    128,  0,    0,    0,    /* version, header length */
        8,    7,    6,    5,    4,    3,    0,    0,    /* buckets */
        12,   0,    0,    0,    2,    0,    0,    0,    /* tag bits, window */
        0xff, 3,    0,    0,    0,    0,    0,    0,    /* fingerprints: 4095 / 4 */
        0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, /* seed */
        0x24, 0x23, 0x22, 0x21, 0,    0,    0,    0,    /* hash identity, flags */
        0x38, 0x37, 0x36, 0x35, 0x34, 0x33, 0,    0,    /* items */
        0x48, 0x47, 0x46, 0x45, 0x44, 0x43, 0,    0,    /* capacity */
        0x52, 0x0f, 0,    0};                           /* search budget; the rest is 0 */
    struct header header = {.buckets = 0x030405060708,
                            .tag_bits = 12,
                            .window = 2,
                            .fingerprints = 0x3ff,
                            .seed = 0x1112131415161718,
                            .hash_identity = 0x21222324,
                            .items = 0x333435363738,
                            .capacity = 0x434445464748,
                            .search_budget = 0xf52};
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    assert_memory_equal(bytes, expected, sizeof expected);
    uint8_t again[HEADER_BYTES];
    memcpy(again, bytes, sizeof again);
    sign_header(again);
    assert_memory_equal(bytes, again, sizeof again);
}

static void require_decoded(const struct ref_shape *s) {
    struct rng rng = rng_stream(s->f * 100 + s->w);
    struct header header = header_for(s, &rng);
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    struct header out;
    memset(&out, 0, sizeof out);
    assert_int_equal(guira__header_decode(bytes, sizeof bytes, &out), GUIRA_OK);
    assert_int_equal(out.buckets, header.buckets);
    assert_int_equal(out.tag_bits, header.tag_bits);
    assert_int_equal(out.window, header.window);
    assert_int_equal(out.fingerprints, header.fingerprints);
    assert_int_equal(out.seed, header.seed);
    assert_int_equal(out.hash_identity, header.hash_identity);
    assert_int_equal(out.search_budget, header.search_budget);
    assert_int_equal(out.items, header.items);
    assert_int_equal(out.capacity, header.capacity);
    assert_int_equal(out.checksum, header.checksum);
}

static void what_was_encoded_is_decoded_for_every_geometry(void **state) {
    (void)state;
    for_each_geometry(2, require_decoded);
    for_each_geometry(12345, require_decoded);
    for_each_geometry(UINT64_C(1) << 31, require_decoded);
}

static void each_number_of_bytes_that_is_too_small_is_truncated(void **state) {
    (void)state;
    struct header header = some_header();
    struct header out;
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    for (size_t length = 0; length < HEADER_BYTES; length++) {
        uint8_t some[HEADER_BYTES] = {0};
        memcpy(some, bytes, length);
        assert_int_equal(guira__header_decode(some, length, &out), GUIRA_TRUNCATED);
        for (size_t i = 0; i < length && i < 8; i++) {
            some[i] ^= 0x20;
            assert_int_equal(guira__header_decode(some, length, &out), GUIRA_NOT_A_FILTER);
            some[i] ^= 0x20;
        }
    }
}

static void each_flipped_bit_of_a_header_is_noticed(void **state) {
    (void)state;
    struct header header = some_header();
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    for (unsigned bit = 0; bit < 8 * HEADER_BYTES; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(decode(bytes), bit < 64 ? GUIRA_NOT_A_FILTER : GUIRA_BAD_HEADER);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(decode(bytes), GUIRA_OK);
}

/* The header with one number replaced and the checksum made right. */
static enum guira_status with(size_t at, size_t bytes_of_number, uint64_t value) {
    struct header header = some_header();
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    for (size_t i = 0; i < bytes_of_number; i++) {
        bytes[at + i] = (uint8_t)(value >> (8 * i));
    }
    sign_header(bytes);
    return decode(bytes);
}

static void other_versions_and_unknown_flags_are_newer(void **state) {
    (void)state;
    assert_int_equal(with(TAPE_VERSION, 4, 1), GUIRA_OK);
    assert_int_equal(with(TAPE_VERSION, 4, 0), GUIRA_NEWER_FORMAT);
    assert_int_equal(with(TAPE_VERSION, 4, 2), GUIRA_NEWER_FORMAT);
    assert_int_equal(with(TAPE_VERSION, 4, UINT32_MAX), GUIRA_NEWER_FORMAT);
    for (unsigned bit = 1; bit < 32; bit++) {
        assert_int_equal(with(TAPE_FLAGS, 4, UINT64_C(1) << bit), GUIRA_NEWER_FORMAT);
    }
}

/* What else is in a header of a newer version is not looked at. */
static void a_newer_header_may_hold_anything_that_its_checksum_fits(void **state) {
    (void)state;
    struct header header = some_header();
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    memset(bytes + TAPE_HEADER_LENGTH, 0xff, TAPE_SIGNATURE - TAPE_HEADER_LENGTH);
    sign_header(bytes);
    assert_int_equal(decode(bytes), GUIRA_NEWER_FORMAT); /* the flags */
    bytes[TAPE_VERSION] = 2;
    assert_int_equal(decode(bytes), GUIRA_BAD_HEADER);
    sign_header(bytes);
    assert_int_equal(decode(bytes), GUIRA_NEWER_FORMAT);
}

static void what_no_filter_can_be_is_impossible(void **state) {
    (void)state;
    static const struct {
        size_t at;
        size_t bytes;
        uint64_t value;
    } wrong[] = {
        {TAPE_HEADER_LENGTH, 4, 0},
        {TAPE_HEADER_LENGTH, 4, 127},
        {TAPE_HEADER_LENGTH, 4, 256},
        {TAPE_BUCKETS, 8, 0},
        {TAPE_BUCKETS, 8, 1},
        {TAPE_TAG_BITS, 4, 0},
        {TAPE_TAG_BITS, 4, 3},
        {TAPE_TAG_BITS, 4, 13}, /* fits the window, but not the number of fingerprints */
        {TAPE_TAG_BITS, 4, 33},
        {TAPE_TAG_BITS, 4, 64},
        {TAPE_TAG_BITS, 4, UINT32_MAX},
        {TAPE_WINDOW, 4, 0},
        {TAPE_WINDOW, 4, 3}, /* likewise */
        {TAPE_WINDOW, 4, 6},
        {TAPE_WINDOW, 4, UINT32_MAX},
        {TAPE_FINGERPRINTS, 8, 0},
        {TAPE_FINGERPRINTS, 8, 1022},
        {TAPE_FINGERPRINTS, 8, 1024},
        {TAPE_FINGERPRINTS, 8, (UINT64_C(1) << 32) + 1023},
        {TAPE_SEED, 8, 0},
        {TAPE_HASH, 4, 0},
        {TAPE_ITEMS, 8, 5001},
        {TAPE_ITEMS, 8, UINT64_MAX},
        {TAPE_CAPACITY, 8, 5001},
        {TAPE_CAPACITY, 8, UINT64_MAX},
        {TAPE_BUDGET, 4, 0},
        {TAPE_BUDGET, 4, GUIRA_MAX_SEARCH_BUDGET + 1},
        {TAPE_BUDGET, 4, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        enum guira_status status = with(wrong[i].at, wrong[i].bytes, wrong[i].value);
        require(status == GUIRA_IMPOSSIBLE_HEADER, "%llu at %zu: %s",
                (unsigned long long)wrong[i].value, wrong[i].at, guira_status_text(status));
    }
    for (size_t at = TAPE_ZEROS; at < TAPE_SIGNATURE; at++) {
        assert_int_equal(with(at, 1, 0x80), GUIRA_IMPOSSIBLE_HEADER);
    }
    assert_int_equal(with(TAPE_ITEMS, 8, 5000), GUIRA_OK);
    assert_int_equal(with(TAPE_CAPACITY, 8, 5000), GUIRA_OK);
    assert_int_equal(with(TAPE_CAPACITY, 8, 0), GUIRA_OK);
    assert_int_equal(with(TAPE_BUDGET, 4, GUIRA_MAX_SEARCH_BUDGET), GUIRA_OK);
}

static enum guira_status with_buckets(const struct ref_shape *s, uint64_t buckets, uint64_t items) {
    struct rng rng = rng_stream(3);
    struct header header = header_for(s, &rng);
    header.buckets = buckets;
    header.items = items;
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    return decode(bytes);
}

/* Elements are 64-bit numbers, and their count as well. On this machine or another. */
static void require_limits(const struct ref_shape *s) {
    uint64_t most = UINT64_MAX / (s->Q * s->P);
    uint64_t slots = UINT64_C(7) * s->k;
    assert_int_equal(with_buckets(s, most, 0), GUIRA_OK);
    assert_int_equal(with_buckets(s, most + 1, 0), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with_buckets(s, 7, slots), GUIRA_OK);
    assert_int_equal(with_buckets(s, 7, slots + 1), GUIRA_IMPOSSIBLE_HEADER);
}

static void the_limits_are_64_bits_of_elements_and_the_slots(void **state) {
    (void)state;
    for_each_geometry(2, require_limits);
}

/* ---- Levels --------------------------------------------------------------------------------- */

static enum guira_status decode_again(struct header header, struct header *out) {
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(&header, bytes);
    return guira__header_decode(bytes, sizeof bytes, out);
}

/* Of as many levels, at each of them, alone or emptied from each other. */
static void require_levels(const struct ref_shape *s, uint32_t levels) {
    struct rng rng = rng_stream(levels);
    struct header header = header_for(s, &rng);
    struct header out;
    header.levels = levels;
    header.fingerprints = s->Q >> (levels - 1) << (levels - 1);
    header.capacity = (s->M << (levels - 1)) * s->k;
    for (header.level = 0; header.level < levels; header.level++) {
        uint64_t filled = (s->M << header.level) * s->k;
        for (header.from = 0; header.from < levels; header.from++) {
            uint64_t emptied = header.from == header.level ? 0 : (s->M << header.from) * s->k;
            header.items = filled + emptied;
            assert_int_equal(decode_again(header, &out), GUIRA_OK);
            assert_int_equal(out.levels, levels);
            assert_int_equal(out.level, header.level);
            assert_int_equal(out.from, header.from);
            assert_int_equal(words_after(&out) * s->k, header.items);
            header.items++;
            assert_int_equal(decode_again(header, &out), GUIRA_IMPOSSIBLE_HEADER);
        }
        assert_int_equal(decode_again(header, &out), GUIRA_IMPOSSIBLE_HEADER); /* from = levels */
    }
    header.from = 0;
    assert_int_equal(decode_again(header, &out), GUIRA_IMPOSSIBLE_HEADER); /* level = levels */
    header.level = 0;
    header.items = 0;
    header.capacity++;
    assert_int_equal(decode_again(header, &out), GUIRA_IMPOSSIBLE_HEADER);
    header.capacity = 0;
    header.levels += 1; /* there are some whose fingerprints can be halved once more */
    bool divides = header.fingerprints % (UINT64_C(1) << levels) == 0 && header.fingerprints > 0;
    assert_int_equal(decode_again(header, &out),
                     divides && levels < MAX_LEVELS ? GUIRA_OK : GUIRA_IMPOSSIBLE_HEADER);
    header.levels = levels;
    header.buckets = UINT64_MAX / (s->P * header.fingerprints);
    assert_int_equal(decode_again(header, &out), GUIRA_OK);
    header.buckets++;
    assert_int_equal(decode_again(header, &out), GUIRA_IMPOSSIBLE_HEADER);
}

static void require_all_levels(const struct ref_shape *s) {
    for (uint32_t levels = 1; levels <= MAX_LEVELS && s->Q >> (levels - 1) > 0; levels++) {
        require_levels(s, levels);
    }
}

static void levels_are_decoded_and_bounded_for_every_geometry(void **state) {
    (void)state;
    for_each_geometry(2, require_all_levels);
    for_each_geometry(77, require_all_levels);
}

static void a_filter_that_does_not_grow_has_nothing_where_levels_are(void **state) {
    (void)state;
    struct header header = some_header();
    struct header out;
    header.level = 3;
    header.from = 3;
    assert_int_equal(decode_again(header, &out), GUIRA_OK);
    assert_int_equal(out.levels + out.level + out.from, 0);
    assert_int_equal(with(TAPE_FLAGS, 4, 1), GUIRA_IMPOSSIBLE_HEADER);
    assert_int_equal(with(TAPE_LEVELS, 4, 1), GUIRA_IMPOSSIBLE_HEADER);
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void numbers_are_bytes_from_the_lowest_on(void **state) {
    (void)state;
    struct rng rng = rng_stream(2);
    for (int i = 0; i < 1000; i++) {
        uint64_t value = rng_next(&rng);
        uint8_t bytes[8];
        put_64(bytes, value);
        for (unsigned j = 0; j < 8; j++) {
            assert_int_equal(bytes[j], value >> (8 * j) & 0xff);
        }
        assert_int_equal(get_64(bytes), value);
        assert_int_equal(get_32(bytes), value & UINT32_MAX);
        put_32(bytes, 7);
        assert_int_equal(get_64(bytes), (value & ~(uint64_t)UINT32_MAX) | 7);
    }
}

static void words_are_reordered_to_bytes_of_the_file_and_back(void **state) {
    (void)state;
    struct rng rng = rng_stream(4);
    uint64_t words[33];
    uint64_t before[33];
    for (size_t i = 0; i < 33; i++) {
        before[i] = words[i] = rng_next(&rng);
    }
    guira__words_reorder(words, 32);
    for (size_t i = 0; i < 32; i++) {
        assert_int_equal(get_64((uint8_t *)&words[i]), before[i]);
    }
    assert_int_equal(words[32], before[32]);
    guira__words_reorder(words, 32);
    assert_memory_equal(words, before, sizeof words);
}

/* For each slot: each tag that some element can have there is possible, and no other. */
static void require_possible_tags(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t largest = (UINT64_C(1) << s->f) - 1;
    uint64_t entries;
    for (uint32_t slot = 0; slot < s->k; slot++) {
        uint64_t tags[] = {0, 1, 2 * s->Q * s->O, 2 * s->Q * s->O + 1, largest, largest - 1, s->Q};
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
            if (tags[i] > largest) {
                continue;
            }
            word_store(&f->table.words[1], tags[i] << (slot * s->f), memory_order_relaxed);
            enum guira_status status = guira__words_count(&f->table, 0, s->M, &entries);
            bool possible = tags[i] <= 2 * s->Q * s->O;
            require(status == (possible ? GUIRA_OK : GUIRA_IMPOSSIBLE_TAG), "f %u w %u tag %llu",
                    s->f, s->w, (unsigned long long)tags[i]);
            require(!possible || entries == (tags[i] != 0), "f %u w %u", s->f, s->w);
        }
    }
    for (uint32_t bit = s->k * s->f; bit < 64; bit++) {
        word_store(&f->table.words[1], UINT64_C(1) << bit, memory_order_relaxed);
        assert_int_equal(guira__words_count(&f->table, 0, s->M, &entries), GUIRA_IMPOSSIBLE_TAG);
        assert_int_equal(guira__words_count(&f->table, 0, 1, &entries), GUIRA_OK);
        assert_int_equal(guira__words_count(&f->table, 2, s->M, &entries), GUIRA_OK);
    }
    guira_destroy(f);
}

static void a_word_is_possible_if_each_tag_is_and_no_other_bit_is_set(void **state) {
    (void)state;
    for_each_geometry(3, require_possible_tags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_is_the_bytes_that_the_format_says),
        cmocka_unit_test(what_was_encoded_is_decoded_for_every_geometry),
        cmocka_unit_test(each_number_of_bytes_that_is_too_small_is_truncated),
        cmocka_unit_test(each_flipped_bit_of_a_header_is_noticed),
        cmocka_unit_test(other_versions_and_unknown_flags_are_newer),
        cmocka_unit_test(a_newer_header_may_hold_anything_that_its_checksum_fits),
        cmocka_unit_test(what_no_filter_can_be_is_impossible),
        cmocka_unit_test(the_limits_are_64_bits_of_elements_and_the_slots),
        cmocka_unit_test(levels_are_decoded_and_bounded_for_every_geometry),
        cmocka_unit_test(a_filter_that_does_not_grow_has_nothing_where_levels_are),
        cmocka_unit_test(numbers_are_bytes_from_the_lowest_on),
        cmocka_unit_test(words_are_reordered_to_bytes_of_the_file_and_back),
        cmocka_unit_test(a_word_is_possible_if_each_tag_is_and_no_other_bit_is_set),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
