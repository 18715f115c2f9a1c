/*
 * Verifies fork between the hooks, while other threads are inside calls: the child has a whole
 * filter that it can change, the parent's goes on unharmed; and that without the hooks a child may
 * still look up.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "elements.h"
#include "grown.h"
#include "test.h"
#include "threads.h"

enum { STABLE = 200, CHURNED = 150, FORKS = 20 };

struct scene {
    struct guira *filter;
    const uint64_t *hashes;
    atomic_bool over;
    atomic_uint wrong;
};

static void *churn(void *context) {
    struct scene *s = context;
    bool in[CHURNED] = {false};
    for (uint64_t i = 0; !atomic_load(&s->over); i++) {
        uint64_t k = scrambled(i) % CHURNED;
        uint64_t hash = s->hashes[STABLE + k];
        enum guira_status status =
            in[k] ? guira_remove_uniform(s->filter, hash) : guira_insert_uniform(s->filter, hash);
        (void)atomic_fetch_add(&s->wrong, in[k] && status != GUIRA_OK);
        in[k] = in[k] ? false : status == GUIRA_OK;
    }
    for (int k = 0; k < CHURNED; k++) {
        if (in[k]) {
            (void)atomic_fetch_add(
                &s->wrong, guira_remove_uniform(s->filter, s->hashes[STABLE + k]) != GUIRA_OK);
        }
    }
    return NULL;
}

/* What a child does with its own filter; 0 if all was right. */
static int use_in_child(struct guira *f, const uint64_t *hashes) {
    for (int i = 0; i < STABLE; i++) {
        if (!guira_contains_uniform(f, hashes[i]) || guira_count_uniform(f, hashes[i]) != 1) {
            return 1;
        }
    }
    if (guira_check(f, NULL) != GUIRA_OK) {
        return 2;
    }
    if (guira_clear(f) != GUIRA_OK || guira_size(f) != 0) {
        return 3;
    }
    for (int i = 0; i < STABLE + CHURNED; i++) {
        if (guira_insert_unique_uniform(f, hashes[i]) != GUIRA_OK) {
            return 4;
        }
    }
    for (int i = 0; i < STABLE + CHURNED; i++) {
        if (guira_remove_uniform(f, hashes[i]) != GUIRA_OK) {
            return 5;
        }
    }
    return guira_check(f, NULL) == GUIRA_OK && guira_size(f) == 0 ? 0 : 6;
}

static int look_up_only(struct guira *f, const uint64_t *hashes) {
    for (int i = 0; i < STABLE; i++) {
        if (!guira_contains_uniform(f, hashes[i])) {
            return 1;
        }
    }
    struct guira_info info;
    return guira_get_info(f, &info) == GUIRA_OK && info.sizing.buckets == 80 ? 0 : 2;
}

/* 0, or the number of the first answer in the child that was wrong. */
static int in_child(struct scene *s, bool hooks) {
    if (hooks) {
        guira_fork_prepare(s->filter);
    }
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(60); /* a child that hangs on an inherited lock must not hang the test */
        if (hooks) {
            guira_fork_release(s->filter);
        }
        _exit(hooks ? use_in_child(s->filter, s->hashes) : look_up_only(s->filter, s->hashes));
    }
    if (hooks) {
        guira_fork_release(s->filter);
    }
    int status = -1;
    bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : -1;
}

struct forker {
    struct scene *scene;
    bool hooks;
    int failure;
};

static void *fork_again_and_again(void *context) {
    struct forker *forker = context;
    for (int i = 0; i < FORKS && forker->failure == 0; i++) {
        forker->failure = in_child(forker->scene, forker->hooks);
    }
    atomic_store(&forker->scene->over, true);
    return NULL;
}

static void fork_beside_churn(struct guira_options options, bool hooks) {
    options.buckets = 80;
    options.tag_bits = 12;
    options.window = 2;
    struct scene s = {.filter = filter_with(options)};
    uint64_t *hashes = distinct_hashes(s.filter, STABLE + CHURNED, 1);
    s.hashes = hashes;
    unsigned copies[STABLE];
    for (int i = 0; i < STABLE; i++) {
        assert_int_equal(guira_insert_uniform(s.filter, hashes[i]), GUIRA_OK);
        copies[i] = 1;
    }
    struct forker forker = {.scene = &s, .hooks = hooks};
    struct crew crew;
    (void)fflush(NULL);
    crew_begin(&crew, 2);
    crew_hire(&crew, churn, &s);
    crew_hire(&crew, fork_again_and_again, &forker);
    crew_end(&crew);
    require(forker.failure == 0, "a child failed at %d", forker.failure);
    assert_int_equal(s.wrong, 0);
    require_sound(s.filter);
    require(holds_exactly(s.filter, hashes, copies, STABLE), "the parent's filter changed");
    free(hashes);
    guira_destroy(s.filter);
}

static void between_the_hooks_the_child_has_a_whole_filter(void **state) {
    (void)state;
    fork_beside_churn((struct guira_options){.stripes = 0}, true);
    fork_beside_churn((struct guira_options){.stripes = 80}, true);
}

static void without_the_hooks_the_child_may_look_up(void **state) {
    (void)state;
    fork_beside_churn((struct guira_options){.stripes = 16}, false);
}

/* ---- Beside a thread that ends a growth -------------------------------------------------------
 * */

struct ender {
    struct guira *filter;
    atomic_bool has_ended;
};

/* What is left of a stripe's end when its lock was left: to count it. */
static void *end_later(void *context) {
    struct ender *e = context;
    for (int i = 0; i < 20; i++) {
        nap();
    }
    atomic_store(&e->has_ended, true);
    (void)word_add(&e->filter->growth->unfinished, UINT64_MAX, memory_order_acq_rel);
    return NULL;
}

static void *prepare_to_fork(void *context) {
    struct ender *e = context;
    guira_fork_prepare(e->filter);
    bool was_late = atomic_load(&e->has_ended);
    guira_fork_release(e->filter);
    return was_late ? context : NULL;
}

/* Else the child would wait for ever for a thread that it does not have. */
static void a_fork_waits_for_who_is_ending_a_growth(void **state) {
    (void)state;
    struct ender e = {.filter = growing_of(64, 16, 2, 1000)};
    begin_growth(e.filter);
    guira_fork_prepare(e.filter); /* does not wait: nobody is ending anything */
    guira_fork_release(e.filter);
    (void)word_add(&e.filter->growth->unfinished, 1, memory_order_relaxed);
    pthread_t thread[2];
    void *was_late = NULL;
    assert_int_equal(pthread_create(&thread[0], NULL, prepare_to_fork, &e), 0);
    assert_int_equal(pthread_create(&thread[1], NULL, end_later, &e), 0);
    assert_int_equal(pthread_join(thread[0], &was_late), 0);
    assert_int_equal(pthread_join(thread[1], NULL), 0);
    assert_non_null(was_late);
    assert_true(finish_growth(e.filter));
    guira_destroy(e.filter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fork_waits_for_who_is_ending_a_growth),
        cmocka_unit_test(between_the_hooks_the_child_has_a_whole_filter),
        cmocka_unit_test(without_the_hooks_the_child_may_look_up),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
