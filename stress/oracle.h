/*
 * Keys whose elements all differ, with what the filter must say of each. One thread at a time has a
 * key, so it knows the exact answer of every call on it, whatever other threads do to the table.
 */
#ifndef GUIRA_STRESS_ORACLE_H
#define GUIRA_STRESS_ORACLE_H

#include "team.h"

struct owned_key {
    uint64_t number; /* a random one, from which its hash is made */
    uint64_t hash;
    uint64_t element;
    unsigned copies;   /* that the filter must hold; belongs to the key's holder */
    atomic_flag taken; /* set while a thread holds the key */
};

struct oracle {
    struct owned_key *key; /* ascending by element */
    uint64_t keys;
};

/* `keys` keys with different elements, random from the seed; fewer where there are few elements. */
struct oracle oracle_create(const struct guira *filter, uint64_t keys, uint64_t seed);

/* How to make keys other than those. */
struct key_maker {
    uint64_t (*hash_of)(const struct guira *filter, uint64_t number); /* NULL: the number itself */
    uint64_t special; /* so many more keys, all with hashes that is_special accepts */
    bool (*is_special)(const struct guira *filter, uint64_t hash);
};

struct oracle oracle_create_with(const struct guira *filter, uint64_t keys, uint64_t seed,
                                 const struct key_maker *maker);
void oracle_destroy(struct oracle *oracle);

/* All keys in random order: ascending ones would crowd the beginning of a table. To be freed. */
struct owned_key **oracle_shuffled(const struct oracle *oracle, uint64_t seed);

/* Hold a key, if no other thread does; a random key that no other held, NULL if a few tries found
 * none; and end holding it. */
bool try_key(struct owned_key *key);
struct owned_key *take_key(struct oracle *oracle, struct worker *worker);
void give_key_back(struct owned_key *key);

/* When no thread runs: size, check, and the visitor's multiset must be what the oracle says. */
void oracle_compare(const struct oracle *oracle, struct team *team);

#endif
