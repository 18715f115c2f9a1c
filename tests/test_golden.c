/*
 * Verifies that the files in golden/ load for ever: each is what a filter with known keys was
 * saved as by the first version of the format, and a filter built the same way still has the same
 * header and the same elements, in whatever slots. Also that the bytes which docs/format.md
 * explains are those of the first of them.
 *
 *     test_golden --write NAME     writes one that is not there yet
 */
#include <unistd.h>

#include "folder.h"
#include "multiset.h"
#include "test.h"

/* A hash that anybody can write again: from the seed on, each byte added to 31 times the last. */
static uint64_t simple_hash(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    const uint8_t *at = key;
    for (size_t i = 0; i < length; i++) {
        seed = 31 * seed + at[i];
    }
    return seed;
}

/* A filter whose keys follow from these numbers alone. */
struct golden {
    const char *name;
    struct guira_options options;
    uint64_t integers; /* keys 0, 1, ... as integers */
    uint64_t strings;  /* keys "0", "1", ... as bytes */
    uint64_t repeated; /* of the integers the first so many are inserted i % 3 times more */
    uint64_t items;
    uint64_t reserve_at; /* after so many integers room is reserved, if the filter grows */
};

static const struct golden all[] = {
    /* Overlapping windows; the smallest, which docs/format.md explains. */
    {"tiny", {.buckets = 3, .tag_bits = 12, .window = 2, .seed = 1}, 3, 0, 0, 3, 0},
    /* Disjoint buckets, byte strings, a search budget. */
    {"strings",
     {.buckets = 10, .tag_bits = 8, .window = 8, .seed = 0x123456789abcdef0, .search_budget = 100},
     0,
     50,
     0,
     50,
     0},
    /* Chosen from a capacity; both kinds of keys, some of them several times; nearly full. */
    {"multiset",
     {.capacity = 110, .false_positive_rate = 0.0005, .seed = UINT64_MAX},
     40,
     40,
     20,
     99,
     0},
    /* Hashed by a user's function; windows of other than two slots that overlap. */
    {"user_hash",
     {.buckets = 16, .tag_bits = 16, .window = 3, .seed = 7, .hash = {simple_hash, NULL, 1024}},
     10,
     40,
     0,
     50,
     0},
    /* That grows, and has: room was reserved early. */
    {"grown",
     {.buckets = 32, .tag_bits = 12, .window = 2, .max_capacity = 500, .seed = 99},
     150,
     50,
     10,
     209,
     10},
    /* That is growing: room was reserved before the last two keys. */
    {"growing",
     {.buckets = 32, .tag_bits = 16, .window = 2, .max_capacity = 400, .seed = 100},
     40,
     0,
     10,
     49,
     38},
};
enum { FILES = sizeof all / sizeof all[0] };

static const char *path_of(const struct golden *g, char path[MAX_PATH_BYTES]) {
    (void)snprintf(path, MAX_PATH_BYTES, "%s/%s.guira", GOLDEN_FOLDER, g->name);
    return path;
}

static unsigned copies_of(const struct golden *g, uint64_t integer) {
    return integer >= g->integers ? 0 : 1 + (integer < g->repeated ? (unsigned)integer % 3 : 0);
}

static size_t string_of(uint64_t number, char text[24]) {
    return (size_t)snprintf(text, 24, "%llu", (unsigned long long)number);
}

static struct guira *build(const struct golden *g) {
    struct guira *f = NULL;
    assert_int_equal(guira_create(&g->options, &f), GUIRA_OK);
    for (uint64_t i = 0; i < g->integers; i++) {
        if (g->options.max_capacity != 0 && i == g->reserve_at) {
            assert_int_equal(guira_reserve(f, guira_capacity(f)), GUIRA_OK);
        }
        for (unsigned copy = 0; copy < copies_of(g, i); copy++) {
            assert_int_equal(guira_insert_u64(f, i), GUIRA_OK);
        }
    }
    for (uint64_t i = 0; i < g->strings; i++) {
        char text[24];
        assert_int_equal(guira_insert(f, text, string_of(i, text)), GUIRA_OK);
    }
    return f;
}

static void require_keys(const struct guira *f, const struct golden *g) {
    for (uint64_t i = 0; i < g->integers; i++) {
        assert_true(guira_contains_u64(f, i));
        assert_true(guira_count_u64(f, i) >= copies_of(g, i));
    }
    for (uint64_t i = 0; i < g->strings; i++) {
        char text[24];
        assert_true(guira_contains(f, text, string_of(i, text)));
    }
    assert_int_equal(guira_size(f), g->items);
    require_sound(f);
}

static struct guira *load_golden(const struct golden *g) {
    char path[MAX_PATH_BYTES];
    struct guira *f = NULL;
    struct guira_load_options options = {.hash = g->options.hash};
    enum guira_status status = guira_load_file(&options, path_of(g, path), &f);
    require(status == GUIRA_OK, "%s: %s", g->name, guira_status_text(status));
    return f;
}

