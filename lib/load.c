/*
 * Loading. Nothing is believed before it was checked. Of a regular file the table's memory is taken
 * at once, when its length is right. If it is not known how many bytes there are, the words are
 * read into memory that grows with them: it never exceeds three times what has come and 1 MiB, nor
 * one and a half tables.
 */
#include "load.h"

#include <string.h>

#include "bytes.h"
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
    if (recipe->max_table_bytes != 0 && h->buckets > recipe->max_table_bytes / sizeof(uint64_t)) {
        return GUIRA_TOO_LARGE;
    }
    /* The header is possible, so the only reason left is this machine: GUIRA_TOO_LARGE. */
    status = guira__geometry(h->buckets, h->tag_bits, h->window, &recipe->geometry);
    return status == GUIRA_OK ? check_length(source, saved_bytes(h->buckets)) : status;
}

struct plan guira__load_plan(const struct recipe *recipe) {
    struct guira_options options = recipe->options;
    if (options.search_budget == 0) {
        options.search_budget = recipe->header.search_budget;
    }
    const struct outline outline = {.geometry = recipe->geometry,
                                    .capacity = recipe->header.capacity};
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

static enum guira_status read_checksum(const struct source *source, const struct header *header,
                                       const void *words) {
    uint8_t bytes[CHECKSUM_BYTES];
    enum guira_status status = guira__source_read_all(source, bytes, sizeof bytes);
    if (status == GUIRA_OK && get_64(bytes) != guira__words_checksum(header, words)) {
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

/* Tells the stripes how many entries they have. */
static enum guira_status count_entries(struct guira *f, uint64_t items) {
    const struct table *t = &f->table;
    uint64_t to = 0;
    for (uint64_t i = 0; i < f->stripes.count; i++) {
        uint64_t from = to;
        to = (i + 1) << t->stripe_shift;
        to = to < t->geometry.buckets ? to : t->geometry.buckets;
        uint64_t entries;
        enum guira_status status = guira__words_count(t, from, to, &entries);
        if (status != GUIRA_OK) {
            return status;
        }
        stripe_count(stripe_at(&f->stripes, i), (int64_t)entries);
    }
    return guira__item_sum(&f->stripes) == items ? GUIRA_OK : GUIRA_WRONG_COUNT;
}

static enum guira_status make_filter(const struct recipe *recipe, const struct plan *plan,
                                     struct room *table, struct guira **out) {
    struct guira *filter;
    enum guira_status status =
        guira__create_around(plan, &recipe->options, recipe->header.seed, table->memory, &filter);
    if (status != GUIRA_OK) {
        return status;
    }
    table->memory = NULL; /* it is the filter's */
    status = count_entries(filter, recipe->header.items);
    if (status != GUIRA_OK) {
        guira_destroy(filter);
        return status;
    }
    *out = filter;
    return GUIRA_OK;
}

static enum guira_status load_rest(const struct source *source, const struct recipe *recipe,
                                   struct guira **out) {
    struct plan plan = guira__load_plan(recipe);
    struct room table = {.allocator = &recipe->options.allocator};
    size_t buckets = (size_t)recipe->geometry.buckets;
    enum guira_status status =
        read_words(source, buckets * sizeof(uint64_t), plan.table_bytes, &table);
    if (status == GUIRA_OK) {
        status = read_checksum(source, &recipe->header, table.memory);
    }
    if (status == GUIRA_OK) {
        status = check_end(source);
    }
    if (status == GUIRA_OK) {
        guira__words_reorder(table.memory, buckets);
        status = make_filter(recipe, &plan, &table, out);
    }
    give_back(&table);
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
