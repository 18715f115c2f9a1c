/*
 * Verifies where memory comes from. The C library's and the system's calls are wrapped by the
 * linker, so that every byte that the library gets without hooks is counted and any call can fail.
 */
#include "memory.h"

#include <errno.h>

#include <sys/mman.h>
#include <unistd.h>

#include "allocators.h"
#include "grown.h"
#include "test.h"

void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *memory, size_t size);

static struct {
    bool on;
    unsigned calls;
    unsigned fail_at;
    unsigned frees;
    size_t asked; /* bytes of all calls that succeeded */
    size_t unmapped;
    size_t mapped;
} traffic;

static bool refuse(size_t size) {
    traffic.calls++;
    bool refused = traffic.calls == traffic.fail_at;
    traffic.asked += refused ? 0 : size;
    return refused;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return traffic.on && refuse(size) ? NULL : __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *memory) {
    traffic.frees += traffic.on && memory != NULL;
    __real_free(memory);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    if (traffic.on && refuse(size)) {
        return MAP_FAILED;
    }
    traffic.mapped += traffic.on ? size : 0;
    return __real_mmap(at, size, protection, flags, file, offset);
}

int __wrap_munmap(void *memory, size_t size) {
    traffic.unmapped += traffic.on ? size : 0;
    return __real_munmap(memory, size);
}

static void watch(unsigned fail_at) {
    memset(&traffic, 0, sizeof traffic);
    traffic.on = true;
    traffic.fail_at = fail_at;
}

static struct guira_options of_capacity(uint64_t capacity) {
    return (struct guira_options){.capacity = capacity, .false_positive_rate = 0.01, .seed = 1};
}

static void every_byte_without_hooks_is_reported(void **state) {
    (void)state;
    static const uint64_t capacity[] = {1, 100, 20000, 1500000, 2000000, 10000000};
    for (size_t i = 0; i < sizeof capacity / sizeof capacity[0]; i++) {
        struct guira_options options = of_capacity(capacity[i]);
        struct guira *f = NULL;
        struct guira_info info;
        watch(0);
        enum guira_status status = guira_create(&options, &f);
        traffic.on = false;
        assert_int_equal(status, GUIRA_OK);
        assert_int_equal(guira_get_info(f, &info), GUIRA_OK);
        assert_int_equal(traffic.asked, info.sizing.allocated_bytes);
        assert_int_equal(traffic.calls, 2);
        assert_true((traffic.mapped > 0) == (info.sizing.table_bytes >= 2u << 20));
        size_t mapped = traffic.mapped;
        watch(0);
        guira_destroy(f);
        traffic.on = false;
        assert_int_equal(traffic.unmapped, mapped);
        assert_int_equal(traffic.frees, mapped > 0 ? 1 : 2);
    }
}

static void a_failing_system_leaves_nothing_behind(void **state) {
    (void)state;
    static const uint64_t capacity[] = {100, 10000000};
    for (size_t i = 0; i < 2; i++) {
        for (unsigned fail_at = 1; fail_at <= 2; fail_at++) {
            struct guira_options options = of_capacity(capacity[i]);
            struct guira *f = NULL;
            watch(fail_at);
            enum guira_status status = guira_create(&options, &f);
            traffic.on = false;
            assert_int_equal(status, GUIRA_NO_MEMORY);
            assert_null(f);
            assert_int_equal(traffic.frees + (traffic.unmapped > 0), fail_at - 1);
            assert_int_equal(traffic.unmapped, traffic.mapped);
        }
    }
}

static void nothing_is_allocated_after_creation(void **state) {
    (void)state;
    struct guira *f = filter_of(64, 12, 2);
    watch(0);
    for (uint64_t key = 0; key < 500; key++) {
        (void)guira_insert_u64(f, key);
        (void)guira_insert(f, &key, sizeof key);
        (void)guira_contains_u64(f, key);
        (void)guira_count_u64(f, key);
    }
    (void)guira_check(f, NULL);
    (void)guira_clear(f);
    traffic.on = false;
    assert_int_equal(traffic.calls, 0);
    guira_destroy(f);
}

/* Pages of the table that are in memory; the test fails if its addresses are no longer its own. */
static size_t resident_pages(const struct table *t) {
    static unsigned char in_memory[4096];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = (size_t)t->geometry.buckets * sizeof(atomic_word) / page;
    assert_in_range(pages, 1, sizeof in_memory);
    assert_int_equal(mincore((void *)t->words, pages * page, in_memory), 0);
    size_t resident = 0;
    for (size_t i = 0; i < pages; i++) {
        resident += in_memory[i] & 1;
    }
    return resident;
}