static void golden_files_load_with_all_their_keys(void **state) {
    (void)state;
    for (int i = 0; i < FILES; i++) {
        char path[MAX_PATH_BYTES];
        struct guira *f = load_golden(&all[i]);
        struct guira *mapped = NULL;
        struct guira_load_options options = {.hash = all[i].options.hash};
        require_keys(f, &all[i]);
        assert_int_equal(guira_map_file(&options, path_of(&all[i], path), &mapped), GUIRA_OK);
        require_keys(mapped, &all[i]);
        require_same(f, mapped);
        guira_destroy(mapped);
        guira_destroy(f);
    }
}

static void require_other_hash(const char *path, struct guira_hash_function hash) {
    const struct guira_load_options options = {.hash = hash};
    struct guira *f = NULL;
    assert_int_equal(guira_load_file(&options, path, &f), GUIRA_OTHER_HASH);
    assert_int_equal(guira_map_file(&options, path, &f), GUIRA_OTHER_HASH);
    assert_null(f);
}

static void golden_files_are_refused_with_another_hash(void **state) {
    (void)state;
    for (int i = 0; i < FILES; i++) {
        char path[MAX_PATH_BYTES];
        bool is_users = all[i].options.hash.function != NULL;
        (void)path_of(&all[i], path);
        require_other_hash(path, (struct guira_hash_function){simple_hash, NULL, 1025});
        static const struct guira_hash_function others[] = {{simple_hash, NULL, 1024}, {0}};
        require_other_hash(path, others[is_users]);
    }
}

/* In which slots the elements are is the insert's affair, and may change with it. */
static void filters_built_again_have_header_and_elements_of_the_golden_files(void **state) {
    (void)state;
    for (int i = 0; i < FILES; i++) {
        char path[MAX_PATH_BYTES];
        struct guira *built = build(&all[i]);
        struct guira *golden = load_golden(&all[i]);
        struct multiset elements = multiset_of(golden);
        struct tape now = tape_of(built);
        struct tape file = read_file(path_of(&all[i], path));
        require_keys(built, &all[i]);
        require(holds_multiset(built, &elements), "%s", all[i].name);
        assert_int_equal(now.length, file.length);
        require(memcmp(now.bytes, file.bytes, TAPE_HEADER) == 0, "%s", all[i].name);
        tape_free(&file);
        tape_free(&now);
        multiset_end(&elements);
        guira_destroy(golden);
        guira_destroy(built);
    }
}

/* What docs/format.md explains can be had by anyone: the keys of the smallest are all at home, in
 * the first slot of their windows. */
static void the_smallest_is_built_again_to_the_byte(void **state) {
    (void)state;
    char path[MAX_PATH_BYTES];
    struct guira *f = build(&all[0]);
    struct tape tape = tape_of(f);
    assert_true(file_is(path_of(&all[0], path), &tape));
    tape_free(&tape);
    guira_destroy(f);
}

/* Appends the bytes of a line like "    00000010  03 00 ..  text", if it is one and begins where
 * the last one ended. */
static void read_dump_line(const char *line, struct tape *tape) {
    unsigned at;
    unsigned byte;
    int used;
    bool has_address = strncmp(line, "    ", 4) == 0 && strspn(line + 4, "0123456789abcdef") == 8;
    if (!has_address || sscanf(line, "%8x  %n", &at, &used) != 1 || at != tape->length) {
        return;
    }
    line += used;
    while (sscanf(line, "%2x%n", &byte, &used) == 1 && used == 2) {
        uint8_t one = (uint8_t)byte;
        (void)tape_write(tape, &one, 1);
        line += line[2] == ' ' ? 3 : 2;
        if (*line == ' ' || *line == '\n') {
            break;
        }
    }
}

static void the_documented_bytes_are_those_of_the_smallest(void **state) {
    (void)state;
    FILE *document = fopen(FORMAT_DOCUMENT, "r");
    assert_non_null(document);
    char line[512];
    struct tape dump = {0};
    while (fgets(line, sizeof line, document) != NULL) {
        read_dump_line(line, &dump);
    }
    (void)fclose(document);
    char path[MAX_PATH_BYTES];
    assert_int_equal(dump.length, TAPE_HEADER + 8 * 3 + TAPE_END);
    assert_true(file_is(path_of(&all[0], path), &dump));
    tape_free(&dump);
}

/* The status of the program. A file that is there is what old programs have written: it stays. */
static int write_golden(const char *name) {
    for (int i = 0; i < FILES; i++) {
        char path[MAX_PATH_BYTES];
        if (strcmp(all[i].name, name) != 0) {
            continue;
        }
        if (access(path_of(&all[i], path), F_OK) == 0) {
            (void)fprintf(stderr, "%s is there already\n", path);
            return 2;
        }
        struct guira *f = build(&all[i]);
        assert_int_equal(guira_save_file(f, NULL, path), GUIRA_OK);
        guira_destroy(f);
        return 0;
    }
    (void)fprintf(stderr, "no golden file is called %s\n", name);
    return 2;
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "--write") == 0) {
        return write_golden(arguments[2]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_files_load_with_all_their_keys),
        cmocka_unit_test(golden_files_are_refused_with_another_hash),
        cmocka_unit_test(filters_built_again_have_header_and_elements_of_the_golden_files),
        cmocka_unit_test(the_smallest_is_built_again_to_the_byte),
        cmocka_unit_test(the_documented_bytes_are_those_of_the_smallest),
    };
    return cmocka_run_group_tests(tests, announce_seed, NULL);
}
