#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>

static int by_element(const void *a, const void *b) {
    uint64_t x = ((const struct owned_key *)a)->element;
    uint64_t y = ((const struct owned_key *)b)->element;
    return (x > y) - (x < y);
}

static uint64_t drop_duplicates(struct owned_key *key, uint64_t keys) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < keys; i++) {
        if (kept == 0 || key[kept - 1].element != key[i].element) {
            key[kept].number = key[i].number;
            key[kept].hash = key[i].hash;
            key[kept].element = key[i].element;
            kept++;
        }
    }
    return kept;
}

static void make_key(const struct guira *filter, const struct key_maker *maker, bool special,
                     struct worker *source, struct owned_key *key) {
    do {
        key->number = next_random(source);
        key->hash = maker->hash_of == NULL ? key->number : maker->hash_of(filter, key->number);
    } while (special && !maker->is_special(filter, key->hash));
    key->element = guira_element(filter, key->hash);
}

struct oracle oracle_create_with(const struct guira *filter, uint64_t keys, uint64_t seed,
                                 const struct key_maker *maker) {
    keys += maker->special;
    struct oracle oracle = {.key = calloc(keys, sizeof(struct owned_key))};
    if (oracle.key == NULL) {
        (void)fprintf(stderr, "out of memory\n");
        exit(2);
    }
    struct worker source = {.random = seed};
    for (uint64_t i = 0; i < keys; i++) {
        make_key(filter, maker, i < maker->special, &source, &oracle.key[i]);
    }
    qsort(oracle.key, keys, sizeof(struct owned_key), by_element);
    oracle.keys = drop_duplicates(oracle.key, keys);
    for (uint64_t i = 0; i < oracle.keys; i++) {
        oracle.key[i].copies = 0;
        atomic_flag_clear(&oracle.key[i].taken);
    }
    return oracle;
}

struct oracle oracle_create(const struct guira *filter, uint64_t keys, uint64_t seed) {
    return oracle_create_with(filter, keys, seed, &(struct key_maker){0});
}

void oracle_destroy(struct oracle *oracle) {
    free(oracle->key);
}

struct owned_key **oracle_shuffled(const struct oracle *oracle, uint64_t seed) {
    struct owned_key **shuffled = calloc(oracle->keys, sizeof(struct owned_key *));
    if (shuffled == NULL) {
        (void)fprintf(stderr, "out of memory\n");
        exit(2);
    }
    struct worker chance = {.random = ~seed};
    for (uint64_t i = 0; i < oracle->keys; i++) {
        uint64_t place = random_below(&chance, i + 1);
        shuffled[i] = shuffled[place];
        shuffled[place] = &oracle->key[i];
    }
    return shuffled;
}

bool try_key(struct owned_key *key) {
    return !atomic_flag_test_and_set_explicit(&key->taken, memory_order_acquire);
}

struct owned_key *take_key(struct oracle *oracle, struct worker *worker) {
    for (int tries = 0; tries < 16; tries++) {
        struct owned_key *key = &oracle->key[random_below(worker, oracle->keys)];
        if (try_key(key)) {
            return key;
        }
    }
    return NULL;
}

void give_key_back(struct owned_key *key) {
    atomic_flag_clear_explicit(&key->taken, memory_order_release);
}

struct comparison {
    const struct oracle *oracle;
    struct team *team;
    uint64_t distinct;
};

static bool compare_element(void *context, uint64_t element, unsigned multiplicity) {
    struct comparison *c = context;
    struct owned_key wanted = {.element = element};
    const struct owned_key *key =
        bsearch(&wanted, c->oracle->key, c->oracle->keys, sizeof(struct owned_key), by_element);
    REQUIRE(c->team, key != NULL, "element %llu is there and was never inserted",
            (unsigned long long)element);
    if (key != NULL) {
        REQUIRE(c->team, key->copies == multiplicity, "element %llu is there %u times, not %u",
                (unsigned long long)element, multiplicity, key->copies);
        c->distinct++;
    }
    return true;
}

void oracle_compare(const struct oracle *oracle, struct team *team) {
    uint64_t total = 0;
    uint64_t distinct = 0;
    for (uint64_t i = 0; i < oracle->keys; i++) {
        const struct owned_key *key = &oracle->key[i];
        unsigned copies = guira_count_uniform(team->filter, key->hash);
        REQUIRE(team, copies == key->copies, "element %llu is counted %u times, not %u",
                (unsigned long long)key->element, copies, key->copies);
        total += key->copies;
        distinct += key->copies > 0;
    }
    REQUIRE(team, guira_size(team->filter) == total, "size is %llu, not %llu",
            (unsigned long long)guira_size(team->filter), (unsigned long long)total);
    unsigned broken = 0;
    REQUIRE(team, guira_check(team->filter, &broken) == GUIRA_OK, "invariant %u is broken", broken);
    struct comparison comparison = {oracle, team, 0};
    (void)guira_visit(team->filter, compare_element, &comparison);
    REQUIRE(team, comparison.distinct == distinct, "%llu elements are there, not %llu",
            (unsigned long long)comparison.distinct, (unsigned long long)distinct);
}
