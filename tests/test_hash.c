/*
 * Verifies hashing: the default hash and the finaliser give for ever what they give today (files
 * and other machines rely on it), seeds matter, a user's hash is used, told by its identity, and
 * mixed; and any key is accepted, empty, long or at any address.
 */
#include "filters.h"
#include "test.h"

static struct guira *seeded(uint64_t seed) {
    return filter_with(
        (struct guira_options){.capacity = 100, .false_positive_rate = 0.01, .seed = seed});
}

/* Bytes 0, 1, 2, ... as keys of some lengths, since XXH3 works differently on each. */
static const struct {
    uint64_t seed;
    size_t length;
    uint64_t hash;
} golden_bytes[] = {
    {UINT64_C(1), 0, UINT64_C(0x4dc5b0cc826f6703)},
    {UINT64_C(1), 1, UINT64_C(0x5eaac1f7b17ef730)},
    {UINT64_C(1), 3, UINT64_C(0x3b3b85a968c7f81d)},
    {UINT64_C(1), 8, UINT64_C(0xe7241ac1fdcd24bb)},
    {UINT64_C(1), 16, UINT64_C(0xe2d1e4053a219356)},
    {UINT64_C(1), 17, UINT64_C(0xc44e866040ed1467)},
    {UINT64_C(1), 128, UINT64_C(0xc04e68f839ddd006)},
    {UINT64_C(1), 129, UINT64_C(0x88ee72694368e67d)},
    {UINT64_C(1), 240, UINT64_C(0x31a14c358e824be4)},
    {UINT64_C(1), 241, UINT64_C(0xda735d4f53476cb5)},
    {UINT64_C(1), 1024, UINT64_C(0xc74822a5f349cef8)},
    {UINT64_C(20251130), 1, UINT64_C(0xb8a1b67cc8809157)},
    {UINT64_C(20251130), 16, UINT64_C(0xd24d1a2d9f79d72a)},
    {UINT64_C(20251130), 129, UINT64_C(0x873c72b2551c657f)},
    {UINT64_C(20251130), 1024, UINT64_C(0x9e7b1d0194d19499)},
    {UINT64_C(18446744073709551615), 3, UINT64_C(0x8fecb24e5f5c2208)},
    {UINT64_C(18446744073709551615), 17, UINT64_C(0x3b81616daebc9078)},
    {UINT64_C(18446744073709551615), 240, UINT64_C(0x11bd15de7afb35d0)},
};

static void the_default_hash_stays_what_it_was(void **state) {
    (void)state;
    uint8_t bytes[1024];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)i;
    }
    for (size_t i = 0; i < sizeof golden_bytes / sizeof golden_bytes[0]; i++) {
        struct guira *f = seeded(golden_bytes[i].seed);
        uint64_t hash = guira_hash(f, bytes, golden_bytes[i].length);
        require(hash == golden_bytes[i].hash, "%zu bytes: 0x%llx", golden_bytes[i].length,
                (unsigned long long)hash);
        guira_destroy(f);
    }
}

static const struct {
    uint64_t seed;
    uint64_t key;
    uint64_t hash;
} golden_integers[] = {
    {UINT64_C(1), UINT64_C(0), UINT64_C(0x9214432c8a7d7d03)},
    {UINT64_C(1), UINT64_C(1), UINT64_C(0x5d1fb1b00b5c80f9)},
    {UINT64_C(1), UINT64_C(2), UINT64_C(0x3d25aa8c29bf7629)},
    {UINT64_C(1), UINT64_C(12345), UINT64_C(0xdb340807ab46b308)},
    {UINT64_C(1), UINT64_C(18446744073709551615), UINT64_C(0xd082119f0309ad18)},
    {UINT64_C(20251130), UINT64_C(0), UINT64_C(0x5fbd5cc5b67b47a6)},
    {UINT64_C(20251130), UINT64_C(1), UINT64_C(0xd709e1816c8f15fc)},
    {UINT64_C(20251130), UINT64_C(2), UINT64_C(0x79921686cec671a0)},
    {UINT64_C(20251130), UINT64_C(12345), UINT64_C(0x3a438c0acb3ad992)},
    {UINT64_C(20251130), UINT64_C(18446744073709551615), UINT64_C(0x391ac15c7c10d8fc)},
    {UINT64_C(18446744073709551615), UINT64_C(0), UINT64_C(0x8f630b9ccfb209d3)},
    {UINT64_C(18446744073709551615), UINT64_C(1), UINT64_C(0xc6bdf07096c031e8)},
    {UINT64_C(18446744073709551615), UINT64_C(2), UINT64_C(0x1d81a2b9ca051e62)},
    {UINT64_C(18446744073709551615), UINT64_C(12345), UINT64_C(0xc28e47550511b741)},
    {UINT64_C(18446744073709551615), UINT64_C(18446744073709551615), UINT64_C(0x809f557b4bd9a67d)},
};

static void the_finaliser_stays_what_it_was(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof golden_integers / sizeof golden_integers[0]; i++) {
        struct guira *f = seeded(golden_integers[i].seed);
        uint64_t hash = guira_hash_u64(f, golden_integers[i].key);
        require(hash == golden_integers[i].hash, "%llu: 0x%llx",
                (unsigned long long)golden_integers[i].key, (unsigned long long)hash);
        guira_destroy(f);
    }
}

