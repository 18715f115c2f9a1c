/*
 * Verifies that a filter that grows loses nothing on its way: with every tag width, from small
 * tables to the last level and past it, each key is found, counts are exact, the rate is items / U
 * at every size, and FULL comes only where it may.
 */
#include "grid.h"
#include "grown.h"
#include "intervals.h"
#include "test.h"

/* Keys 0 to `tried` - 1 are in, as so many distinct elements. */
struct keys {
    uint64_t tried;
    uint64_t items;
};

static void require_keys(const struct guira *f, const struct keys *k) {
    for (uint64_t i = 0; i < k->tried; i++) {
        require(guira_contains_u64(f, scrambled(i)), "key %llu of %llu is missing at level %u",
                (unsigned long long)i, (unsigned long long)k->tried, level_of(f));
    }
    assert_int_equal(guira_size(f), k->items);
    require_entries_add_up(f);
}

static void require_rate(const struct guira *f, uint64_t probes) {
    double rate = (double)guira_size(f) / (double)f->table.geometry.universe;
    uint64_t hits = 0;
    for (uint64_t i = 0; i < probes; i++) {
        hits += guira_contains_u64(f, scrambled(UINT64_C(1) << 40 | i));
    }
    require(believable(hits, probes, rate), "%llu hits of %llu, rate %g, %llu items",
            (unsigned long long)hits, (unsigned long long)probes, rate,
            (unsigned long long)guira_size(f));
}

/* A key whose element is there already is in without an entry of its own. */
static enum guira_status put_in(struct guira *f, struct keys *k) {
    uint64_t key = scrambled(k->tried);
    enum guira_status status = GUIRA_EXISTS;
    if (k->tried % 2 == 0) {
        status = guira_insert_unique_u64(f, key);
    } else if (!guira_contains_u64(f, key)) {
        status = guira_insert_u64(f, key);
    }
    k->items += status == GUIRA_OK;
    k->tried += status == GUIRA_OK || status == GUIRA_EXISTS;
    return status;
}

/* Insert up to so many keys, with a look at all of them in the middle of each migration and where
 * it ends. */
static struct keys grow(struct guira *f, uint64_t most, uint64_t probes) {
    struct keys k = {0, 0};
    uint64_t look_at = 0;
    uint64_t seen = 0;
    enum guira_status status = GUIRA_OK;
    while (k.tried < most && status != GUIRA_FULL) {
        status = put_in(f, &k);
        require(status == GUIRA_OK || status == GUIRA_EXISTS || status == GUIRA_FULL,
                "insert says %d", status);
        uint64_t word = guira__view(f).word;
        if (word != seen) {
            seen = word;
            look_at = k.tried + table_of_level(f, level_of(f))->geometry.buckets / 20;
        }
        if (k.tried == look_at) {
            require_keys(f, &k);
            require_rate(f, probes);
        }
    }
    require_keys(f, &k);
    require_rate(f, probes);
    return k;
}

static unsigned cells;

static void require_growth(const struct ref_shape *s) {
    struct guira *f = NULL;
    struct guira_options options = {.buckets = s->M,
                                    .tag_bits = s->f,
                                    .window = s->w,
                                    .max_capacity = GUIRA_NO_MAXIMUM,
                                    .seed = filter_seed()};
    enum guira_status status = guira_create(&options, &f);
    assert_int_equal(status == GUIRA_OK, s->w > 1 && s->Q >= 16);
    if (status != GUIRA_OK) {
        return;
    }
    cells++;
    uint32_t highest = f->growth->levels - 1;
    uint64_t limit = scaled(test_is_long() ? 300000 : 12000);
    struct keys k = grow(f, limit, scaled(2000));
    if (k.tried < limit) {
        const struct geometry *g = &table_of_level(f, highest)->geometry;
        double load = (double)k.items / (double)(g->buckets * g->shape.slots);
        double least = s->w == 2 ? 0.55 : 0.85;
        require(level_of(f) == highest && load > least, "f %u, w %u: level %u of %u, load %g", s->f,
                s->w, level_of(f), highest, load);
    }
    guira_destroy(f);
}

static void every_width_and_window_grows_without_loss(void **state) {
    (void)state;
    cells = 0;
    for_each_geometry(16, require_growth);
    for_each_geometry(37, require_growth);
    require(cells > 120, "only %u", cells);
}

static void a_promise_holds_from_the_first_key_to_the_last(void **state) {
    (void)state;
    static const double rates[] = {0.1, 0.01, 1e-4};
    for (size_t i = 0; i < 3; i++) {
        uint64_t most = test_is_long() ? UINT64_C(1) << 24 : scaled(300000);
        struct guira *f = growing_for(1, most, rates[i]);
        assert_int_equal(guira_capacity(f), most);
        assert_true((double)most / (double)f->table.geometry.universe <= rates[i]);
        assert_int_equal(grow(f, most, scaled(100000)).tried, most);
        require(level_of(f) > 4, "level %u", level_of(f));
        guira_destroy(f);
    }
}

/* More keys than promised: as many as fit, and nothing is lost over those that do not. */
static void past_the_maximum_inserts_are_refused_and_nothing_is_lost(void **state) {
    (void)state;
    struct guira *f = growing_for(10, 20000, 0.01);
    struct keys k = grow(f, 100000, scaled(50000));
    require(k.tried >= 20000 && k.tried < 100000, "%llu", (unsigned long long)k.tried);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t absent = scrambled(k.tried + i);
        enum guira_status status = guira_insert_u64(f, absent);
        assert_true(status == GUIRA_OK || status == GUIRA_FULL);
        k.items += status == GUIRA_OK;
    }
    require_keys(f, &k);
    assert_false(is_migrating(f));
    guira_destroy(f);
}

static void removed_keys_are_gone_and_the_others_stay(void **state) {
    (void)state;
    struct guira *f = growing_for(1, scaled(100000), 1e-5);
    uint64_t most = guira_capacity(f);
    for (uint64_t i = 0; i < most; i++) {
        assert_int_equal(guira_insert_u64(f, scrambled(i)), GUIRA_OK);
        if (i % 3 == 2) {
            assert_int_equal(guira_remove_u64(f, scrambled(i - 1)), GUIRA_OK);
        }
    }
    uint64_t found = 0;
    for (uint64_t i = 0; i < most; i++) {
        bool there = guira_contains_u64(f, scrambled(i));
        require(there || i % 3 == 1, "key %llu", (unsigned long long)i);
        found += i % 3 == 1 && there;
    }
    require(found < 20, "%llu removed keys are found", (unsigned long long)found);
    require_entries_add_up(f);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_and_window_grows_without_loss),
        cmocka_unit_test(a_promise_holds_from_the_first_key_to_the_last),
        cmocka_unit_test(past_the_maximum_inserts_are_refused_and_nothing_is_lost),
        cmocka_unit_test(removed_keys_are_gone_and_the_others_stay),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
