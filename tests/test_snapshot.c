/*
 * Verifies snapshots: the words and the count of a filter, beside writers too those of one instant;
 * memory is got and written to before locks are taken, and given back whatever fails.
 */
#include "snapshot.h"

#include "allocators.h"
#include "elements.h"
#include "grid.h"
#include "memory.h"
#include "threads.h"

/* ---- What the library does to memory --------------------------------------------------------- */

static struct {
    const struct guira *filter; /* whose locks are looked at; NULL: none */
    unsigned touches;
    bool locked; /* when memory was touched */
    unsigned sums;
    bool unlocked; /* when the counts were added up */
} watched;

void __real_guira__memory_touch(const struct guira_allocator *allocator, void *memory, size_t size);
void __wrap_guira__memory_touch(const struct guira_allocator *allocator, void *memory, size_t size);

void __wrap_guira__memory_touch(const struct guira_allocator *allocator, void *memory,
                                size_t size) {
    watched.touches++;
    watched.locked |= watched.filter != NULL && is_locked(watched.filter);
    __real_guira__memory_touch(allocator, memory, size);
}

uint64_t __real_guira__item_sum(const struct stripes *stripes);
uint64_t __wrap_guira__item_sum(const struct stripes *stripes);

uint64_t __wrap_guira__item_sum(const struct stripes *stripes) {
    watched.sums++;
    watched.unlocked |= watched.filter != NULL && !is_locked(watched.filter);
    return __real_guira__item_sum(stripes);
}

/* ---- A filter at rest ------------------------------------------------------------------------ */

static void require_snapshot(const struct ref_shape *s) {
    struct guira *f = filter_of(s->M, s->f, s->w);
    uint64_t items = fill(f, 0, s->M);
    struct snapshot snapshot;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_OK);
    assert_true(words_equal(f, snapshot.copy[0].words));
    assert_int_equal(snapshot.items, items);
    assert_true(snapshot.copy[0].bytes >= s->M * sizeof(uint64_t));
    guira__snapshot_release(f, &snapshot);
    assert_null(snapshot.copy[0].words);
    require_sound(f);
    guira_destroy(f);
}

static void a_snapshot_is_the_words_and_the_count(void **state) {
    (void)state;
    for_each_geometry(2, require_snapshot);
    for_each_geometry(77, require_snapshot);
}

static void a_snapshot_does_not_follow_its_filter(void **state) {
    (void)state;
    struct guira *f = filter_of(100, 12, 2);
    (void)fill(f, 0, 200);
    uint64_t *before = words_of(f);
    struct snapshot snapshot;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_OK);
    (void)fill(f, 1000, 100);
    assert_memory_equal(snapshot.copy[0].words, before, 100 * sizeof *before);
    assert_int_equal(snapshot.items, 200);
    memset(snapshot.copy[0].words, 0, snapshot.copy[0].bytes);
    require_sound(f);
    assert_int_equal(guira_size(f), 300);
    guira__snapshot_release(f, &snapshot);
    free(before);
    guira_destroy(f);
}

static void a_filter_without_locks_has_snapshots_too(void **state) {
    (void)state;
    struct guira *f = filter_with((struct guira_options){
        .capacity = 1000, .false_positive_rate = 0.01, .single_writer = true});
    (void)fill(f, 0, 1000);
    struct snapshot snapshot;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_OK);
    assert_true(words_equal(f, snapshot.copy[0].words));
    assert_int_equal(snapshot.items, 1000);
    guira__snapshot_release(f, &snapshot);
    guira_destroy(f);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void memory_is_got_and_touched_with_no_lock_held(void **state) {
    (void)state;
    struct watching watching = {0};
    struct guira *f =
        filter_with((struct guira_options){.capacity = 20000,
                                           .false_positive_rate = 0.01,
                                           .stripes = 8,
                                           .allocator = watching_allocator(&watching)});
    watching.filter[0] = f;
    watched.filter = f;
    watched.touches = 0;
    struct snapshot snapshot;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_OK);
    guira__snapshot_release(f, &snapshot);
    assert_int_equal(watching.calls, 2 + 2);
    assert_int_equal(watched.touches, 1);
    struct guira *copy = NULL; /* which is not made by way of a snapshot */
    assert_int_equal(guira_clone(f, &copy), GUIRA_OK);
    assert_int_equal(watched.touches, 2);
    assert_false(watching.locked);
    assert_false(watched.locked);

    /* That they would see one: */
    guira_fork_prepare(f);
    assert_true(is_locked(f));
    guira_fork_release(f);
    assert_false(is_locked(f));
    watching.filter[0] = NULL;
    watched.filter = NULL;
    guira_destroy(copy);
    guira_destroy(f);
}

