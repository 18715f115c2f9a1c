#include "state.h"

#include <inttypes.h>
#include <stdio.h>

#include "growth.h"

uint32_t levels_of(const struct guira *f) {
    return f->growth == NULL ? 1 : f->growth->levels;
}

const struct table *table_of_level(const struct guira *f, uint32_t level) {
    return f->growth == NULL ? &f->table : &f->growth->tables.level[level];
}

uint32_t level_of(const struct guira *f, const struct table *t) {
    return f->growth == NULL ? 0 : (uint32_t)(t - f->growth->tables.level);
}

struct view view_unhooked(const struct guira *f) {
    if (f->growth == NULL) {
        return (struct view){0, &f->table, NULL};
    }
    uint64_t word = word_load(f->growth->tables.view, memory_order_relaxed);
    return view_of_word(&f->growth->tables, word);
}

void state_read(const struct guira *f, struct state *now) {
    *now = (struct state){.view = 0};
    for (uint32_t level = 0; level < levels_of(f); level++) {
        const struct table *t = table_of_level(f, level);
        for (uint64_t i = 0; t->words != NULL && i < t->geometry.buckets; i++) {
            now->words[level][i] = word_load(&t->words[i], memory_order_relaxed);
        }
    }
    for (uint32_t i = 0; i < f->stripes.count; i++) {
        now->removals[i] = word_load(&f->table.removals[i], memory_order_relaxed);
        now->locked[i] = ck_spinlock_locked(&f->stripes.all[i].lock.spin);
    }
    struct view v = view_unhooked(f);
    now->view = v.word;
    for (uint64_t i = 0; v.from != NULL && i < v.from->geometry.buckets; i++) {
        now->emptied[i] = guira__was_emptied(f, &v, i);
    }
}

/* ---- Words and slots ------------------------------------------------------------------------- */

/* A slot: level, bucket, slot, tag; of an entry also fingerprint, side, offset, and element. */
static void print_slot(const struct guira *f, uint32_t level, uint64_t bucket, uint32_t slot,
                       uint64_t tag) {
    const struct geometry *g = &table_of_level(f, level)->geometry;
    (void)printf("[%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64, level, bucket, slot, tag);
    if (tag != 0) {
        struct entry entry = entry_of_tag(g, tag);
        struct element e = element_of_entry(g, bucket, slot, entry);
        (void)printf(",%" PRIu64 ",%u,%" PRIu32 ",%" PRIu64, entry.fingerprint, entry.side,
                     entry.offset, element_number(g, e));
    }
    (void)printf("]");
}

/* Write the slots of a word that are not as they were; returns the separator for what follows. */
static const char *print_word_changes(const struct guira *f, uint32_t level, uint64_t bucket,
                                      uint64_t was, uint64_t is, const char *separator) {
    const struct geometry *g = &table_of_level(f, level)->geometry;
    for (uint32_t slot = 0; was != is && slot < g->shape.slots; slot++) {
        uint64_t tag = slot_tag(g, is, slot);
        if (tag != slot_tag(g, was, slot)) {
            (void)printf("%s", separator);
            print_slot(f, level, bucket, slot, tag);
            separator = ",";
        }
    }
    return separator;
}

/* The words themselves too, in hexadecimal: what a picture of the changes must come to. */
static void print_words(const struct guira *f, const struct state *now) {
    (void)printf(",\"words\":[");
    for (uint32_t level = 0; level < levels_of(f); level++) {
        (void)printf("%s[", level > 0 ? "," : "");
        for (uint64_t i = 0; i < table_of_level(f, level)->geometry.buckets; i++) {
            (void)printf("%s\"%" PRIx64 "\"", i > 0 ? "," : "", now->words[level][i]);
        }
        (void)printf("]");
    }
    (void)printf("]");
}

static void print_table_changes(const struct guira *f, const struct state *last,
                                const struct state *now) {
    const char *separator = ",\"set\":[";
    for (uint32_t level = 0; level < levels_of(f); level++) {
        for (uint64_t i = 0; i < table_of_level(f, level)->geometry.buckets; i++) {
            separator = print_word_changes(f, level, i, last->words[level][i], now->words[level][i],
                                           separator);
        }
    }
    if (separator[1] == '\0') {
        (void)printf("]");
        print_words(f, now);
    }
}

/* ---- All else -------------------------------------------------------------------------------- */

static void print_removals(const struct guira *f, const struct state *now) {
    const char *separator = ",\"removals\":[";
    for (uint32_t i = 0; i < f->stripes.count; i++) {
        (void)printf("%s%" PRIu64, separator, now->removals[i]);
        separator = ",";
    }
    (void)printf("]");
}

/* The numbers of those that are true. */
static void print_numbers(const char *name, const bool *is_true, uint64_t count) {
    const char *separator = "";
    (void)printf(",\"%s\":[", name);
    for (uint64_t i = 0; i < count; i++) {
        if (is_true[i]) {
            (void)printf("%s%" PRIu64, separator, i);
            separator = ",";
        }
    }
    (void)printf("]");
}

static void print_view(const struct state *now) {
    (void)printf(",\"view\":[%" PRIu64 ",%" PRIu32 ",%" PRIu32 "]", view_step(now->view),
                 view_from(now->view), view_to(now->view));
}

void state_print_changes(const struct guira *f, const struct state *last, const struct state *now) {
    print_table_changes(f, last, now);
    if (memcmp(last->removals, now->removals, sizeof now->removals) != 0) {
        print_removals(f, now);
    }
    if (memcmp(last->locked, now->locked, sizeof now->locked) != 0) {
        print_numbers("locked", now->locked, f->stripes.count);
    }
    if (memcmp(last->emptied, now->emptied, sizeof now->emptied) != 0) {
        print_numbers("emptied", now->emptied, MOST_BUCKETS);
    }
    if (last->view != now->view) {
        print_view(now);
    }
}

void state_print(const struct guira *f, const struct state *now) {
    const struct state none = {.view = 0};
    print_table_changes(f, &none, now);
    print_removals(f, now);
    print_view(now);
}
