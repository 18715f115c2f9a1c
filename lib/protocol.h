/*
 * The core of the concurrency protocol: how a reader looks, and how a writer that holds the locks
 * fills and empties slots. Every order between threads that is not a lock's is named in this file;
 * the search's sum of counters in insert.h, and eight.h, use the names.
 * Free of locks, inline assembly and system headers, with the orders as macros, so that a model
 * checker can compile it as it is and weaken one order at a time.
 *
 * E1 to E4 are the edges of docs/memory-model.md; "publishes" marks the releasing end of an edge,
 * "observes" the acquiring end. W2, W3, R1, R2, R3 are the steps named there.
 */
#ifndef GUIRA_LIB_PROTOCOL_H
#define GUIRA_LIB_PROTOCOL_H

#include "atomic.h"
#include "bucket.h"
#include "hook.h"

#ifndef ORDER_COUNTER_STORE
#define ORDER_COUNTER_STORE memory_order_release /* W3, E1 publishes */
#endif
#ifndef ORDER_COUNTER_BEFORE
#define ORDER_COUNTER_BEFORE memory_order_acquire /* R1, E1 observes */
#endif
#ifndef ORDER_MOVE_STORE
#define ORDER_MOVE_STORE memory_order_release /* W2 inside a move, E2 publishes */
#endif
#ifndef ORDER_MOVE_CLEAR
#define ORDER_MOVE_CLEAR memory_order_seq_cst /* W3 inside a move, E2 and E3 publishes */
#endif
#ifndef ORDER_COMPLETE_STORE
#define ORDER_COMPLETE_STORE memory_order_seq_cst /* end of insert or remove, E2 and E3 publishes */
#endif
#ifndef ORDER_WORD_READ
#define ORDER_WORD_READ memory_order_seq_cst /* R2, E2 and E3 observes */
#endif
#ifndef ORDER_COUNTER_AFTER
#define ORDER_COUNTER_AFTER memory_order_relaxed /* R3, relaxed: E2 brings the new value along */
#endif
#ifndef ORDER_SEARCH_READ
#define ORDER_SEARCH_READ memory_order_acquire /* path search, E2 observes */
#endif

/* The shared state that readers and writers meet in. The pointers and the shape never change. */
struct table {
    struct geometry geometry;
    atomic_word *words;    /* M buckets */
    atomic_word *removals; /* for each stripe, how often a slot of it was emptied */
    uint32_t stripe_shift; /* the stripe of a bucket is bucket >> stripe_shift */
};

/* Both windows that an element may use, and what they hold if they hold it. */
struct candidates {
    uint64_t bucket[2];
    struct pattern pattern[2];
};

static inline struct pattern home_pattern(const struct geometry *g, struct element e) {
    return pattern_of(g, e.fingerprint, 0, e.home.lane);
}

static inline struct candidates candidates_of(const struct geometry *g, struct element e) {
    struct place away = place_of(g, e, 1);
    return (struct candidates){
        .bucket = {e.home.bucket, away.bucket},
        .pattern = {home_pattern(g, e), pattern_of(g, e.fingerprint, 1, away.lane)},
    };
}

static inline uint64_t stripe_of(const struct table *t, uint64_t bucket) {
    return bucket >> t->stripe_shift;
}

/* ---- Readers -------------------------------------------------------------------------------- */

enum sighting {
    SEEN_AT_HOME, /* an entry was there, on side 0 */
    SEEN_AWAY,    /* an entry was there, on side 1 */
    SEEN_BEFORE,  /* an entry was there, in the table that is being emptied (view.h) */
    NOT_THERE,    /* no entry was there */
    UNCLEAR       /* something left the two stripes meanwhile; look again */
};

/*
 * One look, without locks.
 *
 * A match is one atomic read of a whole bucket: at that instant the element was in the multiset, as
 * a move never leaves it with no copy. Linearisation point of "there": the load that matched.
 *
 * With no match and both counters unchanged, whatever left the two stripes between R1 and R3 had
 * been announced before R1. If it was the source of a move, R1 saw the announcement and with it
 * (E1) the filled destination, where R2 would have found it. So only removes that were under way at
 * R1 can have emptied a slot that held the element. Linearisation point of "not there": right after
 * the last of those, before anything inserts the element again; R1 if there was none. Filling a
 * slot moves no counter, so it never makes a reader look again.
 */
