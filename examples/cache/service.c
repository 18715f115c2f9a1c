/*
 * The order of the operations. What is in the store is in the filter, at every moment: so the
 * filter is the first to learn of a key and the last to forget it.
 *
 * Each shard has a lock, which puts, deletes and evictions of its keys hold from the first step to
 * the last, and look-ups from the cache to the store. The filter is asked without any lock.
 */
#include "service.h"

#include <stdlib.h>

#include <pthread.h>

#include "../threads.h"
#include "memory.h"

enum { SHARDS = 64 };

struct shard {
    pthread_mutex_t lock;
    struct memory *memory;
    uint32_t first; /* the keys from here up to, but not with, end */
    uint32_t end;
    uint32_t keys; /* in the store */
    uint64_t evicted;
};

struct service {
    struct store *store;
    struct guira *filter;
    uint32_t keys;
    uint32_t limit; /* of keys in the store, a shard */
    struct shard shard[SHARDS];
};

static struct shard *shard_of(struct service *s, uint32_t key) {
    return &s->shard[(uint64_t)key * SHARDS / s->keys];
}

static struct shard *lock_shard(struct service *s, uint32_t key) {
    struct shard *shard = shard_of(s, key);
    pthread_mutex_lock(&shard->lock);
    return shard;
}

/* ---- The filter, if there is one ------------------------------------------------------------- */

static bool may_have(const struct service *s, uint32_t key) {
    return s->filter == NULL || guira_contains_u64(s->filter, key);
}

static enum guira_status remember(struct service *s, uint32_t key) {
    return s->filter == NULL ? GUIRA_OK : guira_insert_u64(s->filter, key);
}

/* Only what was remembered is forgotten, so anything but GUIRA_OK is a fault of this program. */
static void forget(struct service *s, uint32_t key) {
    if (s->filter != NULL) {
        require_ok(guira_remove_u64(s->filter, key), "forget a key");
    }
}

/* ---- The four operations --------------------------------------------------------------------- */

enum answer service_get(struct service *s, uint32_t key, struct value *value) {
    if (!may_have(s, key)) {
        return REFUSED;
    }
    enum answer answer = FROM_MEMORY;
    struct shard *shard = lock_shard(s, key);
    if (!memory_get(shard->memory, key, value)) {
        int result = store_get(s->store, key, value);
        answer = result == STORE_OK ? FROM_STORE : result == STORE_HAS_NOT ? IN_VAIN : FAILED;
        if (answer == FROM_STORE) {
            memory_put(shard->memory, value);
        }
    }
    pthread_mutex_unlock(&shard->lock);
    return answer;
}

/* The lock is held. A delete that fails leaves the key in both, and so may go before the filter. */
static enum outcome take_out(struct service *s, struct shard *shard, uint32_t key) {
    int result = store_delete(s->store, key);
    if (result != STORE_OK) {
        return result == STORE_HAS_NOT ? NOTHING_TO_DO : STORE_FAILED;
    }
    forget(s, key);
    memory_drop(shard->memory, key);
    shard->keys--;
    return DONE;
}

enum outcome service_delete(struct service *s, uint32_t key) {
    if (!may_have(s, key)) {
        return NOTHING_TO_DO;
    }
    struct shard *shard = lock_shard(s, key);
    enum outcome outcome = take_out(s, shard, key);
    pthread_mutex_unlock(&shard->lock);
    return outcome;
}

/* Out of a full shard goes the key that follows the new one, or the first of all. */
static enum outcome evict(struct service *s, struct shard *shard, uint32_t new_key) {
    uint32_t victim;
    int result = store_next(s->store, new_key, &victim);
    if (result == STORE_HAS_NOT || (result == STORE_OK && victim >= shard->end)) {
        result = store_next(s->store, shard->first, &victim);
    }
    enum outcome outcome = result == STORE_OK ? take_out(s, shard, victim) : STORE_FAILED;
    shard->evicted += outcome == DONE;
    return outcome;
}

static enum outcome put_new(struct service *s, struct shard *shard, const struct value *value) {
    if (shard->keys >= s->limit && evict(s, shard, value->key) != DONE) {
        return STORE_FAILED;
    }
    if (remember(s, value->key) != GUIRA_OK) {
        return NO_ROOM; /* the key is in neither */
    }
    if (store_put(s->store, value->key, value) != STORE_OK) {
        forget(s, value->key);
        return STORE_FAILED;
    }
    shard->keys++;
    return DONE;
}

/* A key that is there already is only given another value, not inserted again. */
enum outcome service_put(struct service *s, const struct value *value) {
    struct value present;
    enum outcome outcome;
    struct shard *shard = lock_shard(s, value->key);
    int found = may_have(s, value->key) ? store_get(s->store, value->key, &present) : STORE_HAS_NOT;
    if (found == STORE_HAS_NOT) {
        outcome = put_new(s, shard, value);
    } else {
        bool done = found == STORE_OK && store_put(s->store, value->key, value) == STORE_OK;
        outcome = done ? DONE : STORE_FAILED;
    }
    if (outcome == DONE) {
        memory_put(shard->memory, value);
    }
    pthread_mutex_unlock(&shard->lock);
    return outcome;
}

/* ---- Start and end --------------------------------------------------------------------------- */

static void learn(void *context, uint32_t key) {
    struct service *s = context;
    require_ok(remember(s, key), "build the filter");
    shard_of(s, key)->keys++;
}

struct service *service_start(struct store *store, uint32_t keys, uint32_t limit, uint32_t cached,
                              double rate) {
    struct service *s = calloc(1, sizeof *s);
    require(s != NULL, "get memory");
    s->store = store;
    s->keys = keys;
    s->limit = limit / SHARDS;
    for (uint32_t i = 0; i < SHARDS; i++) {
        struct shard *shard = &s->shard[i];
        shard->first = (uint32_t)(((uint64_t)i * keys + SHARDS - 1) / SHARDS);
        shard->end = (uint32_t)(((uint64_t)(i + 1) * keys + SHARDS - 1) / SHARDS);
        shard->memory = memory_create(cached / SHARDS);
        require(shard->memory != NULL && pthread_mutex_init(&shard->lock, NULL) == 0, "get memory");
    }
    if (rate > 0) {
        struct guira_options options = {.capacity = limit, .false_positive_rate = rate, .seed = 8};
        require_ok(guira_create(&options, &s->filter), "create the filter");
    }
    require(store_each(store, learn, s) == STORE_OK, "read the store");
    return s;
}

void service_stop(struct service *s) {
    for (int i = 0; i < SHARDS; i++) {
        memory_destroy(s->shard[i].memory);
        pthread_mutex_destroy(&s->shard[i].lock);
    }
    guira_destroy(s->filter);
    free(s);
}

const struct guira *service_filter(const struct service *s) {
    return s->filter;
}

uint64_t service_keys(const struct service *s) {
    uint64_t keys = 0;
    for (int i = 0; i < SHARDS; i++) {
        keys += s->shard[i].keys;
    }
    return keys;
}

uint64_t service_evicted(const struct service *s) {
    uint64_t evicted = 0;
    for (int i = 0; i < SHARDS; i++) {
        evicted += s->shard[i].evicted;
    }
    return evicted;
}
