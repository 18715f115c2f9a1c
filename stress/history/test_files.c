/*
 * Files: what is written is what is read; faults are found; violations are drawn.
 */
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <string.h>

#include "files.h"
#include "timeline.h"

enum { OPERATIONS = 500, TEXT = 1 << 17 };

static struct history random_history(uint64_t seed) {
    struct history h = {.elements = 3, .operations = OPERATIONS};
    h.element = allocate(h.elements, sizeof *h.element);
    for (size_t i = 0; i < h.elements; i++) {
        h.element[i] = (struct element_state){i, 4, UINT64_C(1) << i};
    }
    h.operation = allocate(h.operations, sizeof *h.operation);
    for (size_t i = 0; i < h.operations; i++) {
        struct operation *o = &h.operation[i];
        o->called = test_random(&seed) % 10000;
        o->returned = o->called + test_random(&seed) % 100;
        o->element = (uint32_t)(test_random(&seed) % h.elements);
        o->thread = (uint16_t)(test_random(&seed) % 8);
        o->call = (uint8_t)(test_random(&seed) % CALLS);
        o->result = (uint8_t)(test_random(&seed) % 2);
    }
    return h;
}

static unsigned count_of(const char *text, const char *piece) {
    unsigned count = 0;
    for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece)) {
        count++;
    }
    return count;
}

static void write_lines(char *text, const struct history *h) {
    FILE *file = fmemopen(text, TEXT, "w");
    EXPECT(file != NULL, "fmemopen");
    lines_begin(file);
    lines_declare(file, h);
    lines_write(file, h);
    EXPECT(fclose(file) == 0, "write");
}

static void lines_come_back(char *text, const struct history *written) {
    struct history h = *written;
    write_lines(text, &h);
    FILE *file = fmemopen(text, strlen(text), "r");
    struct history again;
    EXPECT(file != NULL && lines_read(file, "round trip", &again), "read");
    (void)fclose(file);
    EXPECT(again.operations == h.operations && again.elements == h.elements, "sizes");
    EXPECT(memcmp(again.operation, h.operation, h.operations * sizeof *h.operation) == 0,
           "operations");
    EXPECT(memcmp(again.element, h.element, h.elements * sizeof *h.element) == 0, "elements");
    history_free(&again);
}

void test_files_round_trip(struct checker *checker, uint64_t seed) {
    (void)checker;
    struct history h = random_history(seed);
    char *text = allocate(TEXT, 1);
    lines_come_back(text, &h);

    memset(text, 0, TEXT);
    struct edn edn = {.out = fmemopen(text, TEXT, "w")};
    EXPECT(edn.out != NULL, "fmemopen");
    edn_declare(&edn, &h);
    edn_write(&edn, &h);
    EXPECT(fclose(edn.out) == 0, "write");
    EXPECT(count_of(text, ":type :invoke") == OPERATIONS + 3, "calls"); /* 0 + 1 + 2 copies */
    EXPECT(count_of(text, ":type :ok") + count_of(text, ":type :fail") == OPERATIONS + 3,
           "returns");
    free(text);
    history_free(&h);
}

void test_faulty_files_are_rejected(void) {
    static const char *const faulty[] = {
        "",
        "history 2\n",
        "element 0 4 0\n",
        "history 1\nelement 1 4 0\n",
        "history 1\nelement 0 63 0\n",
        "history 1\nelement 0 4 5\n",
        "history 1\nelement 0 4 0\n0 insert 1 OK 0 1\n",
        "history 1\nelement 0 4 0\n0 insert 0 OK 2 1\n",
        "history 1\nelement 0 4 0\n0 insert 0 true 1 2\n",
        "history 1\nelement 0 4 0\n0 upsert 0 OK 1 2\n",
        "history 1\nelement 0 4 0\n0 count 0 64 1 2\n",
        "history 1\nelement 0 4 0\n0 insert 0 OK 1\n",
        "history 1\nelement 0 4 0\n0 insert 0 OK 1 2 3\n",
        "history 1\nelement 0 4 0\n65536 insert 0 OK 1 2\n",
        "history 1\nelement 0 4 0\n0 insert 0 OK -1 2\n",
        "history 1\nelement 0 4 0\n0 insert 0 OK 1 99999999999999999999\n",
    };
    for (size_t i = 0; i < sizeof faulty / sizeof faulty[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s ", faulty[i]);
        FILE *file = fmemopen(text, strlen(text), "r");
        struct history h;
        EXPECT(file != NULL, "fmemopen");
        EXPECT(!lines_read(file, "(expected)", &h), "read: %s", faulty[i]);
        (void)fclose(file);
    }
}

static void draw(const struct excerpt *e) {
    struct timeline t = timeline_layout(e);
    char *text = allocate(TEXT, 1);
    FILE *out = fmemopen(text, TEXT, "w");
    EXPECT(out != NULL, "fmemopen");
    timeline_print(&t, out);
    EXPECT(fclose(out) == 0, "write");
    EXPECT(strstr(text, ">contains false<") != NULL, "the culprit is not drawn: %s", text);
    free(text);
}

/* A look-up misses an element that never left, in the middle of `others` calls that do not
 * matter. */
static void expect_excerpt(struct checker *checker, size_t others) {
    struct history h = {.elements = 1, .operations = others + 3};
    h.element = allocate(1, sizeof *h.element);
    h.element[0] = (struct element_state){0, 4, 2};
    h.operation = allocate(h.operations, sizeof *h.operation);
    for (size_t i = 0; i < others; i++) {
        h.operation[i] =
            (struct operation){10 + 2 * i, 15 + 2 * i, 0, (uint16_t)(i % 4), CALL_CONTAINS, 1};
    }
    uint64_t end = 100 + 2 * others;
    h.operation[others] = (struct operation){1, end, 0, 4, CALL_INSERT, GUIRA_OK};
    h.operation[others + 1] = (struct operation){2, end + 1, 0, 5, CALL_CONTAINS, 0};
    h.operation[others + 2] = (struct operation){end + 9, end + 10, 0, 5, CALL_COUNT, 2};
    struct findings f = history_check(&h, checker);
    EXPECT(f.violated == 1 && f.undecided == 0, "not found");
    struct excerpt e = excerpt_create(&h, &f, checker);
    EXPECT(e.operations == 2 && e.left_out == others, "%zu operations are left", e.operations);
    EXPECT(e.operation[e.culprit].result == 0, "another culprit");
    draw(&e);
    excerpt_destroy(&e);
    history_free(&h);
}

void test_excerpts_and_drawings(struct checker *checker) {
    expect_excerpt(checker, 0);
    expect_excerpt(checker, 7);
    expect_excerpt(checker, 1000);
}
