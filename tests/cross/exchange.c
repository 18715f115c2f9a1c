/*
 * exchange write|read FOLDER: one machine writes filters to files, another reads them.
 *
 * All filters but the last are filled by one thread, so that every machine makes the same: a reader
 * makes them too, and the bytes must be equal. The last is filled by several threads at once; there
 * what must be equal is the elements. A text says which tables the sizing rule chooses.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guira/guira.h"

#include "threads.h"

#define SEED UINT64_C(20251130)

enum { THREADS = 4, KEYS_EACH = 2000, PATH_BYTES = 4096 };

static const struct shape {
    uint64_t buckets;
    uint32_t tag_bits, window;
    uint64_t max_capacity; /* 0: it does not grow */
} shapes[] = {
    {2, 4, 1, 0},     {3, 5, 12, 0},     {17, 7, 3, 0},    {64, 8, 3, 0},
    {100, 9, 2, 0},   {333, 12, 5, 0},   {1000, 16, 3, 0}, {5, 32, 2, 0},
    {4099, 13, 2, 0}, {32, 12, 2, 1000}, {50, 16, 4, 900},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], SHARED = SHAPES };

static _Noreturn void fail(const char *condition, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail(const char *condition, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "not true: %s: ", condition);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

#define require(condition, ...) ((condition) ? (void)0 : fail(#condition, __VA_ARGS__))

static struct guira *create(const struct shape *s) {
    struct guira_options options = {
        .buckets = s->buckets, .tag_bits = s->tag_bits, .window = s->window, .seed = SEED};
    options.max_capacity = s->max_capacity;
    struct guira *filter;
    enum guira_status status = guira_create(&options, &filter);
    require(status == GUIRA_OK, "%s", guira_status_text(status));
    return filter;
}

static bool is_growing(const struct guira *f) {
    struct guira_info info;
    require(guira_get_info(f, &info) == GUIRA_OK, "info");
    return info.is_growing;
}

/* Integers and texts in turn, until one does not fit; every third is removed again. Or until the
 * filter begins to grow. */
static uint64_t fill(struct guira *f) {
    uint64_t n = 0;
    enum guira_status status = GUIRA_OK;
    while (status == GUIRA_OK && !is_growing(f)) {
        char text[24];
        int length = snprintf(text, sizeof text, "key %" PRIu64, n);
        status = n % 2 == 0 ? guira_insert_u64(f, n) : guira_insert(f, text, (size_t)length);
        n += status == GUIRA_OK;
    }
    for (uint64_t key = 0; key < n && !is_growing(f); key += 6) {
        require(guira_remove_u64(f, key) == GUIRA_OK, "key %" PRIu64, key);
    }
    return n;
}

static void require_found(const struct guira *f, uint64_t n) {
    for (uint64_t key = 0; key < n; key++) {
        char text[24];
        int length = snprintf(text, sizeof text, "key %" PRIu64, key);
        bool found = key % 2 == 0 ? key % 6 == 0 || guira_contains_u64(f, key)
                                  : guira_contains(f, text, (size_t)length);
        require(found, "key %" PRIu64, key);
    }
}

struct share {
    struct guira *filter;
    uint64_t first;
    uint64_t refused;
};

static void *insert_share(void *context) {
    struct share *share = context;
    for (uint64_t key = share->first; key < share->first + KEYS_EACH; key++) {
        share->refused += guira_insert_u64(share->filter, key) != GUIRA_OK;
    }
    return NULL;
}

static struct guira *create_shared(void) {
    struct guira_options options = {
        .capacity = (uint64_t)THREADS * KEYS_EACH, .false_positive_rate = 0.001, .seed = SEED};
    struct guira *filter;
    require(guira_create(&options, &filter) == GUIRA_OK, "shared");
    return filter;
}

/* The same elements whoever comes first: 0, 1, 2, ... */
static void fill_by_threads(struct guira *f) {
    struct share share[THREADS];
    struct crew crew;
    crew_begin(&crew, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        share[i] = (struct share){f, (uint64_t)i * KEYS_EACH, 0};
        crew_hire(&crew, insert_share, &share[i]);
    }
    crew_end(&crew);
    for (unsigned i = 0; i < THREADS; i++) {
        require(share[i].refused == 0, "%" PRIu64, share[i].refused);
    }
}

/* ---- Files ---------------------------------------------------------------------------------- */

struct bytes {
    uint8_t *data;
    size_t size, room;
};

static int append(void *context, const void *bytes, size_t length) {
    struct bytes *to = context;
    require(length <= to->room - to->size, "more than guira_saved_size");
    memcpy(to->data + to->size, bytes, length);
    to->size += length;
    return 0;
}

static struct bytes bytes_with_room(size_t room) {
    struct bytes bytes = {malloc(room), 0, room};
    require(bytes.data != NULL, "no memory");
    return bytes;
}

static struct bytes saved(const struct guira *f) {
    struct bytes bytes = bytes_with_room((size_t)guira_saved_size(f));
    enum guira_status status = guira_save(f, NULL, append, &bytes);
    require(status == GUIRA_OK && bytes.size == bytes.room, "%s", guira_status_text(status));
    return bytes;
}

static struct bytes read_file(const char *path) {
    struct bytes bytes = bytes_with_room(1 << 20);
    FILE *file = fopen(path, "rb");
    require(file != NULL, "%s", path);
    bytes.size = fread(bytes.data, 1, bytes.room, file);
    (void)fclose(file);
    return bytes;
}

/* Ends both. */
static bool equal(struct bytes a, struct bytes b) {
    bool same = a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
    free(a.data);
    free(b.data);
    return same;
}

static bool is_counted_alike(void *context, uint64_t element, unsigned multiplicity) {
    const struct guira *other = context;
    /* The least hash that means the element: ceil(element * 2^64 / U), for U below 2^32. */
    struct guira_info info;
    (void)guira_get_info(other, &info);
    uint64_t universe = info.sizing.universe;
    uint64_t high = (element << 32) / universe;
    uint64_t rest = (element << 32) % universe;
    uint64_t hash = (high << 32) + ((rest << 32) + universe - 1) / universe;
    return guira_element(other, hash) == element &&
           guira_count_uniform(other, hash) == multiplicity;
}

static void read_one(const char *path, unsigned number, struct guira *model, uint64_t n) {
    struct guira *loaded;
    struct guira *mapped;
    enum guira_status status = guira_load_file(NULL, path, &loaded);
    require(status == GUIRA_OK, "load %s: %s", path, guira_status_text(status));
    status = guira_map_file(NULL, path, &mapped);
    require(status == GUIRA_OK, "map %s: %s", path, guira_status_text(status));
    require(guira_check(loaded, NULL) == GUIRA_OK, "%s", path);
    require(guira_insert_u64(mapped, 0) == GUIRA_READ_ONLY, "%s", path);
    require(equal(saved(loaded), read_file(path)), "%s is saved otherwise", path);
    require(equal(saved(mapped), read_file(path)), "%s is saved otherwise when mapped", path);
    if (number == SHARED) {
        require(guira_size(loaded) == guira_size(model), "%s", path);
        status = guira_visit(loaded, is_counted_alike, model);
        require(status == GUIRA_OK, "%s has another element", path);
    } else {
        require(equal(saved(model), read_file(path)), "%s is another table", path);
        require_found(loaded, n);
        require_found(mapped, n);
    }
    guira_destroy(loaded);
    guira_destroy(mapped);
}

static void do_one(bool write, const char *folder, unsigned number) {
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%u.guira", folder, number);
    struct guira *filter = number == SHARED ? create_shared() : create(&shapes[number]);
    uint64_t n = 0;
    if (number == SHARED) {
        fill_by_threads(filter);
    } else {
        n = fill(filter);
    }
    if (write) {
        enum guira_status status = guira_save_file(filter, NULL, path);
        require(status == GUIRA_OK, "save %s: %s", path, guira_status_text(status));
    } else {
        read_one(path, number, filter, n);
    }
    guira_destroy(filter);
}

/* ---- Sizes ---------------------------------------------------------------------------------- */

/* Which tables the sizing rule chooses; in floating point, and yet the same everywhere. */
static struct bytes sizes(void) {
    struct bytes text = bytes_with_room(1 << 16);
    for (uint64_t capacity = 1; capacity < 200000000; capacity = capacity * 99 + 1) {
        for (double rate = 0.3; rate > 1e-6; rate /= 40) {
            struct guira_options options = {.capacity = capacity, .false_positive_rate = rate};
            struct guira_sizing sizing;
            enum guira_status status = guira_size_for(&options, &sizing);
            require(status == GUIRA_OK, "%s", guira_status_text(status));
            int length = snprintf((char *)text.data + text.size, text.room - text.size,
                                  "%" PRIu64 " keys, rate %.10f: %" PRIu64 " buckets, f %u, w %u\n",
                                  capacity, rate, sizing.buckets, sizing.tag_bits, sizing.window);
            text.size += (size_t)length;
            require(text.size < text.room, "more room");
        }
    }
    return text;
}

static void do_sizes(bool write, const char *folder) {
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/sizes.txt", folder);
    struct bytes text = sizes();
    if (write) {
        FILE *file = fopen(path, "wb");
        require(file != NULL && fwrite(text.data, 1, text.size, file) == text.size, "%s", path);
        require(fclose(file) == 0, "%s", path);
        free(text.data);
    } else {
        require(equal(text, read_file(path)), "%s has other sizes", path);
    }
}

int main(int argc, char **argv) {
    bool write = argc == 3 && strcmp(argv[1], "write") == 0;
    require(write || (argc == 3 && strcmp(argv[1], "read") == 0),
            "usage: exchange write|read FOLDER");
    for (unsigned number = 0; number <= SHARED; number++) {
        do_one(write, argv[2], number);
    }
    do_sizes(write, argv[2]);
    return 0;
}