static inline enum sighting look(const struct table *t, const struct candidates *c) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): t is never view.from, as it thinks */
    const atomic_word *words = t->words; /* a local, not to be loaded anew after each atomic */
    const atomic_word *home_counter = &t->removals[stripe_of(t, c->bucket[0])];
    const atomic_word *away_counter = &t->removals[stripe_of(t, c->bucket[1])];
    /* While R2 loads home first, home's acquire could be relaxed: a miss that saw home emptied has
     * acquired the clear, and what the move filled, before it loads away. Kept, as it is free on
     * most processors, and other orders of R2 need it. */
    uint64_t before = word_load(home_counter, ORDER_COUNTER_BEFORE); /* R1, E1 observes */
    before += word_load(away_counter, ORDER_COUNTER_BEFORE);         /* R1, E1 observes */
    HOOK(HOOK_COUNTERS_READ);

    /* R2, E2 and E3 observes */
    uint64_t home = word_load(&words[c->bucket[0]], ORDER_WORD_READ);
    HOOK(HOOK_HOME_READ);
    /* R2, E2 and E3 observes */
    uint64_t away = word_load(&words[c->bucket[1]], ORDER_WORD_READ);
    HOOK(HOOK_WORDS_READ);
    /* Which side a match is on is as good as random: one branch for both. */
    uint64_t at_home = matching_slots(&t->geometry, home, c->pattern[0]);
    if ((at_home | matching_slots(&t->geometry, away, c->pattern[1])) != 0) {
        return at_home != 0 ? SEEN_AT_HOME : SEEN_AWAY;
    }

    /* R3, relaxed: a read that saw an emptied word has synchronised with it, so sees its counter */
    uint64_t after = word_load(home_counter, ORDER_COUNTER_AFTER);
    after += word_load(away_counter, ORDER_COUNTER_AFTER); /* R3, relaxed: as above */
    /* Counters only grow, so their sum is unchanged if and only if both are. */
    return after == before ? NOT_THERE : UNCLEAR;
}

/* A bucket as the path search sees it: may be old by the time it is used, so checked under locks.
 * */
static inline uint64_t search_word(const struct table *t, uint64_t bucket) {
    return word_load(&t->words[bucket], ORDER_SEARCH_READ); /* E2 observes */
}

/* ---- Writers: the caller holds the stripe's lock (or is the single writer) ------------------- */

static inline uint64_t held_word(const struct table *t, uint64_t bucket) {
    /* relaxed: under its own lock (E4), which every writer of the word holds */
    return word_load(&t->words[bucket], memory_order_relaxed);
}

/* W3, first half: announce that a slot of the bucket's stripe is about to be emptied. */
static inline void announce_removal(const struct table *t, uint64_t bucket) {
    atomic_word *counter = &t->removals[stripe_of(t, bucket)];
    /* relaxed: single writer, only the lock's holder changes it (E4) */
    uint64_t next = word_load(counter, memory_order_relaxed) + 1;
    word_store(counter, next, ORDER_COUNTER_STORE); /* W3, E1 publishes */
    HOOK(HOOK_ANNOUNCED);
}

/* W2 of a move: the destination is filled before the source is emptied. */
static inline void fill_for_move(const struct table *t, uint64_t bucket, uint64_t tag_in_slot) {
    uint64_t word = held_word(t, bucket) | tag_in_slot;
    word_store(&t->words[bucket], word, ORDER_MOVE_STORE); /* W2, E2 publishes */
    HOOK(HOOK_MOVE_FILLED);
}

/* W3 of a move. */
static inline void empty_after_move(const struct table *t, uint64_t bucket, uint64_t slot_bits) {
    announce_removal(t, bucket);
    uint64_t word = held_word(t, bucket) & ~slot_bits;
    word_store(&t->words[bucket], word, ORDER_MOVE_CLEAR); /* W3, E2 and E3 publishes */
    HOOK(HOOK_MOVE_DONE);
}

/* W2 that completes an insert. Linearisation point of insert: this store. */
static inline void fill_and_complete(const struct table *t, uint64_t bucket, uint64_t tag_in_slot) {
    uint64_t word = held_word(t, bucket) | tag_in_slot;
    word_store(&t->words[bucket], word, ORDER_COMPLETE_STORE); /* W2, E2 and E3 publishes */
}

/* W3 that completes a remove. Linearisation point of remove: the store of the word. */
static inline void empty_and_complete(const struct table *t, uint64_t bucket, uint64_t slot_bits) {
    announce_removal(t, bucket);
    uint64_t word = held_word(t, bucket) & ~slot_bits;
    word_store(&t->words[bucket], word, ORDER_COMPLETE_STORE); /* W3, E2 and E3 publishes */
}

#endif
