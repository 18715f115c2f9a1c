/*
 * Verifies how much stack calls need: the deepest, inserts, merges and saves, and those that use
 * much beside them, run in a thread that has as little as guira.h asks for, before a page that
 * cannot be touched.
 */
#include <pthread.h>
#include <unistd.h>

#include "allocators.h"
#include "folder.h"
#include "kernel_list.h"
#include "test.h"

enum {
    MOST = 80 * 1024,  /* so that the 96 KiB of guira.h hold with other compilers, too */
    STACK = 96 * 1024, /* the thread's own part is in it */
    UNUSED = 0xff,     /* the allocator's bytes */
    KEYS = 600         /* more than fit into each of the tables */
};

struct work {
    uint32_t tag_bits;
    uint32_t window;
    const char *did; /* what was done last, NULL if that went as it should */
};

/* Not on the stack. */
static uint64_t keys[KEYS];
static enum guira_status results[KEYS];
static bool found[KEYS];

static int take(void *context, const void *bytes, size_t length) {
    (void)context;
    (void)bytes;
    (void)length;
    return 0;
}

static bool insert_too_many(struct guira *f) {
    enum guira_status status = GUIRA_OK;
    for (int i = 0; i < KEYS && status == GUIRA_OK; i++) {
        status = guira_insert_u64(f, keys[i]);
    }
    return status == GUIRA_FULL &&
           guira_insert_batch(f, guira_keys_u64(keys, KEYS), results) == GUIRA_PARTIAL &&
           guira_insert_unique_batch(f, guira_keys_u64(keys, KEYS), results) == GUIRA_PARTIAL &&
           guira_contains_batch(f, guira_keys_u64(keys, KEYS), found) == GUIRA_OK;
}

static bool save_and_load(const struct guira *f) {
    struct guira_save_options in_place = {.in_place = true};
    struct guira *loaded = NULL;
    struct guira *mapped = NULL;
    bool ok = guira_save(f, NULL, take, NULL) == GUIRA_OK &&
              guira_save(f, &in_place, take, NULL) == GUIRA_OK &&
              guira_save_file(f, NULL, folder.file) == GUIRA_OK &&
              guira_load_file(NULL, folder.file, &loaded) == GUIRA_OK &&
              guira_map_file(NULL, folder.file, &mapped) == GUIRA_OK &&
              guira_check(loaded, NULL) == GUIRA_OK && guira_check(mapped, NULL) == GUIRA_OK;
    guira_destroy(mapped);
    guira_destroy(loaded);
    return ok;
}

/* Twice what fills a table fits nowhere: the searches go as far as they can, and all is taken back.
 * The union with one key more fits or not. */
static bool merge(struct guira *full, struct guira *other) {
    enum guira_status added = guira_merge_unique(other, full);
    return guira_merge(full, full) != GUIRA_OK && guira_size(other) > 0 &&
           (added == GUIRA_OK || added == GUIRA_FULL) && guira_check(full, NULL) == GUIRA_OK &&
           guira_check(other, NULL) == GUIRA_OK;
}

static void *do_all(void *context) {
    struct work *w = context;
    const struct guira_options options = {.buckets = 60,
                                          .tag_bits = w->tag_bits,
                                          .window = w->window,
                                          .seed = 1,
                                          .search_budget = GUIRA_MAX_SEARCH_BUDGET};
    struct guira *full = NULL;
    struct guira *other = NULL;
    struct guira *copy = NULL;
    w->did = "create";
    if (guira_create(&options, &full) == GUIRA_OK && guira_create(&options, &other) == GUIRA_OK &&
        guira_insert_u64(other, keys[0]) == GUIRA_OK) {
        w->did = !insert_too_many(full)                 ? "insert"
                 : !merge(full, other)                  ? "merge"
                 : !save_and_load(full)                 ? "save"
                 : guira_clone(full, &copy) != GUIRA_OK ? "clone"
                                                        : NULL;
    }
    guira_destroy(copy);
    guira_destroy(other);
    guira_destroy(full);
    return NULL;
}

/* A table that doubles, also with entries that must make room for those that move. */
static void *grow(void *context) {
    struct work *w = context;
    const struct guira_options options = {.buckets = 15,
                                          .tag_bits = w->tag_bits,
                                          .window = w->window,
                                          .max_capacity = GUIRA_NO_MAXIMUM,
                                          .seed = 1,
                                          .search_budget = GUIRA_MAX_SEARCH_BUDGET};
    struct guira *f = NULL;
    w->did = "create";
    if (guira_create(&options, &f) == GUIRA_OK) {
        w->did = insert_too_many(f) ? NULL : "insert";
    }
    guira_destroy(f);
    return NULL;
}

static void *do_nothing(void *context) {
    return context;
}

/* How many bytes of its stack a thread uses for work(context). */
static size_t stack_used(void *(*work)(void *context), void *context) {
    const struct guira_allocator allocator = guarded_allocator();
    unsigned char *stack = allocator.allocate(allocator.context, STACK, 64);
    assert_non_null(stack);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, work, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)pthread_attr_destroy(&attributes);
    size_t unused = 0;
    while (unused < STACK && stack[unused] == UNUSED) {
        unused++;
    }
    allocator.release(allocator.context, stack, STACK, 64);
    return STACK - unused;
}

static void every_call_keeps_to_the_stack_that_is_promised(void **state) {
    (void)state;
    if (test_is_slow()) {
        skip(); /* sanitizers put red zones between the variables */
    }
#define SHAPE_OF(f, w) {f, w, NULL},
    struct work all[] = {KERNEL_LIST(SHAPE_OF){7, 2, NULL}, {13, 1, NULL}};
#undef SHAPE_OF
    for (int i = 0; i < KEYS; i++) {
        keys[i] = scrambled((uint64_t)i);
    }
    size_t own = stack_used(do_nothing, NULL);
    size_t most = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        size_t used = stack_used(do_all, &all[i]) - own;
        require(all[i].did == NULL, "%u, %u: %s", all[i].tag_bits, all[i].window, all[i].did);
        most = used > most ? used : most;
    }
    struct work growing[] = {
        {8, 2, NULL}, {8, 3, NULL}, {9, 3, NULL}}; /* one, one, two doublings */
    for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++) {
        size_t used = stack_used(grow, &growing[i]) - own;
        require(growing[i].did == NULL, "grow %u, %u: %s", growing[i].tag_bits, growing[i].window,
                growing[i].did);
        most = used > most ? used : most;
    }
    print_message("%zu bytes of stack, and %zu of a thread that does nothing\n", most, own);
    require(most <= MOST, "%zu bytes", most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_keeps_to_the_stack_that_is_promised),
    };
    return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
