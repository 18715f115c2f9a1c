/*
 * What is bounded whatever the keys: a failed insert changes nothing, a key has so many copies and
 * no more, and a look-up reads two buckets.
 */
#include <stdlib.h>
#include <string.h>

#include <bloom.h>

#include "point.h"
#include "shape.h"
#include "tables.h"
#include "touches.h"

/* ---- Failed inserts -------------------------------------------------------------------------- */

/* A saved filter: its words, its count, and all else but the statistics. */
struct saved {
    unsigned char *bytes;
    size_t length;
};

static int append(void *context, const void *bytes, size_t length) {
    struct saved *saved = context;
    memcpy(saved->bytes + saved->length, bytes, length);
    saved->length += length;
    return 0;
}

static void save(const struct guira *filter, struct saved *saved) {
    saved->length = 0;
    enum guira_status status = guira_save(filter, NULL, append, saved);
    if (status != GUIRA_OK) {
        fail("save: %s", guira_status_text(status));
    }
}

static struct saved saved_for(const struct guira *filter) {
    return (struct saved){.bytes = zeroed((size_t)guira_saved_size(filter), 1)};
}

static void fail_at_the_brim(struct tables *t, struct shape shape, uint64_t slots) {
    struct guira *filter = shape_filter(shape, slots, t->seed);
    struct saved then = saved_for(filter);
    struct saved now = saved_for(filter);
    uint64_t wanted = t->smoke ? 200 : 1000;
    uint64_t in = fill_guira(filter, t->seed, 0, UINT64_MAX);
    uint64_t missing = in - found_in_guira(filter, t->seed, in);
    uint64_t failed = 0;
    uint64_t changed = 0;
    save(filter, &then);
    for (uint64_t i = in; failed < wanted; i++) {
        enum guira_status status = guira_insert_u64(filter, key_of(t->seed, i));
        save(filter, &now);
        if (status != GUIRA_OK) {
            failed++;
            changed += memcmp(then.bytes, now.bytes, then.length) != 0;
        }
        struct saved swap = then;
        then = now;
        now = swap;
    }
    missing += in - found_in_guira(filter, t->seed, in);
    say(t, "| %u, %u | %llu | %llu | %llu | %llu |\n", shape.tag_bits, shape.window,
        (unsigned long long)in, (unsigned long long)failed, (unsigned long long)changed,
        (unsigned long long)missing);
    claim(t, changed == 0, "%llu failed inserts changed the table", (unsigned long long)changed);
    claim(t, missing == 0, "%llu keys are lost at the brim", (unsigned long long)missing);
    free(then.bytes);
    free(now.bytes);
    guira_destroy(filter);
}

static void say_brim(struct tables *t) {
    uint64_t slots = t->smoke ? 4096 : 65536;
    say(t, "## Failed inserts\n\n"
           "Filled until an insert fails, and then on, until so many failed. The filter is saved "
           "before and after each insert, and the bytes compared.\n\n"
           "| tags, window | items at the first failure | failed inserts | that changed a word | "
           "keys lost |\n|---|---|---|---|---|\n"
           "| published | | all | 0 | |\n");
    fail_at_the_brim(t, (struct shape){16, 4}, slots);
    fail_at_the_brim(t, (struct shape){12, 2}, slots);
    fail_at_the_brim(t, (struct shape){8, 3}, slots);
    say(t, "\nNo difference. Articles undo the kicks of a failed insert; guira finds a path before "
           "it moves anything, so there is nothing to undo.\n\n");
}

/* ---- Copies of one key ----------------------------------------------------------------------- */

static unsigned copies_in_guira(struct tables *t, struct shape shape) {
    struct guira *filter = shape_filter(shape, 4096, t->seed);
    uint64_t key = key_of(t->seed, 0);
    unsigned copies = 0;
    enum guira_status status;
    while ((status = guira_insert_u64(filter, key)) == GUIRA_OK) {
        copies++;
    }
    claim(t, status == GUIRA_LIMIT, "the last copy is refused by limit: %s",
          guira_status_text(status));
    claim(t, guira_count_u64(filter, key) == copies, "all %u copies are counted", copies);
    for (unsigned i = 0; i < copies; i++) {
        claim(t, guira_remove_u64(filter, key) == GUIRA_OK, "copy %u can be removed", i);
    }
    claim(t, !guira_contains_u64(filter, key), "after as many removals the key is gone");
    guira_destroy(filter);
    return copies;
}

static unsigned copies_in_classic(struct tables *t, unsigned slots) {
    struct classic_shape shape = {
        .buckets = 1024, .slots = slots, .tag_bits = 12, .kicks = CLASSIC_MOST_KICKS};
    struct classic *classic = classic_create(shape, t->seed);
    unsigned copies = 0;
    while (classic_insert(classic, key_of(t->seed, 0))) {
        copies++;
    }
    classic_destroy(classic);
    return copies;
}

static void say_copies(struct tables *t) {
    static const struct shape shapes[] = {{12, 1}, {12, 2}, {8, 3}, {16, 4}, {12, 4}, {8, 8}};
    say(t, "## Copies of one key\n\n"
           "| slots a side | published | random kicks | guira: tags, window | copies |\n"
           "|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        unsigned window = shapes[i].window;
        unsigned copies = copies_in_guira(t, shapes[i]);
        say(t, "| %u | %u | %u | %u, %u | %u |\n", window, 2 * window, copies_in_classic(t, window),
            shapes[i].tag_bits, window, copies);
        claim(t, copies == 2 * window, "windows of %u slots take %u copies", window, copies);
    }
    say(t, "\nNo difference; but the next insert is refused as `GUIRA_LIMIT` without a search, "
           "where a walk of kicks moves copies in a circle until it gives up.\n\n");
}

