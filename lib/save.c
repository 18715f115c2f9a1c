/*
 * Saving: header, words, checksum, of the filter at one instant. By default a snapshot is taken
 * first, so that writers wait for memory only; in place they wait for the sink.
 */
#include "save.h"

#include "bytes.h"
#include "checksum.h"
#include "format.h"
#include "map.h"
#include "options.h"
#include "snapshot.h"
#include "words.h"

enum { WORDS_AT_ONCE = 4096 };

uint64_t guira_saved_size(const struct guira *filter) {
    if (filter == NULL) {
        return 0;
    }
    struct whole all = whole_of(filter);
    return saved_bytes(buckets_in(&all));
}

static struct header header_of(const struct guira *f, const struct view *v, uint64_t items) {
    const struct geometry *g = &f->table.geometry;
    return (struct header){
        .buckets = g->buckets,
        .tag_bits = g->shape.tag_bits,
        .window = g->shape.window_slots,
        .fingerprints = g->fingerprints,
        .seed = f->hashing.seed,
        .hash_identity = guira__hash_identity(&f->hashing),
        .search_budget = f->search_budget,
        .items = items,
        .capacity = f->capacity,
        .levels = f->growth != NULL ? f->growth->levels : 0,
        .level = view_to(v->word),
        .from = view_from(v->word),
    };
}

static enum guira_status write_header(const struct sink *sink, struct header *header) {
    uint8_t bytes[HEADER_BYTES];
    guira__header_encode(header, bytes);
    return guira__sink_write(sink, bytes, sizeof bytes);
}

/* The next words as a file has them: those of a copy, in place, or if there is none, in `room`, of
 * the table, which nobody may change now. */
static const uint64_t *next_words(const struct table *t, uint64_t *copy, uint64_t from,
                                  size_t count, uint64_t *room) {
    uint64_t *words = copy != NULL ? copy + from : room;
    for (size_t i = 0; copy == NULL && i < count; i++) {
        words[i] = held_word(t, from + i);
    }
    guira__words_reorder(words, count);
    return words;
}

static enum guira_status write_table(const struct sink *sink, const struct table *t, uint64_t *copy,
                                     struct checksum *sum) {
    enum guira_status status = GUIRA_OK;
    uint64_t left = t->geometry.buckets;
    while (status == GUIRA_OK && left > 0) {
        uint64_t room[WORDS_AT_ONCE];
        size_t count = left < WORDS_AT_ONCE ? (size_t)left : WORDS_AT_ONCE;
        const uint64_t *words = next_words(t, copy, t->geometry.buckets - left, count, room);
        guira__checksum_add(sum, words, count * sizeof *words);
        status = guira__sink_write(sink, words, count * sizeof *words);
        left -= count;
    }
    return status;
}

/* Of a snapshot, or of what is called one but has no copies. */
static enum guira_status write_all(const struct sink *sink, const struct guira *f,
                                   const struct snapshot *s) {
    struct header header = header_of(f, &s->of.view, s->items);
    enum guira_status status = write_header(sink, &header);
    struct checksum sum;
    guira__checksum_begin(&sum, header.checksum);
    for (unsigned i = 0; i < s->of.tables && status == GUIRA_OK; i++) {
        status = write_table(sink, s->of.table[i], s->copy[i].words, &sum);
    }
    if (status == GUIRA_OK) {
        uint8_t end[CHECKSUM_BYTES];
        put_64(end, guira__checksum_end(&sum));
        status = guira__sink_write(sink, end, sizeof end);
    }
    return status;
}

static enum guira_status save_in_place(const struct guira *f, const struct sink *sink) {
    guira__lock_all(&f->stripes);
    struct snapshot in_place = {.of = whole_of(f), .items = guira__item_sum(&f->stripes)};
    enum guira_status status = write_all(sink, f, &in_place);
    guira__unlock_all(&f->stripes);
    return status;
}

/* Whether the copy has as many entries as were counted. If not, most likely the single writer of a
 * filter without locks was at work: such a copy would not load, and must not replace one that does.
 */
static bool is_whole(const struct snapshot *s) {
    uint64_t used = 0;
    for (unsigned i = 0; i < s->of.tables; i++) {
        const struct geometry *g = &s->of.table[i]->geometry;
        for (uint64_t bucket = 0; bucket < g->buckets; bucket++) {
            used += used_slots(g, s->copy[i].words[bucket]);
        }
    }
    return used == s->items;
}

static enum guira_status save_copy(const struct guira *f, const struct sink *sink) {
    struct snapshot snapshot;
    enum guira_status status = guira__snapshot_take(f, &snapshot);
    if (status == GUIRA_OK) {
        status = is_whole(&snapshot) ? write_all(sink, f, &snapshot) : GUIRA_CORRUPT;
        guira__snapshot_release(f, &snapshot);
    }
    return status;
}

enum guira_status guira__save_check(const struct guira *f,
                                    const struct guira_save_options *options) {
    if (f == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status =
        options != NULL ? guira__check_reserved(options->reserved) : GUIRA_OK;
    return status == GUIRA_OK ? guira__verify_once(f) : status;
}

enum guira_status guira__save(const struct guira *f, const struct guira_save_options *options,
                              const struct sink *sink) {
    enum guira_status status = guira__save_check(f, options);
    if (status != GUIRA_OK) {
        return status;
    }
    /* What cannot change need not be copied. */
    bool in_place = f->read_only || (options != NULL && options->in_place);
    return in_place ? save_in_place(f, sink) : save_copy(f, sink);
}

enum guira_status guira_save(const struct guira *filter, const struct guira_save_options *options,
                             guira_writer writer, void *context) {
    struct sink sink = {writer, context, GUIRA_CALLBACK_FAILED};
    return writer == NULL ? GUIRA_NULL_ARGUMENT : guira__save(filter, options, &sink);
}
