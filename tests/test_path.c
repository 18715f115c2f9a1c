/*
 * Verifies the search for room: it changes nothing, its paths are shortest, can be carried out,
 * hold no slot twice, and exist exactly when a complete slow search finds one; budgets are kept.
 */
#include "path.h"

#include "filters.h"
#include "test.h"

static struct element element_at(const struct guira *f, uint64_t hash) {
    return element_of_hash(&f->table.geometry, hash);
}

/* Each hop holds what it says, leads on from the one before, and comes once; the last is empty. */
static void require_good_path(const struct guira *f, uint64_t element, const struct path *path) {
    struct ref_shape s = shape_of_filter(f);
    uint64_t moving = element;
    for (uint32_t i = 0; i <= path->length; i++) {
        const struct hop *hop = &path->hop[i];
        assert_int_equal(ref_tag(&s, f->table.words, hop->bucket, hop->slot), hop->tag);
        assert_true((hop->tag == 0) == (i == path->length));
        struct ref_slot slot[REF_MAX_SLOTS];
        unsigned n = ref_slots(&s, moving, slot);
        unsigned at = 0;
        while (at < n && (slot[at].bucket != hop->bucket || slot[at].slot != hop->slot)) {
            at++;
        }
        require(at < n, "hop %u is not a slot of what moves there", i);
        if (i > 0) {
            uint64_t moved = moved_tag(&f->table.geometry, &path->hop[i - 1], hop);
            assert_int_equal(moved, slot[at].tag << (hop->slot * s.f));
        }
        for (uint32_t j = 0; j < i; j++) {
            assert_true(path->hop[j].bucket != hop->bucket || path->hop[j].slot != hop->slot);
        }
        moving = hop->tag == 0 ? 0 : ref_element_at(&s, hop->bucket, hop->slot, hop->tag);
    }
}

static void require_complete_search(uint64_t buckets, uint32_t tag_bits, uint32_t window) {
    struct guira *f = filter_of(buckets, tag_bits, window);
    struct ref_shape s = shape_of_filter(f);
    uint64_t slots = s.M * s.k;
    for (uint64_t i = 0; i < 2 * slots; i++) {
        uint64_t hash = scrambled(i);
        uint64_t element = guira_element(f, hash);
        struct path path;
        uint64_t nodes = 0;
        uint64_t *before = words_of(f);
        bool found = find_path(&f->table, element_at(f, hash), 4096, &path, &nodes);
        assert_true(words_equal(f, before));
        free(before);
        int moves = ref_moves_to_room(&s, f->table.words, element, MAX_MOVES);
        require(found == (moves >= 0), "M %llu, f %u, w %u, key %llu: found %d, moves %d",
                (unsigned long long)buckets, tag_bits, window, (unsigned long long)i, found, moves);
        assert_true(nodes <= slots);
        if (found) {
            assert_int_equal(path.length, moves);
            require_good_path(f, element, &path);
        }
        (void)guira_insert_uniform(f, hash);
    }
    require_sound(f);
    guira_destroy(f);
}

static void a_path_is_found_exactly_if_there_is_one(void **state) {
    (void)state;
    static const uint64_t buckets[] = {2, 3, 4, 7, 16, 61};
    for (size_t i = 0; i < sizeof buckets / sizeof buckets[0]; i++) {
        require_complete_search(buckets[i], 4, 3);
        require_complete_search(buckets[i], 8, 2);
        require_complete_search(buckets[i], 8, 8);
        require_complete_search(buckets[i], 12, 2);
        require_complete_search(buckets[i], 16, 1);
        require_complete_search(buckets[i], 16, 4);
        require_complete_search(buckets[i], 21, 2);
        require_complete_search(buckets[i], 32, 1);
        require_complete_search(buckets[i], 32, 2);
    }
}

/* In tables too large to remember every slot, paths are as good, if not always the shortest. */
static void large_tables_have_good_paths(void **state) {
    (void)state;
    struct guira *f = filter_of(3000, 12, 2);
    (void)fill(f, 0, UINT64_MAX);
    struct rng rng = rng_stream(1);
    unsigned found = 0;
    for (uint64_t i = 0; i < scaled(2000); i++) {
        uint64_t hash = rng_next(&rng);
        struct path path;
        uint64_t nodes = 0;
        if (find_path(&f->table, element_at(f, hash), 2000, &path, &nodes)) {
            found++;
            require_good_path(f, guira_element(f, hash), &path);
        }
    }
    assert_true(found > 0);
    guira_destroy(f);
}

static void a_search_tries_no_more_entries_than_its_budget(void **state) {
    (void)state;
    struct guira *f = filter_of(3000, 12, 2);
    for (uint64_t first = 0; first < 3000000; first += 100000) { /* past the first that fails */
        (void)fill(f, first, UINT64_MAX);
    }
    static const uint32_t budget[] = {1, 2, 5, 100, 2000, 4096};
    for (size_t i = 0; i < sizeof budget / sizeof budget[0]; i++) {
        unsigned used_up = 0;
        for (uint64_t key = 0; key < 200; key++) {
            struct path path;
            uint64_t nodes = 7;
            bool found =
                find_path(&f->table, element_at(f, scrambled(key << 20)), budget[i], &path, &nodes);
            assert_true(nodes - 7 <= budget[i]);
            /* In a full table a search that fails has used up its budget. */
            used_up += !found && nodes - 7 == budget[i];
        }
        require(used_up > 0, "no search used up a budget of %u", budget[i]);
    }
    guira_destroy(f);
}

static void paths_are_as_long_as_the_header_says(void **state) {
    (void)state;
    assert_int_equal(MAX_MOVES + 1, 11); /* guira_insert: "one path of at most 11 slots" */
}

static void an_empty_table_needs_no_moves(void **state) {
    (void)state;
    struct guira *f = filter_of(50, 12, 2);
    struct path path = {0};
    uint64_t nodes = 0;
    assert_true(find_path(&f->table, element_at(f, scrambled(1)), 1, &path, &nodes));
    assert_int_equal(path.length, 0);
    assert_int_equal(path.hop[0].tag, 0);
    assert_int_equal(nodes, 0);
    guira_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_found_exactly_if_there_is_one),
        cmocka_unit_test(large_tables_have_good_paths),
        cmocka_unit_test(a_search_tries_no_more_entries_than_its_budget),
        cmocka_unit_test(paths_are_as_long_as_the_header_says),
        cmocka_unit_test(an_empty_table_needs_no_moves),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
