/*
 * Taking a snapshot; see the header.
 */
#include "snapshot.h"

#include "memory.h"

void guira__snapshot_release(const struct guira *f, struct snapshot *snapshot) {
    for (unsigned i = 0; i < MOST_TABLES; i++) {
        struct copied *c = &snapshot->copy[i];
        if (c->words != NULL) {
            guira__memory_give_back(&f->allocator, c->words, c->bytes);
        }
    }
    *snapshot = (struct snapshot){.items = 0};
}

/* Memory for the words of the tables that are in use now, in which no page has to be found later.
 * */
static enum guira_status prepare(const struct guira *f, struct snapshot *s) {
    *s = (struct snapshot){.of = whole_of(f)};
    enum guira_status status = GUIRA_OK;
    for (unsigned i = 0; i < s->of.tables && status == GUIRA_OK; i++) {
        size_t words = (size_t)s->of.table[i]->geometry.buckets;
        size_t bytes = guira__memory_size(&f->allocator, words * sizeof(uint64_t));
        void *memory;
        status = guira__memory_get(&f->allocator, bytes, &memory);
        if (status == GUIRA_OK) {
            guira__memory_touch(&f->allocator, memory, bytes);
            s->copy[i] = (struct copied){memory, bytes};
        }
    }
    if (status != GUIRA_OK) {
        guira__snapshot_release(f, s);
    }
    return status;
}

static void copy_words(const struct table *t, uint64_t *words) {
    for (uint64_t bucket = 0; bucket < t->geometry.buckets; bucket++) {
        words[bucket] = held_word(t, bucket);
    }
}

/* False if other tables are in use than were prepared for. */
static bool copy_all(const struct guira *f, struct snapshot *s) {
    /* The instant is any moment while all locks are held: then no insert, remove or move is half
     * done, and the stripes' counts are those of the words. */
    guira__lock_all(&f->stripes);
    bool stands = guira__view(f).word == s->of.view.word;
    for (unsigned i = 0; i < s->of.tables && stands; i++) {
        copy_words(s->of.table[i], s->copy[i].words);
    }
    s->items = guira__item_sum(&f->stripes);
    guira__unlock_all(&f->stripes);
    return stands;
}

enum guira_status guira__snapshot_take(const struct guira *f, struct snapshot *out) {
    for (;;) {
        struct snapshot snapshot;
        enum guira_status status = prepare(f, &snapshot);
        if (status != GUIRA_OK) {
            return status;
        }
        if (copy_all(f, &snapshot)) {
            *out = snapshot;
            return GUIRA_OK;
        }
        guira__snapshot_release(f, &snapshot); /* again only if it has grown or shrunk */
    }
}
