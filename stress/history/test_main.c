/*
 * guira_history_test [SEED [HISTORIES]]: all tests of the checker.
 */
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <string.h>

#include "files.h"

struct history history_of(const char *lines) {
    char text[8192];
    int size = snprintf(text, sizeof text, "history 1\n%s", lines);
    EXPECT(size > 0 && size < (int)sizeof text, "history too long");
    FILE *in = fmemopen(text, (size_t)size, "r");
    EXPECT(in != NULL, "fmemopen");
    struct history h;
    EXPECT(lines_read(in, "test", &h), "not a history: %s", lines);
    (void)fclose(in);
    return h;
}

uint64_t test_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 31);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    unsigned histories = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 100000;
    (void)printf("replay: guira_history_test %llu %u\n", (unsigned long long)seed, histories);
    struct checker *checker = checker_create();
    test_hand_made_histories(checker);
    test_against_naive_checker(checker, seed, histories);
    test_many_pending_operations(checker);
    test_flipped_results(checker, seed);
    test_files_round_trip(checker, seed);
    test_faulty_files_are_rejected();
    test_excerpts_and_drawings(checker);
    checker_destroy(checker);
    (void)printf("PASS\n");
    return 0;
}
