/*
 * The filter as a whole, and the steps that more than one operation takes.
 *
 *     calls.c, batch.c   the calls on one key, on many      create.c   create, destroy, fork
 *     kernel.h           what does them: kernel_body.h,     options.c  what options mean
 *                        lookup.h, insert.h, remove.h,      sizing.c   which geometry fits
 *                        eight.h                            info.c     size, info, texts
 *     clear.c            remove everything                  visit.c    visit, check
 *     save.c, load.c     to and from bytes                  file.c     files, with replace.c
 *     map.c              read-only, over a file's pages     clone.c    a copy of a filter
 *     snapshot.c         a copy of the words at one instant merge.c    one filter into another
 *     seat.c             one filter in another's place
 *     growth.c           more room, while it is used        migrate.c  from table to table
 *     growing.h          the calls while it grows           cursor.h   how far that is
 *
 * Below them: protocol.h (how words are read and changed), stripe.h (locks), path.h (the search for
 * room), place.h and bucket.h (where an element may be; slots in a word), geometry.h, hash.h; of
 * files format.h (the header), words.h (the words), stream.h (where bytes come from and go to).
 */
#ifndef GUIRA_LIB_FILTER_H
#define GUIRA_LIB_FILTER_H

#include "guira/guira.h"

#include "hash.h"
#include "kernel.h"
#include "protocol.h"
#include "stats.h"
#include "stripe.h"

struct growth;

/* All but what the four arrays hold (words, removals, stripes, statistics), what `growth` points
 * to, and what a seat notes is constant from creation on. */
struct guira {
    struct table table;
    struct stripes stripes;
    struct stats stats;
    struct hashing hashing;
    struct kernel kernel;  /* by value: a pointer would cost each call one more load */
    struct growth *growth; /* NULL if it does not grow; else `table` has no words, and the
                            * geometry of the smallest level */
    uint64_t capacity;
    uint32_t search_budget;
    size_t table_bytes;
    size_t block_bytes; /* of this struct and the arrays but the table: one allocation */
    struct guira_allocator allocator;
    bool read_only;          /* its kernel refuses to change it */
    struct mapping *mapping; /* of a file, whose words are the table; NULL if it has its own */
    bool is_retired;         /* by a seat, whose lock guards this and the next */
    struct guira *next_retired;
};

/* Hash a byte-string key; false if an argument is NULL that must not be. */
static inline bool hash_key(const struct guira *f, const void *key, size_t length, uint64_t *hash) {
    if (f == NULL || (key == NULL && length > 0)) {
        return false;
    }
    *hash = guira__hash_bytes(&f->hashing, key, length);
    return true;
}

static inline struct element element_here(const struct guira *f, uint64_t hash) {
    return element_of_hash(&f->table.geometry, hash);
}

static inline struct candidates candidates_here(const struct guira *f, uint64_t hash) {
    return candidates_of(&f->table.geometry, element_here(f, hash));
}

static inline struct stripe *stripe_in(const struct guira *f, const struct table *t,
                                       uint64_t bucket) {
    return stripe_at(&f->stripes, stripe_of(t, bucket));
}

static inline void add_stripes_of(struct stripe_set *set, const struct table *t,
                                  const struct candidates *c) {
    guira__stripe_set_add(set, stripe_of(t, c->bucket[0]));
    guira__stripe_set_add(set, stripe_of(t, c->bucket[1]));
}

/* The one or two stripes of an element's buckets. */
static inline struct stripe_set stripes_of(const struct table *t, const struct candidates *c) {
    struct stripe_set set;
    set.size = 0;
    add_stripes_of(&set, t, c);
    return set;
}

/* How many copies there are; the caller holds both stripes. Linearisation point: any moment while
 * they are held, as a move, which shows a copy twice, holds them as well. */
static inline unsigned held_copies(const struct table *t, const struct candidates *c) {
    const struct geometry *g = &t->geometry;
    uint64_t home = held_word(t, c->bucket[0]);
    uint64_t away = held_word(t, c->bucket[1]);
    return bits_set(matching_slots(g, home, c->pattern[0])) +
           bits_set(matching_slots(g, away, c->pattern[1]));
}

#endif