/* Another thread would seldom come between an unlock and the count: that is not left to chance.
 */
static void the_count_is_taken_while_locks_are_held(void **state) {
    (void)state;
    struct guira *f = filter_for(1000, 0.01);
    struct snapshot snapshot;
    watched.filter = f;
    watched.sums = 0;
    watched.unlocked = false;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_OK);
    watched.filter = NULL;
    assert_int_equal(watched.sums, 1);
    assert_false(watched.unlocked);
    assert_false(is_locked(f));
    guira__snapshot_release(f, &snapshot);
    guira_destroy(f);
}

static void a_failing_allocator_changes_nothing(void **state) {
    (void)state;
    struct counting counting = {0};
    struct guira *f = filter_with((struct guira_options){
        .capacity = 1000, .false_positive_rate = 0.01, .allocator = counting_allocator(&counting)});
    (void)fill(f, 0, 1000);
    size_t bytes = counting.bytes;
    struct snapshot snapshot = {0};
    counting.fail_at = counting.calls + 1;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_NO_MEMORY);
    counting.misalign_at = counting.calls + 1;
    assert_int_equal(guira__snapshot_take(f, &snapshot), GUIRA_BAD_ALLOCATOR);
    assert_null(snapshot.copy[0].words);
    assert_int_equal(counting.bytes, bytes);
    assert_false(is_locked(f));
    require_sound(f);
    guira_destroy(f);
    assert_int_equal(counting.live, 0);
    assert_false(counting.mismatch);
}

/* ---- Beside writers -------------------------------------------------------------------------- */

struct churn {
    struct guira *filter;
    const atomic_bool *stop;
    uint64_t first;
};

/* Fills up and empties, near the brim: entries move all the time. */
static void *churn(void *context) {
    const struct churn *c = context;
    while (!atomic_load(c->stop)) {
        uint64_t in = fill(c->filter, c->first, 600);
        for (uint64_t i = 0; i < in; i++) {
            (void)guira_remove_u64(c->filter, scrambled(c->first + i));
        }
    }
    return NULL;
}

static uint64_t occupied(const struct guira *f, const uint64_t *words) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < f->table.geometry.buckets; i++) {
        sum += used_slots(&f->table.geometry, words[i]);
    }
    return sum;
}

static void beside_writers_count_and_words_agree(void **state) {
    (void)state;
    struct guira *f =
        filter_with((struct guira_options){.buckets = 256, .tag_bits = 12, .window = 2});
    atomic_bool stop = false;
    struct churn churns[2] = {{f, &stop, 0}, {f, &stop, 1u << 20}};
    struct crew crew;
    crew_begin(&crew, 2);
    crew_hire(&crew, churn, &churns[0]);
    crew_hire(&crew, churn, &churns[1]);
    uint64_t wrong = 0;
    uint64_t different = 0;
    uint64_t last = 0;
    for (uint64_t i = 0; i < scaled(20000) || different < 10; i++) {
        struct snapshot s;
        if (guira__snapshot_take(f, &s) != GUIRA_OK) {
            wrong++;
            break;
        }
        wrong += occupied(f, s.copy[0].words) != s.items;
        different += s.items != last;
        last = s.items;
        guira__snapshot_release(f, &s);
    }
    atomic_store(&stop, true);
    crew_end(&crew);
    assert_int_equal(wrong, 0);
    require_sound(f);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_is_the_words_and_the_count),
        cmocka_unit_test(a_snapshot_does_not_follow_its_filter),
        cmocka_unit_test(a_filter_without_locks_has_snapshots_too),
        cmocka_unit_test(memory_is_got_and_touched_with_no_lock_held),
        cmocka_unit_test(the_count_is_taken_while_locks_are_held),
        cmocka_unit_test(a_failing_allocator_changes_nothing),
        cmocka_unit_test(beside_writers_count_and_words_agree),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
