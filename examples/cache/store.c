/*
 * The store, and its witness. Every call is a transaction of its own. Nothing is synced to the
 * disk, as nothing here has to survive a power cut.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, nanosleep */

#include "store.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include <lmdb.h>

_Static_assert(STORE_OK == MDB_SUCCESS && STORE_HAS_NOT == MDB_NOTFOUND, "as in LMDB");

#define FOLDER "/tmp/guira-cache-XXXXXX"

enum { BYTES_A_KEY = 1024 /* at most, with half-empty pages and those being copied */ };
enum { STALLING = 64, PAUSE = 100000 /* nanoseconds */ };

struct store {
    MDB_env *env;
    MDB_dbi database;
    uint32_t keys;
    uint32_t failing;
    _Atomic uint32_t puts;
    _Atomic uint32_t writes;
    _Atomic uint32_t *witness;
    char folder[sizeof FOLDER];
};

/* ---- Life ------------------------------------------------------------------------------------ */

static int open_database(struct store *store) {
    MDB_txn *txn;
    int result = mdb_env_create(&store->env);
    if (result == STORE_OK) {
        result =
            mdb_env_set_mapsize(store->env, (size_t)16 << 20 | (size_t)store->keys * BYTES_A_KEY);
    }
    if (result == STORE_OK) {
        result = mdb_env_open(store->env, store->folder, MDB_NOSYNC, 0600);
    }
    if (result == STORE_OK) {
        result = mdb_txn_begin(store->env, NULL, 0, &txn);
    }
    if (result == STORE_OK) {
        result = mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &store->database);
        int committed = mdb_txn_commit(txn);
        result = result == STORE_OK ? committed : result;
    }
    return result;
}

struct store *store_open(uint32_t keys, uint32_t failing) {
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return NULL;
    }
    store->keys = keys;
    store->failing = failing;
    store->witness = calloc(keys, sizeof *store->witness);
    memcpy(store->folder, FOLDER, sizeof FOLDER);
    if (mkdtemp(store->folder) == NULL) {
        store->folder[0] = '\0';
    }
    if (store->witness == NULL || store->folder[0] == '\0' || open_database(store) != STORE_OK) {
        store_close(store);
        return NULL;
    }
    return store;
}

void store_close(struct store *store) {
    static const char *const names[] = {"data.mdb", "lock.mdb"};
    char path[sizeof FOLDER + 16];
    if (store->env != NULL) {
        mdb_env_close(store->env);
    }
    for (int i = 0; i < 2 && store->folder[0] != '\0'; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", store->folder, names[i]);
        (void)unlink(path);
    }
    if (store->folder[0] != '\0') {
        (void)rmdir(store->folder);
    }
    free(store->witness);
    free(store);
}

/* ---- Single keys ----------------------------------------------------------------------------- */

int store_get(struct store *store, uint32_t key, struct value *value) {
    MDB_txn *txn;
    MDB_val name = {sizeof key, &key};
    MDB_val found;
    int result = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (result == STORE_OK) {
        result = mdb_get(txn, store->database, &name, &found);
        if (result == STORE_OK) {
            memcpy(value, found.mv_data, sizeof *value); /* it is the store's until the end */
        }
        mdb_txn_abort(txn);
    }
    return result;
}

/* Some writes take long, as on a disk: the check of the order of operations needs the time.
 * Sleeping here holds no lock of LMDB. */
static void stall_at_times(struct store *store) {
    struct timespec pause = {.tv_nsec = PAUSE};
    if (atomic_fetch_add(&store->writes, 1) % STALLING == 0) {
        (void)nanosleep(&pause, NULL);
    }
}

/* End a transaction: for good if all went well so far. */
static int end(MDB_txn *txn, int result) {
    if (result == STORE_OK) {
        return mdb_txn_commit(txn);
    }
    mdb_txn_abort(txn);
    return result;
}

static void toggle_witness(struct store *store, uint32_t key) {
    atomic_fetch_add(&store->witness[key], 1);
}

int store_put(struct store *store, uint32_t key, const struct value *value) {
    struct value copy = *value; /* as LMDB takes what may be written to */
    MDB_txn *txn;
    MDB_val name = {sizeof key, &key};
    MDB_val data = {sizeof copy, &copy};
    int result = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (result == STORE_OK) {
        result = mdb_put(txn, store->database, &name, &data, 0);
        if (store->failing != 0 && atomic_fetch_add(&store->puts, 1) % store->failing == 0) {
            result = ENOSPC;
        }
        result = end(txn, result);
    }
    if (result == STORE_OK && store_witness(store, key) % 2 == 0) {
        toggle_witness(store, key);
    }
    stall_at_times(store);
    return result;
}

int store_delete(struct store *store, uint32_t key) {
    bool was_there = store_witness(store, key) % 2 == 1;
    MDB_txn *txn;
    MDB_val name = {sizeof key, &key};
    stall_at_times(store);
    int result = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (result == STORE_OK) {
        result = mdb_del(txn, store->database, &name, NULL);
        if (was_there) {
            toggle_witness(store, key); /* from now on nobody can be sure of it */
        }
        result = end(txn, result);
    }
    if (was_there && result != STORE_OK && store_witness(store, key) % 2 == 0) {
        toggle_witness(store, key);
    }
    return result;
}

uint32_t store_witness(const struct store *store, uint32_t key) {
    return atomic_load(&store->witness[key]);
}

/* ---- Many ------------------------------------------------------------------------------------ */

int store_fill(struct store *store) {
    struct value value = {.text = "from the beginning"};
    MDB_txn *txn;
    MDB_val name = {sizeof value.key, &value.key};
    MDB_val data = {sizeof value, &value};
    int result = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (result != STORE_OK) {
        return result;
    }
    for (; value.key < store->keys && result == STORE_OK; value.key += 2) {
        result = mdb_put(txn, store->database, &name, &data, MDB_APPEND);
        toggle_witness(store, value.key);
    }
    return end(txn, result);
}

/* From one key on to the end, or to the first one for which visit is NULL, which is *first. */
static int walk(struct store *store, uint32_t *first, void (*visit)(void *context, uint32_t key),
                void *context) {
    MDB_txn *txn;
    MDB_cursor *cursor;
    MDB_val name = {sizeof *first, first};
    MDB_val data;
    int result = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (result != STORE_OK) {
        return result;
    }
    result = mdb_cursor_open(txn, store->database, &cursor);
    if (result == STORE_OK) {
        result = mdb_cursor_get(cursor, &name, &data, MDB_SET_RANGE);
        while (result == STORE_OK) {
            uint32_t key;
            memcpy(&key, name.mv_data, sizeof key);
            if (visit == NULL) {
                *first = key;
                break;
            }
            visit(context, key);
            result = mdb_cursor_get(cursor, &name, &data, MDB_NEXT);
        }
        mdb_cursor_close(cursor);
    }
    mdb_txn_abort(txn);
    return result;
}

int store_next(struct store *store, uint32_t from, uint32_t *key) {
    uint32_t first = from;
    int result = walk(store, &first, NULL, NULL);
    if (result == STORE_OK) {
        *key = first;
    }
    return result;
}

int store_each(struct store *store, void (*visit)(void *context, uint32_t key), void *context) {
    uint32_t first = 0;
    int result = walk(store, &first, visit, context);
    return result == STORE_HAS_NOT ? STORE_OK : result; /* there is no next one */
}
