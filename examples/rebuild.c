/*
 * Rebuild a filter from the keys' own store while it serves: build aside, write to both, verify,
 * switch, and change one's mind or not. docs/embedding.md explains the order of the steps.
 *
 *     rebuild [KEYS]
 *
 * The store is what is true: here an array of flags, in shards with a lock each. A thread looks
 * keys up all the time, another inserts and deletes. No key that is there may ever be refused.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <guira/guira.h>

enum { SHARDS = 64, STABLE = 3 /* each third key is never deleted */ };

/* A part of the store, and the filters that its keys are written to, all changed under its lock. */
struct shard {
    pthread_mutex_t lock;
    struct guira *filter; /* the one that is sure to have all keys of the shard */
    struct guira *second; /* one that has them too, or NULL */
};

struct service {
    struct shard shard[SHARDS];
    bool *present; /* the store: is the key there? */
    uint64_t keys;
    struct guira_seat *seat; /* the filter that is asked */
    atomic_bool stop;
    uint64_t lookups;
    uint64_t refused; /* look-ups of a key that was there */
    uint64_t writes;
};

static void require(enum guira_status status, const char *what) {
    if (status != GUIRA_OK) {
        fprintf(stderr, "%s: %s\n", what, guira_status_text(status));
        exit(2);
    }
}

/* ---- Serving --------------------------------------------------------------------------------- */

static void *read_keys(void *context) {
    struct service *s = context;
    for (uint64_t key = 0; !atomic_load(&s->stop); key = (key + STABLE) % s->keys) {
        s->refused += !guira_seat_contains_u64(s->seat, key - key % STABLE);
        s->lookups++;
    }
    return NULL;
}

/* Into both filters, or into neither. */
static enum guira_status remember(struct shard *shard, uint64_t key) {
    enum guira_status status = guira_insert_u64(shard->filter, key);
    if (status == GUIRA_OK && shard->second != NULL) {
        status = guira_insert_u64(shard->second, key);
        if (status != GUIRA_OK) {
            require(guira_remove_u64(shard->filter, key), "take back");
        }
    }
    return status;
}

/* Out of both. The key is in them, since it was in the store. */
static void forget(struct shard *shard, uint64_t key) {
    require(guira_remove_u64(shard->filter, key), "remove");
    if (shard->second != NULL) {
        require(guira_remove_u64(shard->second, key), "remove from the second");
    }
}

/* The filters are the first to learn of a key and the last to forget it: so what is in the store is
 * in both of them at every moment. A key that they have no room for stays out of the store. */
static bool toggle(struct service *s, uint64_t key) {
    struct shard *shard = &s->shard[key % SHARDS];
    pthread_mutex_lock(&shard->lock);
    bool done = true;
    if (s->present[key]) {
        s->present[key] = false; /* a store that refuses this leaves the filters as they are */
        forget(shard, key);
    } else {
        done = remember(shard, key) == GUIRA_OK;
        s->present[key] = done; /* a store that refuses this has the key forgotten again */
    }
    pthread_mutex_unlock(&shard->lock);
    return done;
}

static void *write_keys(void *context) {
    struct service *s = context;
    uint64_t random = 1;
    while (!atomic_load(&s->stop)) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t key = (random >> 33) % s->keys;
        if (key % STABLE != 0) {
            s->writes += toggle(s, key);
        }
    }
    return NULL;
}

/* ---- Rebuilding ------------------------------------------------------------------------------ */

/* Step 5: from now on only one filter is written to. When this returns no writer uses another. */
static void write_only_to(struct service *s, struct guira *filter) {
    for (int i = 0; i < SHARDS; i++) {
        pthread_mutex_lock(&s->shard[i].lock);
        s->shard[i].filter = filter;
        s->shard[i].second = NULL;
        pthread_mutex_unlock(&s->shard[i].lock);
    }
}

/* The lock is held. */
static enum guira_status copy_shard(const struct service *s, uint64_t shard, struct guira *next) {
    enum guira_status status = GUIRA_OK;
    for (uint64_t key = shard; status == GUIRA_OK && key < s->keys; key += SHARDS) {
        if (s->present[key]) {
            status = guira_insert_u64(next, key);
        }
    }
    return status;
}

/* Steps 1 and 2. A shard is copied under its lock, and written to both filters from then on: so
 * each of its keys comes into the new one once, by the copy or by a write. NULL: given up, as the
 * new one has no room. */
