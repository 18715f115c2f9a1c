/*
 * Keys whose elements all differ, with what the filter must say of each. One thread at a time has a
 * key, so it knows the exact answer of every call on it, whatever other threads do to the table.
 */
#ifndef GUIRA_STRESS_ORACLE_H
#define GUIRA_STRESS_ORACLE_H

#include "team.h"

struct owned_key {
    uint64_t hash;
    uint64_t element;
    unsigned copies;   /* that the filter must hold; belongs to the key's holder */
    atomic_flag taken; /* set while a thread holds the key */
};

struct oracle {
    struct owned_key *key; /* ascending by element */
    uint64_t keys;
};

/* `keys` keys with different elements, random from the seed. */
struct oracle oracle_create(const struct guira *filter, uint64_t keys, uint64_t seed);
void oracle_destroy(struct oracle *oracle);

/* A random key that no other thread holds, held from now on; NULL if a few tries found none. */
struct owned_key *take_key(struct oracle *oracle, struct worker *worker);
void give_key_back(struct owned_key *key);

/* When no thread runs: size, check, and the visitor's multiset must be what the oracle says. */
void oracle_compare(const struct oracle *oracle, struct team *team);

#endif
