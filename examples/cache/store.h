/*
 * The store of the cache example: an LMDB database of values by key. It is what is true.
 */
#ifndef CACHE_STORE_H
#define CACHE_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct value {
    uint32_t key; /* whose value it is: shows that no answer belongs to another key */
    uint32_t version;
    char text[120];
};

/* These answers, or what else LMDB or the system returned. */
enum { STORE_OK = 0, STORE_HAS_NOT = -30798 /* MDB_NOTFOUND */ };

struct store;

/* Make a database for keys below `keys` in a new folder of /tmp, which store_close removes. Every
 * `failing`th put fails as if the disk were full; 0: none does. Of 64 writes one takes 100
 * microseconds more, as on a disk. */
struct store *store_open(uint32_t keys, uint32_t failing);
void store_close(struct store *store);

int store_get(struct store *store, uint32_t key, struct value *value);
int store_put(struct store *store, uint32_t key, const struct value *value);
int store_delete(struct store *store, uint32_t key);

/* Put each second key, from 0, in one transaction. */
int store_fill(struct store *store);

/* The first key from `from` on that the store has. */
int store_next(struct store *store, uint32_t from, uint32_t *key);

/* Call visit with every key, and return what LMDB says. */
int store_each(struct store *store, void (*visit)(void *context, uint32_t key), void *context);

/*
 * The witness: a number for each key, odd from when the key is in the store until its delete is
 * committed, and another one each time. Who reads the same odd number before and after a question
 * knows that the store had the key all the time. Only the check of the example's claim uses it.
 */
uint32_t store_witness(const struct store *store, uint32_t key);

#endif
