/*
 * The service: a cache in front of a store, and a filter in front of both. service.c is the part of
 * the example to copy.
 */
#ifndef CACHE_SERVICE_H
#define CACHE_SERVICE_H

#include <guira/guira.h>

#include "store.h"

enum answer {
    REFUSED,     /* the filter says that the store has it not: nothing else was asked */
    FROM_MEMORY, /* found in the cache */
    FROM_STORE,  /* found in the store, and in the cache from now on */
    IN_VAIN,     /* the store was asked and has it not */
    FAILED,      /* a call on the store failed */
    ANSWERS
};

enum outcome { DONE, NOTHING_TO_DO, NO_ROOM, STORE_FAILED, OUTCOMES };

struct service;

/*
 * Serve a store that holds `limit` keys at most, of those below `keys`. The filter is built from
 * what the store has.
 *
 * cached  how many values the cache keeps
 * rate    of the filter; 0: serve without a filter
 */
struct service *service_start(struct store *store, uint32_t keys, uint32_t limit, uint32_t cached,
                              double rate);
void service_stop(struct service *service); /* the store goes on */

/* From any number of threads. A put into a full part of the store first evicts another key. */
enum answer service_get(struct service *service, uint32_t key, struct value *value);
enum outcome service_put(struct service *service, const struct value *value);
enum outcome service_delete(struct service *service, uint32_t key);

const struct guira *service_filter(const struct service *service); /* NULL: there is none */
uint64_t service_keys(const struct service *service); /* in the store; nobody writes meanwhile */
uint64_t service_evicted(const struct service *service);

#endif
