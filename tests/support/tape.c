/*
 * Saved filters in memory; see the header.
 */
#include "tape.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "allocators.h"
#include "test.h"

/* ---- Reading and writing -------------------------------------------------------------------- */

int tape_write(void *context, const void *bytes, size_t length) {
    struct tape *tape = context;
    tape->misused |= length == 0;
    if (++tape->calls == tape->fail_at) {
        return 1;
    }
    if (tape->bytes == NULL || tape->length + length > tape->room) {
        tape->room = 64 + 2 * (tape->length + length);
        tape->bytes = realloc(tape->bytes, tape->room);
        if (tape->bytes == NULL) {
            abort();
        }
    }
    memcpy(tape->bytes + tape->length, bytes, length);
    tape->length += length;
    return 0;
}

ptrdiff_t tape_read(void *context, void *bytes, size_t length) {
    struct tape *tape = context;
    tape->misused |= length == 0 || tape->ended;
    if (++tape->calls == tape->fail_at) {
        return tape->lie > 0 ? (ptrdiff_t)length + tape->lie : tape->lie;
    }
    size_t left = tape->length - tape->at;
    size_t now = length < left ? length : left;
    now = tape->most != 0 && now > tape->most ? tape->most : now;
    tape->ended = now == 0;
    memcpy(bytes, tape->bytes + tape->at, now);
    tape->at += now;
    return (ptrdiff_t)now;
}

struct tape tape_of(const struct guira *f) {
    struct tape tape = {0};
    enum guira_status status = guira_save(f, NULL, tape_write, &tape);
    require(status == GUIRA_OK, "guira_save says: %s", guira_status_text(status));
    assert_false(tape.misused);
    tape.calls = 0;
    return tape;
}

struct tape small_tape(void) {
    struct guira *f = filter_of(13, 12, 2);
    (void)fill(f, 0, 25);
    for (int i = 0; i < 4; i++) {
        (void)guira_insert_u64(f, scrambled(0));
    }
    assert_in_range(guira_size(f), 26, 29);
    struct tape tape = tape_of(f);
    guira_destroy(f);
    return tape;
}

struct tape tape_copy(const struct tape *tape) {
    struct tape copy = {0};
    assert_int_equal(tape_write(&copy, tape->bytes, tape->length), 0);
    copy.calls = 0;
    return copy;
}

void tape_free(struct tape *tape) {
    free(tape->bytes);
    *tape = (struct tape){0};
}

enum guira_status tape_load(struct tape *tape, const struct guira_load_options *options,
                            struct guira **out) {
    tape->at = 0;
    tape->calls = 0;
    tape->ended = false;
    return guira_load(options, tape_read, tape, out);
}

struct guira *filter_of_tape(struct tape *tape) {
    struct guira *f = NULL;
    enum guira_status status = tape_load(tape, NULL, &f);
    require(status == GUIRA_OK, "guira_load says: %s", guira_status_text(status));
    assert_false(tape->misused);
    return f;
}

struct guira *no_filter(void) {
    static struct guira nothing;
    return &nothing;
}

enum guira_status refusal_of(struct tape *tape) {
    struct guira *const untouched = no_filter();
    struct guira *out = untouched;
    struct counting counting = {0};
    struct guira_load_options options = {.allocator = counting_allocator(&counting)};
    enum guira_status status = tape_load(tape, &options, &out);
    require(status != GUIRA_OK, "%zu bytes that are no filter became one", tape->length);
    assert_ptr_equal(out, untouched);
    assert_int_equal(counting.live, 0);
    assert_false(tape->misused || counting.mismatch);
    return status;
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static void put(struct tape *tape, size_t at, uint64_t value, unsigned bytes) {
    assert_true(at + bytes <= tape->length);
    for (unsigned i = 0; i < bytes; i++) {
        tape->bytes[at + i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get(const uint8_t *from, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

void tape_put_32(struct tape *tape, size_t at, uint32_t value) {
    put(tape, at, value, 4);
}

void tape_put_64(struct tape *tape, size_t at, uint64_t value) {
    put(tape, at, value, 8);
}

uint32_t tape_get_32(const struct tape *tape, size_t at) {
    return (uint32_t)get(tape->bytes + at, 4);
}

uint64_t tape_get_64(const struct tape *tape, size_t at) {
    return get(tape->bytes + at, 8);
}

void sign_header(uint8_t *header) {
    uint64_t sum = XXH3_64bits(header, TAPE_SIGNATURE);
    for (unsigned i = 0; i < 8; i++) {
        header[TAPE_SIGNATURE + i] = (uint8_t)(sum >> (8 * i));
    }
}

void tape_sign(struct tape *tape) {
    sign_header(tape->bytes);
    if (tape->length >= TAPE_HEADER + TAPE_END) {
        size_t end = tape->length - TAPE_END;
        uint64_t seed = get(tape->bytes + TAPE_SIGNATURE, 8);
        tape_put_64(tape, end,
                    XXH3_64bits_withSeed(tape->bytes + TAPE_HEADER, end - TAPE_HEADER, seed));
    }
}

/* ---- Filters -------------------------------------------------------------------------------- */

void require_same(const struct guira *a, const struct guira *b) {
    struct guira_info of_a;
    struct guira_info of_b;
    assert_int_equal(guira_get_info(a, &of_a), GUIRA_OK);
    assert_int_equal(guira_get_info(b, &of_b), GUIRA_OK);
    assert_int_equal(of_a.sizing.buckets, of_b.sizing.buckets);
    assert_int_equal(of_a.sizing.tag_bits, of_b.sizing.tag_bits);
    assert_int_equal(of_a.sizing.window, of_b.sizing.window);
    assert_int_equal(of_a.sizing.universe, of_b.sizing.universe);
    assert_int_equal(of_a.sizing.capacity, of_b.sizing.capacity);
    assert_int_equal(of_a.sizing.doublings, of_b.sizing.doublings);
    assert_int_equal(of_a.sizing.doubled, of_b.sizing.doubled);
    assert_int_equal(of_a.is_growing, of_b.is_growing);
    assert_int_equal(of_a.seed, of_b.seed);
    assert_int_equal(of_a.hash_identity, of_b.hash_identity);
    assert_int_equal(of_a.search_budget, of_b.search_budget);
    assert_int_equal(of_a.items, of_b.items);
    uint64_t *words = words_of(a);
    assert_true(words_equal(b, words));
    free(words);
    require_sound(a);
    require_sound(b);
}