/* ---- Memory that a look-up touches ----------------------------------------------------------- */

struct touching {
    double present; /* pages a look-up, on average */
    double absent;
    unsigned most;
};

typedef bool (*look_up)(void *filter, uint64_t key);

static bool look_in_guira(void *filter, uint64_t key) {
    return guira_contains_u64(filter, key);
}

static bool look_in_bloom(void *filter, uint64_t key) {
    return bloom_check(filter, &key, sizeof key) == 1;
}

static double count_touches(uint64_t stream, look_up look, void *filter, unsigned *most) {
    enum { LOOK_UPS = 1000 };
    uint64_t sum = 0;
    for (uint64_t i = 0; i < LOOK_UPS; i++) {
        uint64_t key = key_of(stream, i);
        touches_begin();
        (void)look(filter, key);
        unsigned touched = touches_end();
        sum += touched;
        *most = touched > *most ? touched : *most;
    }
    return (double)sum / LOOK_UPS;
}

static struct touching touching_of(const struct tables *t, look_up look, void *filter) {
    struct touching touching = {0};
    touching.present = count_touches(t->seed, look, filter, &touching.most);
    touching.absent = count_touches(t->seed + (UINT64_C(1) << 40), look, filter, &touching.most);
    return touching;
}

/* An allocator that notes its largest block, the table. */
struct blocks {
    void *table;
    size_t bytes;
};

static void *allocate(void *context, size_t size, size_t alignment) {
    struct blocks *blocks = context;
    size_t page = touches_page();
    size_t rounded = (size + page - 1) / page * page;
    void *memory = aligned_alloc(alignment > page ? alignment : page, rounded);
    if (memory != NULL && rounded > blocks->bytes) {
        *blocks = (struct blocks){.table = memory, .bytes = rounded};
    }
    return memory;
}

static void release(void *context, void *memory, size_t size, size_t alignment) {
    (void)context;
    (void)size;
    (void)alignment;
    free(memory);
}

static struct touching touching_guira(struct tables *t, uint64_t items, double rate) {
    struct blocks blocks = {0};
    struct guira_options options = {
        .capacity = items,
        .false_positive_rate = rate,
        .seed = t->seed,
        .single_writer = true,
        .allocator = {.allocate = allocate, .release = release, .context = &blocks}};
    struct guira *filter = filter_of(&options);
    (void)fill_guira(filter, t->seed, 0, items);
    touches_watch(blocks.table, blocks.bytes);
    struct touching touching = touching_of(t, look_in_guira, filter);
    touches_unwatch();
    guira_destroy(filter);
    return touching;
}

static struct touching touching_bloom(struct tables *t, uint64_t items, double rate,
                                      unsigned *hashes) {
    struct bloom bloom;
    size_t page = touches_page();
    if (bloom_init(&bloom, (int)items, rate) != 0) {
        fail("libbloom refuses");
    }
    /* Its bits, put where pages begin. */
    unsigned char *own = bloom.bf;
    size_t bytes = ((size_t)bloom.bytes + page - 1) / page * page;
    bloom.bf = aligned_alloc(page, bytes);
    if (bloom.bf == NULL) {
        fail("no memory for %zu bytes", bytes);
    }
    memset(bloom.bf, 0, bytes);
    for (uint64_t i = 0; i < items; i++) {
        uint64_t key = key_of(t->seed, i);
        (void)bloom_add(&bloom, &key, sizeof key);
    }
    touches_watch(bloom.bf, bytes);
    struct touching touching = touching_of(t, look_in_bloom, &bloom);
    touches_unwatch();
    *hashes = (unsigned)bloom.hashes;
    free(bloom.bf);
    bloom.bf = own;
    bloom_free(&bloom);
    return touching;
}

static void say_touches(struct tables *t) {
    static const double rates[] = {0.03, 0.01, 0.001, 0.0001};
    uint64_t items = t->smoke ? 100000 : 3000000;
    say(t,
        "## Memory that a look-up touches\n\n"
        "Filters made for %llu items and full of them. Pages of the table that look-ups of 1,000 "
        "present and 1,000 absent keys touch, on average; in tables of that size two accesses are "
        "hardly ever to one page.\n\n"
        "| rate | published: Bloom, cuckoo | libbloom: k | present | absent | guira: present | "
        "absent | most |\n|---|---|---|---|---|---|---|---|\n",
        (unsigned long long)items);
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        unsigned hashes = 0;
        struct touching bloom = touching_bloom(t, items, rates[i], &hashes);
        struct touching guira = touching_guira(t, items, rates[i]);
        say(t, "| %g %% | k, 2 | %u | %.2f | %.2f | %.2f | %.2f | %u |\n", 100 * rates[i], hashes,
            bloom.present, bloom.absent, guira.present, guira.absent, guira.most);
        claim(t, guira.most <= 2, "a look-up touches at most two pages: %u", guira.most);
        claim(t, guira.present <= 2 && guira.absent > 1.5, "look-ups touch %g and %g pages",
              guira.present, guira.absent);
    }
    say(t,
        "\nNo difference where the key is there. Where it is not, a Bloom filter ends at the "
        "first bit that is clear, after two on average, whatever k is. guira reads both words "
        "always, so that it has one branch and not two; beside them it reads two removal "
        "counters, which lie apart and are few. A counting Bloom filter touches k places, of "
        "four times the memory: computed as %.1f bits per item at 1 %%, where guira has "
        "%.1f.\n\n",
        4 * optimal_bits(0.01), point_promised(0.01, 1000000).bits);
}

void tables_bounds(struct tables *t) {
    say_brim(t);
    say_copies(t);
    say_touches(t);
}
