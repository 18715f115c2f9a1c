/*
 * Verifies that the figures in docs/growth.md are what the library computes: bits an item by the
 * size that a filter begins with, the levels of one filter, and how often tags can double.
 */
#include "geometry.h"
#include "grown.h"
#include "sizing.h"
#include "test.h"

enum { ITEMS = 1000000, MAX_TEXT = 40000 };

static char document[MAX_TEXT + 1];

static int read_document(void **state) {
    FILE *file = fopen(GROWTH_DOCUMENT, "r");
    assert_non_null(file);
    size_t length = fread(document, 1, MAX_TEXT, file);
    (void)fclose(file);
    assert_in_range(length, 1000, MAX_TEXT - 1);
    return announce_seed(state);
}

static void require_text(const char *text) {
    bool there = strstr(document, text) != NULL;
    require(there, "docs/growth.md lacks: %s", text);
}

static void add(char *line, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *line, size_t size, const char *format, ...) {
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line + length, size - length, format, arguments);
    va_end(arguments);
}

/* With commas between thousands. */
static void add_number(char *line, size_t size, uint64_t n) {
    uint64_t unit = 1;
    while (n / unit >= 1000) {
        unit *= 1000;
    }
    add(line, size, "%u", (unsigned)(n / unit));
    for (unit /= 1000; unit > 0; unit /= 1000) {
        add(line, size, ",%03u", (unsigned)(n / unit % 1000));
    }
}

static struct guira_sizing sizing_for(uint64_t capacity, uint64_t most, double rate) {
    struct guira_options options = {
        .capacity = capacity, .max_capacity = most, .false_positive_rate = rate};
    struct guira_sizing s;
    assert_int_equal(guira_size_for(&options, &s), GUIRA_OK);
    return s;
}

static void bits_by_what_a_filter_begins_with(void **state) {
    (void)state;
    static const double rates[] = {0.05, 0.01, 0.001, 0.0001};
    static const uint64_t begin[] = {1000000, 500000, 250000, 125000, 62500, 15625};
    for (size_t i = 0; i < 4; i++) {
        char line[400] = "";
        add(line, sizeof line, "\n| %g %% |", rates[i] * 100);
        for (size_t j = 0; j < 6; j++) {
            struct guira_sizing s = sizing_for(begin[j], ITEMS, rates[i]);
            add(line, sizeof line, " %.1f (%u, %u; %u) |",
                (double)(s.buckets << s.doublings) * 64 / ITEMS, s.tag_bits, s.window, s.doublings);
        }
        require_text(line);
    }
}

static void each_level_of_one_filter(void **state) {
    (void)state;
    struct guira *f = growing_for(1000, ITEMS, 0.01);
    uint32_t levels = f->growth->levels;
    for (uint32_t i = 0; i < levels; i++) {
        const struct geometry *g = &table_of_level(f, i)->geometry;
        uint64_t keys = i + 1 < levels ? f->growth->limits[i].crowded_from : ITEMS;
        struct guira_sizing fixed = sizing_for(keys, 0, 0.01);
        char line[200] = "";
        add(line, sizeof line, "\n| %u | ", i);
        add_number(line, sizeof line, g->buckets);
        double kib = (double)g->buckets / 128;
        add(line, sizeof line, kib < 1000 ? " | %.0f KiB | " : " | %.0f MiB | ",
            kib < 1000 ? kib : kib / 1024);
        add_number(line, sizeof line, keys);
        add(line, sizeof line, " | %.2g %% | %.1f | %.1f |\n",
            100 * (double)keys / (double)g->universe, (double)g->buckets * 64 / (double)keys,
            (double)fixed.buckets * 64 / (double)keys);
        require_text(line);
    }
    guira_destroy(f);
}

static unsigned doublings(uint32_t tag_bits, uint32_t window) {
    uint64_t fingerprints = guira__most_fingerprints(tag_bits, window);
    unsigned count = 0;
    while (fingerprints >> (count + 1) >= LEAST_FINGERPRINTS) {
        count++;
    }
    return count;
}

static void how_often_tags_can_double(void **state) {
    (void)state;
    const uint32_t width[] = {8, 9, 10, 12, 14, 16, 18, 21, 24, 32};
    char whole[200] = "\n| doublings, w = k |";
    char two[200] = "\n| doublings, w = 2 |";
    for (size_t i = 0; i < sizeof width / sizeof width[0]; i++) {
        add(whole, sizeof whole, " %u |", doublings(width[i], 64 / width[i]));
        add(two, sizeof two, " %u |", doublings(width[i], 2));
    }
    require_text(whole);
    require_text(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_by_what_a_filter_begins_with),
        cmocka_unit_test(each_level_of_one_filter),
        cmocka_unit_test(how_often_tags_can_double),
    };
    return cmocka_run_group_tests(tests, read_document, NULL);
}
