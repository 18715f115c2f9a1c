/*
 * Loading. Nothing is believed before it was checked. Of a regular file the table's memory is taken
 * at once, when its length is right. If it is not known how many bytes there are, the words are
 * read into memory that grows with them: it never exceeds three times what has come and 1 MiB, nor
 * one and a half tables.
 */
#include "load.h"

#include <string.h>

#include "bytes.h"
#include "checksum.h"
#include "create.h"
#include "memory.h"
#include "words.h"

/* What is taken for the words before any of them has come. */
#define FIRST_ROOM ((size_t)1 << 20)

_Static_assert(sizeof((struct guira_load_options *)0)->reserved ==
                   sizeof((struct guira_options *)0)->reserved,
               "the reserved options are copied as a whole");

enum guira_status guira__load_options(const struct guira_load_options *options,
                                      struct recipe *out) {
    static const struct guira_load_options defaults;
    const struct guira_load_options *o = options != NULL ? options : &defaults;
    out->options = (struct guira_options){
        .hash = o->hash,
        .stripes = o->stripes,
        .search_budget = o->search_budget,
        .single_writer = o->single_writer,
        .allocator = o->allocator,
    };
    memcpy(out->options.reserved, o->reserved, sizeof o->reserved);
    out->max_table_bytes = o->max_table_bytes;
    return guira__check_options(&out->options);
}

static enum guira_status check_length(const struct source *source, uint64_t length) {
    if (!source->is_counted || source->available == length) {
        return GUIRA_OK;
    }
    if (source->available < length) {
        return GUIRA_TRUNCATED;
    }
    return source->ends_with_filter ? GUIRA_TRAILING_BYTES : GUIRA_OK;
}

/* The magic is judged as soon as it is there: who sends something else may send no more. */
static enum guira_status read_header(const struct source *source, struct header *header) {
    uint8_t bytes[HEADER_BYTES];
    size_t got;
    enum guira_status status = guira__source_read(source, bytes, MAGIC_BYTES, &got);
    if (status == GUIRA_OK && got == MAGIC_BYTES &&
        guira__header_decode(bytes, got, header) != GUIRA_NOT_A_FILTER) {
        status = guira__source_read(source, bytes + MAGIC_BYTES, HEADER_BYTES - MAGIC_BYTES, &got);
        got += MAGIC_BYTES;
    }
    return status == GUIRA_OK ? guira__header_decode(bytes, got, header) : status;
}

/* The header is possible, so the only reason left for which there is no such table, at the highest
 * level either, is this machine: GUIRA_TOO_LARGE. */
static enum guira_status find_geometry(const struct header *h, struct geometry *out) {
    enum guira_status status =
        guira__geometry_with(h->buckets, h->tag_bits, h->window, h->fingerprints, out);
    struct geometry highest;
    if (status == GUIRA_OK && h->levels > 0) {
        status = guira__level_geometry(out, h->levels - 1, &highest);
    }
    return status;
}

enum guira_status guira__load_header(const struct source *source, struct recipe *recipe) {
    enum guira_status status = read_header(source, &recipe->header);
    if (status != GUIRA_OK) {
        return status;
    }
    const struct header *h = &recipe->header;
    struct hashing hashing = guira__hashing(h->seed, &recipe->options.hash);
    if (h->hash_identity != guira__hash_identity(&hashing)) {
        return GUIRA_OTHER_HASH;
    }
    status = find_geometry(h, &recipe->geometry);
    if (status != GUIRA_OK) {
        return status;
    }
    uint64_t words = words_after(h);
    if (recipe->max_table_bytes != 0 && words > recipe->max_table_bytes / sizeof(uint64_t)) {
        return GUIRA_TOO_LARGE;
    }
    return check_length(source, saved_bytes(words));
}

struct plan guira__load_plan(const struct recipe *recipe) {
    struct guira_options options = recipe->options;
    if (options.search_budget == 0) {
        options.search_budget = recipe->header.search_budget;
    }
    const struct header *h = &recipe->header;
    const struct outline outline = {.geometry = recipe->geometry,
                                    .capacity = h->capacity,
                                    .levels = h->levels,
                                    .level = h->level,
                                    .from = h->from};
    return guira__plan_for(&outline, &options);
}

/* ---- The words ------------------------------------------------------------------------------ */

/* Memory that grows to the table. */
struct room {
    const struct guira_allocator *allocator;
    char *memory;
    size_t size;
};

static void give_back(struct room *room) {
    if (room->memory != NULL) {
        guira__memory_give_back(room->allocator, room->memory, room->size);
    }
}

static enum guira_status grow(struct room *room, size_t size) {
    void *memory;
    enum guira_status status = guira__memory_get(room->allocator, size, &memory);
    if (status != GUIRA_OK) {
        return status;
    }
    if (room->memory != NULL) {
        memcpy(memory, room->memory, room->size);
    }
    give_back(room);
    room->memory = memory;
    room->size = size;
    return GUIRA_OK;
}

