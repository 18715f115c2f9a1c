/*
 * A multithreaded cache in front of a store that is on disk (LMDB), and a filter of the store's
 * keys in front of both: look-ups of keys that the store has not are refused before they reach it.
 *
 *     cache [BITS] [THREADS] [OPERATIONS]     2^BITS keys, half of them in the store
 *
 * Shown is what the filter saves and costs, by the same skewed load of reads, puts, deletes and
 * evictions without it and with it. Claimed is that no key that the store has was ever refused, and
 * that filter and store hold the same keys at the end; the status is 1 if that is not so.
 * cache/service.c is the part to copy.
 */
#include "cache/load.h"
#include "threads.h"

#define RATE 0.005

enum { FAILING = 1000, CACHED = 16 /* one value of so many keys */ };

struct result {
    struct load load;
    uint64_t operations;
    uint64_t keys;
    uint64_t evicted;
    struct guira_info info;
    uint64_t lost;      /* keys in the store and not in the filter */
    uint64_t found;     /* keys in neither but found in the filter */
    bool sound;         /* as many entries as keys, and the table is in order */
    bool store_is_true; /* the store has as many keys as the service counted */
};

/* ---- What must hold at the end --------------------------------------------------------------- */

struct walk {
    const struct guira *filter;
    const struct store *store;
    uint64_t keys;
    uint64_t lost;
};

static void visit(void *context, uint32_t key) {
    struct walk *walk = context;
    walk->keys++;
    walk->lost += walk->filter != NULL && !guira_contains_u64(walk->filter, key);
    require(store_witness(walk->store, key) % 2 == 1, "trust the witness");
}

static void compare(struct result *r, const struct service *service, struct store *store,
                    uint32_t keys) {
    const struct guira *filter = service_filter(service);
    struct walk walk = {.filter = filter, .store = store};
    require(store_each(store, visit, &walk) == STORE_OK, "read the store");
    r->keys = walk.keys;
    r->evicted = service_evicted(service);
    r->store_is_true = walk.keys == service_keys(service);
    r->lost = walk.lost;
    r->sound = true;
    if (filter != NULL) {
        require_ok(guira_get_info(filter, &r->info), "ask the filter");
        r->sound = guira_size(filter) == walk.keys && guira_check(filter, NULL) == GUIRA_OK;
        for (uint32_t key = 0; key < keys; key++) {
            r->found += store_witness(store, key) % 2 == 0 && guira_contains_u64(filter, key);
        }
    }
}

static struct result run(uint32_t keys, unsigned threads, uint64_t operations, double rate) {
    struct result result = {.operations = threads * operations};
    struct store *store = store_open(keys, FAILING);
    require(store != NULL && store_fill(store) == STORE_OK, "make a store");
    struct service *service = service_start(store, keys, keys / 2, keys / CACHED, rate);
    result.load = load_run(service, store, keys, threads, operations);
    compare(&result, service, store, keys);
    service_stop(service);
    store_close(store);
    return result;
}

/* ---- What is told ---------------------------------------------------------------------------- */

static void row(const char *what, double without, double with, int digits) {
    printf("%-42s %14.*f %14.*f\n", what, digits, without, digits, with);
}

static void report(const struct result *without, const struct result *with) {
    const struct load *a = &without->load;
    const struct load *b = &with->load;
    printf("%-42s %14s %14s\n", "", "without", "with filter");
    row("reads answered by the cache", (double)a->answers[FROM_MEMORY],
        (double)b->answers[FROM_MEMORY], 0);
    row("reads answered by the store", (double)a->answers[FROM_STORE],
        (double)b->answers[FROM_STORE], 0);
    row("reads of the store in vain", (double)a->answers[IN_VAIN], (double)b->answers[IN_VAIN], 0);
    row("reads of the store avoided", 0, (double)b->answers[REFUSED], 0);
    row("puts and deletes done", (double)a->outcomes[DONE], (double)b->outcomes[DONE], 0);
    row("keys evicted from the store", (double)without->evicted, (double)with->evicted, 0);
    row("writes that the store failed, as planted", (double)a->outcomes[STORE_FAILED],
        (double)b->outcomes[STORE_FAILED], 0);
    row("puts that the filter had no room for", 0, (double)b->outcomes[NO_ROOM], 0);
    row("keys in the store at the end", (double)without->keys, (double)with->keys, 0);
    double operations = (double)(without->operations);
    row("operations a millisecond", operations / a->seconds / 1e3, operations / b->seconds / 1e3,
        0);
    row("a read, median, microseconds", a->p50, b->p50, 2);
    row("a read, p99, microseconds", a->p99, b->p99, 2);
    row("reads of keys that were surely there", (double)a->surely_there, (double)b->surely_there,
        0);
    row("and found nothing", (double)a->refused_wrongly, (double)b->refused_wrongly, 0);
}

static bool holds(const char *claim, bool is_true) {
    printf("%-70s %s\n", claim, is_true ? "yes" : "NO");
    return is_true;
}

static bool judge(const struct result *r, uint32_t keys) {
    double absent = (double)(keys - r->keys);
    bool good = holds("no key that the store had was refused", r->load.refused_wrongly == 0);
    good &= holds("no answer was another key's", r->load.wrong_values == 0);
    good &= holds("the store answered, and has the keys it should",
                  r->store_is_true && r->load.answers[FAILED] == 0);
    good &= holds("the filter has all keys of the store", r->lost == 0);
    good &= holds("and no other entries, and is in order", r->sound);
    good &= holds("of the absent keys it finds no more than twice what was promised",
                  (double)r->found <= 2 * RATE * absent + 10);
    return good;
}

int main(int argc, char **argv) {
    uint64_t bits = number_or(argv, 1, argc, 20);
    uint64_t threads = number_or(argv, 2, argc, 4);
    uint64_t operations = number_or(argv, 3, argc, 500000);
    if (argc > 4 || bits < 8 || bits > 24 || threads < 1 || threads > MOST_THREADS) {
        fprintf(stderr, "usage: cache [8..24 BITS] [1..%d THREADS] [OPERATIONS]\n", MOST_THREADS);
        return COULD_NOT_RUN;
    }
    uint32_t keys = (uint32_t)1 << bits;
    struct result without = run(keys, (unsigned)threads, operations, 0);
    struct result with = run(keys, (unsigned)threads, operations, RATE);
    printf("%u keys, half of them in the store; %u threads, %llu operations each\n\n", keys,
           (unsigned)threads, (unsigned long long)operations);
    report(&without, &with);
    printf("\nfilter: %llu bytes, %.2f %% of absent keys found\n\n",
           (unsigned long long)with.info.sizing.table_bytes,
           1e2 * (double)with.found / (double)(keys - with.keys));
    bool good = judge(&with, keys);
    return good && without.load.refused_wrongly == 0 && without.load.wrong_values == 0 ? 0 : 1;
}