static void one_seed_gives_one_hash_and_two_give_two(void **state) {
    (void)state;
    struct guira *a = seeded(5);
    struct guira *b = seeded(5);
    struct guira *c = seeded(6);
    for (uint64_t key = 0; key < 1000; key++) {
        assert_int_equal(guira_hash_u64(a, key), guira_hash_u64(b, key));
        assert_int_not_equal(guira_hash_u64(a, key), guira_hash_u64(c, key));
        assert_int_equal(guira_hash(a, &key, 8), guira_hash(b, &key, 8));
        assert_int_not_equal(guira_hash(a, &key, 8), guira_hash(c, &key, 8));
    }
    guira_destroy(a);
    guira_destroy(b);
    guira_destroy(c);
}

static void drawn_seeds_differ_are_not_zero_and_reproduce_the_hash(void **state) {
    (void)state;
    uint64_t seeds[50];
    for (int i = 0; i < 50; i++) {
        struct guira_options options = {.capacity = 10, .false_positive_rate = 0.01};
        struct guira *f;
        struct guira_info info;
        assert_int_equal(guira_create(&options, &f), GUIRA_OK);
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        seeds[i] = info.seed;
        assert_int_not_equal(info.seed, 0);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(seeds[i], seeds[j]);
        }
        struct guira *again = seeded(info.seed);
        assert_int_equal(guira_hash(f, "abc", 3), guira_hash(again, "abc", 3));
        guira_destroy(f);
        guira_destroy(again);
    }
}

/* A bijection: changing any one bit of a key changes about half of the bits, and never none. */
static void the_finaliser_spreads_every_bit(void **state) {
    (void)state;
    struct hashing hashing = guira__hashing(filter_seed(), &(struct guira_hash_function){0});
    struct rng rng = rng_stream(1);
    for (unsigned bit = 0; bit < 64; bit++) {
        unsigned changed = 0;
        for (int i = 0; i < 1000; i++) {
            uint64_t key = i < 500 ? (uint64_t)i : rng_next(&rng);
            uint64_t difference =
                finalise(&hashing, key) ^ finalise(&hashing, key ^ UINT64_C(1) << bit);
            assert_int_not_equal(difference, 0);
            changed += bits_set(difference);
        }
        require(changed > 30000 && changed < 34000, "bit %u changes %u of 64000", bit, changed);
    }
}

struct recorded {
    unsigned calls;
    const void *key;
    size_t length;
    uint64_t seed;
};

static uint64_t recording_hash(void *context, const void *key, size_t length, uint64_t seed) {
    struct recorded *r = context;
    r->calls++;
    r->key = key;
    r->length = length;
    r->seed = seed;
    return 42;
}

static void a_user_hash_gets_key_length_seed_and_context(void **state) {
    (void)state;
    struct recorded r = {0};
    struct guira *f = filter_with((struct guira_options){
        .capacity = 100,
        .false_positive_rate = 0.01,
        .seed = 99,
        .hash = {.function = recording_hash, .context = &r, .identity = 4711}});
    struct guira_info info;
    assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
    assert_int_equal(info.hash_identity, 4711);
    const char key[] = "some key";
    uint64_t hash = guira_hash(f, key, 5);
    assert_int_equal(r.calls, 1);
    assert_ptr_equal(r.key, key);
    assert_int_equal(r.length, 5);
    assert_int_equal(r.seed, 99);
    /* Mixed with the seed's finaliser, so that good bits anywhere are enough. */
    assert_int_equal(hash, guira_hash_u64(f, 42));
    assert_int_equal(r.calls, 1); /* integers do not pass through it */
    guira_destroy(f);
}

static void the_key_forms_meet_in_the_uniform_hash(void **state) {
    (void)state;
    struct guira *f = seeded(3);
    for (uint64_t key = 0; key < 50; key++) {
        assert_int_equal(guira_insert(f, &key, sizeof key), GUIRA_OK);
        assert_int_equal(guira_insert_uniform(f, guira_hash(f, &key, sizeof key)), GUIRA_OK);
        assert_true(guira_count(f, &key, sizeof key) >= 2);
        assert_int_equal(guira_count(f, &key, sizeof key),
                         guira_count_uniform(f, guira_hash(f, &key, sizeof key)));
        assert_int_equal(guira_remove_uniform(f, guira_hash(f, &key, sizeof key)), GUIRA_OK);
        assert_int_equal(guira_insert_u64(f, key), GUIRA_OK);
        assert_true(guira_contains_uniform(f, guira_hash_u64(f, key)));
        assert_int_equal(guira_insert_unique_uniform(f, guira_hash_u64(f, key)), GUIRA_EXISTS);
        assert_int_equal(guira_remove_uniform(f, guira_hash_u64(f, key)), GUIRA_OK);
        assert_int_equal(guira_remove(f, &key, sizeof key), GUIRA_OK);
    }
    assert_int_equal(guira_size(f), 0);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_hash_stays_what_it_was),
        cmocka_unit_test(the_finaliser_stays_what_it_was),
        cmocka_unit_test(one_seed_gives_one_hash_and_two_give_two),
        cmocka_unit_test(drawn_seeds_differ_are_not_zero_and_reproduce_the_hash),
        cmocka_unit_test(the_finaliser_spreads_every_bit),
        cmocka_unit_test(a_user_hash_gets_key_length_seed_and_context),
        cmocka_unit_test(the_key_forms_meet_in_the_uniform_hash),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
