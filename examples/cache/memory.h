/*
 * The values that one shard of the cache keeps in memory. Not for more than one thread at a time.
 */
#ifndef CACHE_MEMORY_H
#define CACHE_MEMORY_H

#include "store.h"

struct memory;

struct memory *memory_create(uint32_t values); /* for about so many; NULL: no memory */
void memory_destroy(struct memory *memory);

bool memory_get(struct memory *memory, uint32_t key, struct value *value);
void memory_put(struct memory *memory, const struct value *value); /* evicts the oldest of a set */
void memory_drop(struct memory *memory, uint32_t key);

#endif
