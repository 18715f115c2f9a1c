/*
 * seeds FOLDER: makes the inputs that fuzzers start from. FOLDER/api gets lists of calls, and
 * FOLDER/file small filters of several shapes, as saved, some of which grow.
 */
#define _DEFAULT_SOURCE /* mkdir */

#include <string.h>

#include <sys/stat.h>

#include "guira/guira.h"

#include "fuzz.h"

enum { PATH_ROOM = 4096, CALLS = 200 };

static FILE *create(const char *folder, const char *kind, unsigned number) {
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/%s", folder, kind);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof path, "%s/%s/%u", folder, kind, number);
    FILE *file = fopen(path, "wb");
    fuzz_require(file != NULL, "%s", path);
    return file;
}

static void end(FILE *file) {
    fuzz_require(fclose(file) == 0, "disk full");
}

/* The next of a sequence of mixed numbers (Knuth's MMIX generator). */
static unsigned next_byte(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 56);
}

/* Two equal filters of that shape, and calls by chance. */
static void make_calls(const char *folder, unsigned number, unsigned buckets, unsigned tag_bits,
                       unsigned window) {
    FILE *file = create(folder, "api", number);
    for (int side = 0; side < 2; side++) {
        (void)fputc((int)buckets - 2, file);
        (void)fputc((int)tag_bits - 3, file);
        (void)fputc((int)window, file);
        (void)fputc((int)number % 4, file);      /* stripes */
        (void)fputc((int)number % 8 << 5, file); /* little to search, or much */
        (void)fputc((int)number % 5 << 2, file); /* one seed; levels */
    }
    uint64_t state = number;
    for (int i = 0; i < CALLS; i++) {
        (void)fputc((int)next_byte(&state), file);
    }
    end(file);
}

static int write_to(void *context, const void *bytes, size_t length) {
    return fwrite(bytes, 1, length, context) == length ? 0 : 1;
}

static struct guira *filled_with(const struct guira_options *options, uint64_t keys) {
    struct guira *filter;
    fuzz_require(guira_create(options, &filter) == GUIRA_OK, "%u buckets",
                 (unsigned)options->buckets);
    for (uint64_t key = 0; key < keys; key++) {
        (void)guira_insert_u64(filter, key);
    }
    return filter;
}

static void save_to_file(const char *folder, unsigned number, const struct guira *filter) {
    FILE *file = create(folder, "file", number);
    fuzz_require(guira_save(filter, NULL, write_to, file) == GUIRA_OK, "%u", number);
    end(file);
}

/* A filter of that shape, more or less full. */
static void make_file(const char *folder, unsigned number, unsigned buckets, unsigned tag_bits,
                      unsigned window) {
    struct guira_options options = {
        .buckets = buckets, .tag_bits = tag_bits, .window = window, .seed = 1 + number};
    struct guira *filter = filled_with(&options, (uint64_t)buckets * (number % 4));
    save_to_file(folder, number, filter);
    guira_destroy(filter);
}

/* A filter that grows, and the same when it is in the middle of that. */
static void make_growing(const char *folder, unsigned number) {
    struct guira_options options = {
        .buckets = 16, .tag_bits = 16, .window = 2, .max_capacity = 150, .seed = 1};
    struct guira *filter = filled_with(&options, 20);
    save_to_file(folder, number, filter);
    fuzz_require(guira_reserve(filter, guira_capacity(filter)) == GUIRA_OK, "reserve");
    (void)guira_insert_u64(filter, 20);
    save_to_file(folder, number + 1, filter);
    guira_destroy(filter);
}

int main(int argc, char **argv) {
    static const unsigned shapes[][3] = {{2, 4, 1},  {3, 5, 12},  {8, 8, 2},  {9, 8, 3},
                                         {12, 9, 2}, {16, 9, 3},  {5, 12, 2}, {20, 12, 5},
                                         {7, 13, 2}, {30, 16, 3}, {6, 16, 4}, {4, 32, 2}};
    fuzz_require(argc == 2, "usage: seeds FOLDER");
    (void)mkdir(argv[1], 0777);
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        make_calls(argv[1], i, shapes[i][0], shapes[i][1], shapes[i][2]);
        make_file(argv[1], i, shapes[i][0], shapes[i][1], shapes[i][2]);
    }
    make_growing(argv[1], sizeof shapes / sizeof shapes[0]);
    return 0;
}
