/*
 * Verifies that no call touches memory outside the table and the block, at any geometry: each is
 * flush before a page that cannot be touched, and in front of one where sizes allow it. Touching it
 * ends the program; that the guard works at all is checked in a child that does so.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocators.h"
#include "filters.h"
#include "grid.h"

static struct guira *guarded_filter(const struct ref_shape *s) {
    return filter_with((struct guira_options){
        .buckets = s->M, .tag_bits = s->f, .window = s->w, .allocator = guarded_allocator()});
}

static bool visit_all(void *context, uint64_t element, unsigned multiplicity) {
    (void)element;
    *(uint64_t *)context += multiplicity;
    return true;
}

static void require_within_table(const struct ref_shape *s) {
    struct guira *f = guarded_filter(s);
    /* The table ends with its last bucket, at the forbidden page. */
    long page = sysconf(_SC_PAGESIZE);
    assert_int_equal((uintptr_t)(f->table.words + s->M) % (uintptr_t)page, 0);
    assert_int_equal(guira_insert_uniform(f, 0), GUIRA_OK);
    assert_int_equal(guira_insert_uniform(f, UINT64_MAX), GUIRA_OK);
    assert_true(guira_contains_uniform(f, UINT64_MAX));
    uint64_t n = 2 + fill(f, 0, UINT64_MAX);
    uint64_t visited = 0;
    assert_int_equal(guira_visit(f, visit_all, &visited), GUIRA_OK);
    assert_int_equal(visited, n);
    for (uint64_t x = s->U - 1, i = 0; i<1000; i++, x -= x> s->Q ? s->Q : 1) {
        (void)guira_contains_uniform(f, ref_hash_of(s, x));
        (void)guira_count_uniform(f, ref_hash_of(s, x));
        if (x == 0) {
            break;
        }
    }
    require_sound(f);
    assert_int_equal(guira_remove_uniform(f, UINT64_MAX), GUIRA_OK);
    assert_int_equal(guira_clear(f), GUIRA_OK);
    guira_destroy(f);
}

static void no_call_leaves_the_table_at_any_geometry(void **state) {
    (void)state;
    for_each_geometry(8, require_within_table);
    for_each_geometry(24, require_within_table);
    for_each_geometry(512, require_within_table); /* one page: a guard in front as well */
}

static void the_guard_catches_a_touch(void **state) {
    (void)state;
    struct ref_shape s;
    assert_true(ref_shape(8, 8, 2, &s));
    struct guira *f = guarded_filter(&s);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL); /* cmocka and sanitizers would handle it */
        (void)signal(SIGBUS, SIG_DFL);
        volatile const uint64_t *beyond = (const volatile uint64_t *)(f->table.words + s.M);
        (void)*beyond;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_leaves_the_table_at_any_geometry),
        cmocka_unit_test(the_guard_catches_a_touch),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