/* How large to make the room, which is full, when the table has `whole` bytes. Half of the table is
 * one of the steps, as the last room and the table are both there while the one is copied. */
static size_t next_size(const struct room *room, size_t whole, bool is_counted) {
    size_t half = guira__memory_size(room->allocator, whole / 2);
    if (is_counted || room->size >= half || whole <= FIRST_ROOM) {
        return whole;
    }
    size_t next = room->size == 0 ? FIRST_ROOM : 2 * room->size;
    return next < half ? next : half;
}

static enum guira_status read_words(const struct source *source, size_t length, size_t whole,
                                    struct room *room) {
    size_t got = 0;
    enum guira_status status = GUIRA_OK;
    while (status == GUIRA_OK && got < length) {
        status = grow(room, next_size(room, whole, source->is_counted));
        if (status == GUIRA_OK) {
            size_t until = room->size < length ? room->size : length;
            status = guira__source_read_all(source, room->memory + got, until - got);
            got = until;
        }
    }
    return status;
}

static enum guira_status read_checksum(const struct source *source, const struct checksum *sum) {
    uint8_t bytes[CHECKSUM_BYTES];
    enum guira_status status = guira__source_read_all(source, bytes, sizeof bytes);
    if (status == GUIRA_OK && get_64(bytes) != guira__checksum_end(sum)) {
        status = GUIRA_BAD_CHECKSUM;
    }
    return status;
}

/* That nothing follows, where it could not be known from the length. */
static enum guira_status check_end(const struct source *source) {
    char byte;
    size_t got = 0;
    enum guira_status status = GUIRA_OK;
    if (source->ends_with_filter && !source->is_counted) {
        status = guira__source_read(source, &byte, 1, &got);
    }
    return status == GUIRA_OK && got > 0 ? GUIRA_TRAILING_BYTES : status;
}

static enum guira_status make_filter(const struct recipe *recipe, struct room *filled,
                                     struct room *emptied, struct guira **out) {
    struct plan plan = guira__load_plan(recipe);
    const struct begin_with tables = {filled->memory, emptied->memory};
    struct guira *filter;
    enum guira_status status =
        guira__create_around(&plan, &recipe->options, recipe->header.seed, tables, &filter);
    if (status != GUIRA_OK) {
        return status;
    }
    filled->memory = NULL; /* it is the filter's */
    emptied->memory = NULL;
    status = guira__words_verify(filter, recipe->header.items);
    if (status != GUIRA_OK) {
        guira_destroy(filter);
        return status;
    }
    /* Only the sum of the stripes' counts means anything, see clone.c. */
    stripe_count(stripe_at(&filter->stripes, 0), (int64_t)recipe->header.items);
    *out = filter;
    return GUIRA_OK;
}

/* A table of so many buckets, in the machine's order of bytes. */
static enum guira_status read_table(const struct source *source, uint64_t buckets,
                                    struct room *table, struct checksum *sum) {
    size_t length = (size_t)buckets * sizeof(uint64_t);
    enum guira_status status =
        read_words(source, length, guira__table_bytes(table->allocator, buckets), table);
    if (status == GUIRA_OK) {
        guira__checksum_add(sum, table->memory, length);
        guira__words_reorder(table->memory, (size_t)buckets);
    }
    return status;
}

static enum guira_status load_rest(const struct source *source, const struct recipe *recipe,
                                   struct guira **out) {
    const struct header *h = &recipe->header;
    struct room filled = {.allocator = &recipe->options.allocator};
    struct room emptied = filled;
    struct checksum sum;
    guira__checksum_begin(&sum, h->checksum);
    enum guira_status status = read_table(source, h->buckets << h->level, &filled, &sum);
    if (status == GUIRA_OK && h->from != h->level) {
        status = read_table(source, h->buckets << h->from, &emptied, &sum);
    }
    if (status == GUIRA_OK) {
        status = read_checksum(source, &sum);
    }
    if (status == GUIRA_OK) {
        status = check_end(source);
    }
    if (status == GUIRA_OK) {
        status = make_filter(recipe, &filled, &emptied, out);
    }
    give_back(&filled);
    give_back(&emptied);
    return status;
}

enum guira_status guira__load(const struct source *source, struct recipe *recipe,
                              struct guira **out) {
    enum guira_status status = guira__load_header(source, recipe);
    return status == GUIRA_OK ? load_rest(source, recipe, out) : status;
}

enum guira_status guira_load(const struct guira_load_options *options, guira_reader reader,
                             void *context, struct guira **out) {
    if (reader == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct source source = {.reader = reader, .context = context, .failure = GUIRA_CALLBACK_FAILED};
    struct recipe recipe;
    enum guira_status status = guira__load_options(options, &recipe);
    return status == GUIRA_OK ? guira__load(&source, &recipe, out) : status;
}