static struct guira *build_aside(struct service *s, const struct guira_options *options) {
    struct guira *next = NULL;
    require(guira_create(options, &next), "create");
    enum guira_status status = GUIRA_OK;
    for (uint64_t i = 0; status == GUIRA_OK && i < SHARDS; i++) {
        pthread_mutex_lock(&s->shard[i].lock);
        status = copy_shard(s, i, next);
        s->shard[i].second = status == GUIRA_OK ? next : NULL;
        pthread_mutex_unlock(&s->shard[i].lock);
    }
    if (status != GUIRA_OK) {
        write_only_to(s, guira_seat_filter(s->seat));
        guira_destroy(next); /* it never had the seat, so no reader is in it */
        return NULL;
    }
    return next;
}

/* Step 3: all that the store has is there. */
static bool verify(struct service *s, const struct guira *next) {
    bool complete = true;
    for (uint64_t key = 0; key < s->keys; key++) {
        pthread_mutex_lock(&s->shard[key % SHARDS].lock);
        complete = complete && (!s->present[key] || guira_contains_u64(next, key));
        pthread_mutex_unlock(&s->shard[key % SHARDS].lock);
    }
    return complete;
}

static void rebuild(struct service *s, const struct guira_options *options, bool go_back) {
    struct guira *next = build_aside(s, options);
    if (next == NULL) {
        printf("%-12s capacity %llu is too small\n",
               "given up:", (unsigned long long)options->capacity);
        return;
    }
    if (!verify(s, next)) {
        fprintf(stderr, "the new filter is not complete\n");
        exit(1);
    }
    struct guira *old;
    require(guira_seat_replace(s->seat, next, &old), "replace"); /* step 4 */
    if (go_back) {
        require(guira_seat_replace(s->seat, old, &next), "go back"); /* it was written to as well */
        write_only_to(s, old);
        require(guira_seat_retire(s->seat, next), "retire");
    } else {
        write_only_to(s, next);
        require(guira_seat_retire(s->seat, old), "retire");
    }
    struct guira_info info;
    require(guira_get_info(guira_seat_filter(s->seat), &info), "info");
    printf("%-12s capacity %llu, %llu keys, %llu bytes\n",
           go_back ? "gone back:" : "rebuilt:", (unsigned long long)info.sizing.capacity,
           (unsigned long long)info.items, (unsigned long long)info.sizing.table_bytes);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void begin(struct service *s, uint64_t keys) {
    struct guira_options options = {.capacity = keys, .false_positive_rate = 0.05};
    struct guira *first = NULL;
    require(guira_create(&options, &first), "create");
    require(guira_seat_create(first, &s->seat), "seat");
    s->keys = keys;
    s->present = calloc(keys, sizeof *s->present);
    for (int i = 0; i < SHARDS; i++) {
        s->shard[i] = (struct shard){PTHREAD_MUTEX_INITIALIZER, first, NULL};
    }
    for (uint64_t key = 0; s->present != NULL && key < keys; key += STABLE) {
        if (!toggle(s, key)) {
            fprintf(stderr, "the first filter is too small\n");
            exit(2);
        }
    }
}

int main(int argc, char **argv) {
    long long keys = argc > 1 ? atoll(argv[1]) : 1000000;
    static struct service s;
    if (argc > 2 || keys < STABLE || keys > 100000000) {
        fprintf(stderr, "usage: rebuild [%d..100000000 KEYS]\n", STABLE);
        return 2;
    }
    begin(&s, (uint64_t)keys);
    pthread_t reader;
    pthread_t writer;
    if (s.present == NULL || pthread_create(&reader, NULL, read_keys, &s) != 0 ||
        pthread_create(&writer, NULL, write_keys, &s) != 0) {
        fprintf(stderr, "no memory or no thread\n");
        return 2;
    }
    /* Too small; a lower rate and another seed; then the same for good; then room for more keys. */
    struct guira_options options = {.capacity = (uint64_t)keys / 5 + 1,
                                    .false_positive_rate = 0.001};
    rebuild(&s, &options, true);
    options.capacity = (uint64_t)keys;
    rebuild(&s, &options, true);
    rebuild(&s, &options, false);
    options.capacity *= 2;
    rebuild(&s, &options, false);
    atomic_store(&s.stop, true);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    printf("%llu look-ups of keys that were there, %llu refused; %llu writes beside\n",
           (unsigned long long)s.lookups, (unsigned long long)s.refused,
           (unsigned long long)s.writes);
    guira_seat_destroy(s.seat);
    free(s.present);
    return s.refused == 0 ? 0 : 1;
}