static void a_table_that_was_left_costs_addresses_only(void **state) {
    (void)state;
    watch(0);
    struct guira *f = growing_of(262144, 32, 2, 2000000); /* tables of 2, 4 and 8 MiB */
    uint64_t in = 0;
    while (level_of(f) < 2 || is_migrating(f)) {
        assert_int_equal(guira_insert_u64(f, scrambled(in)), GUIRA_OK);
        in++;
        if (in % 100000 == 0 && is_migrating(f)) {
            assert_true(resident_pages(table_of_level(f, level_of(f) - 1)) > 0);
        }
    }
    for (uint32_t level = 0; level < 2; level++) {
        assert_int_equal(resident_pages(table_of_level(f, level)), 0);
        assert_int_equal(entries_in(table_of_level(f, level)), 0);
    }
    assert_true(resident_pages(table_of_level(f, 2)) > 2000);
    assert_int_equal(traffic.unmapped, 0);
    assert_true(traffic.mapped >= (size_t)7 * 262144 * 8);
    size_t mapped = traffic.mapped;
    guira_destroy(f);
    traffic.on = false;
    assert_int_equal(traffic.unmapped, mapped);
}

/* A stripe's pages go when the stripe is empty, not when all are. */
static void pages_go_back_while_a_table_is_left(void **state) {
    (void)state;
    struct guira *f = filter_with((struct guira_options){
        .buckets = 524288, .tag_bits = 16, .window = 4, .max_capacity = 3000000, .stripes = 64});
    for (uint64_t i = 0; i < 700000; i++) {
        assert_int_equal(guira_insert_u64(f, scrambled(i)), GUIRA_OK);
    }
    const struct table *old = table_of_level(f, 0);
    size_t before = resident_pages(old);
    begin_growth(f);
    for (unsigned i = 0; i < 30000; i++) { /* in the first stripe, then where there is work */
        assert_int_equal(guira_remove_uniform(f, i), GUIRA_NOT_FOUND);
    }
    assert_true(is_migrating(f));
    size_t now = resident_pages(old);
    require(now < before * 3 / 4 && now > before / 8, "%zu pages of %zu", now, before);
    guira_destroy(f);
}

static void growth_without_pages_is_refused(void **state) {
    (void)state;
    struct guira *f = growing_of(262144, 32, 2, 2000000);
    assert_int_equal(fill(f, 0, 1000), 1000);
    watch(1);
    assert_int_equal(guira_reserve(f, 2000000), GUIRA_NO_MEMORY);
    assert_false(is_migrating(f));
    assert_int_equal(guira_reserve(f, 2000000), GUIRA_OK);
    traffic.on = false;
    assert_true(is_migrating(f));
    guira_destroy(f);
}

static void memory_is_zeroed_and_aligned_from_every_source(void **state) {
    (void)state;
    struct counting counting = {0};
    const struct guira_allocator hooks = counting_allocator(&counting);
    const struct guira_allocator none = {0};
    static const size_t size[] = {64, 4096, (2u << 20) - 64, 2u << 20, 3u << 20};
    for (size_t i = 0; i < 10; i++) {
        const struct guira_allocator *allocator = i < 5 ? &hooks : &none;
        size_t bytes = guira__memory_size(allocator, size[i % 5] - 1);
        assert_true(bytes >= size[i % 5] - 1 && bytes < size[i % 5] + 4096);
        assert_int_equal(bytes % CACHE_LINE, 0);
        void *memory;
        assert_int_equal(guira__memory_get(allocator, bytes, &memory), GUIRA_OK);
        assert_int_equal((uintptr_t)memory % CACHE_LINE, 0);
        const uint8_t *byte = memory;
        for (size_t j = 0; j < bytes; j++) {
            assert_true(byte[j] == 0);
        }
        guira__memory_give_back(allocator, memory, bytes);
    }
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

/* Whether the first byte of the memory was written to. */
static bool is_touched(const struct guira_allocator *allocator, size_t size) {
    void *memory;
    assert_int_equal(guira__memory_get(allocator, size, &memory), GUIRA_OK);
    char *first = memory;
    char *last = first + size - 4096;
    *first = 1;
    *last = 1;
    guira__memory_touch(allocator, memory, size);
    assert_int_equal(*first, *last);
    bool touched = *first == 0;
    guira__memory_give_back(allocator, memory, size);
    return touched;
}

static void only_pages_of_the_system_are_touched(void **state) {
    (void)state;
    struct counting counting = {0};
    const struct guira_allocator hooks = counting_allocator(&counting);
    const struct guira_allocator none = {0};
    assert_true(is_touched(&none, 2u << 20));
    assert_false(is_touched(&none, 1u << 20)); /* it was cleared, which is enough */
    assert_false(is_touched(&hooks, 2u << 20));
}

static void giving_back_keeps_errno(void **state) {
    (void)state;
    struct counting counting = {0};
    const struct guira_allocator hooks = counting_allocator(&counting);
    void *memory;
    assert_int_equal(guira__memory_get(&hooks, 64, &memory), GUIRA_OK);
    errno = ENOSPC;
    guira__memory_give_back(&hooks, memory, 64);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(counting.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_without_hooks_is_reported),
        cmocka_unit_test(a_failing_system_leaves_nothing_behind),
        cmocka_unit_test(nothing_is_allocated_after_creation),
        cmocka_unit_test(a_table_that_was_left_costs_addresses_only),
        cmocka_unit_test(pages_go_back_while_a_table_is_left),
        cmocka_unit_test(growth_without_pages_is_refused),
        cmocka_unit_test(memory_is_zeroed_and_aligned_from_every_source),
        cmocka_unit_test(only_pages_of_the_system_are_touched),
        cmocka_unit_test(giving_back_keeps_errno),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
