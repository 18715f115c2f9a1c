/*
 * Migration: how the old table is emptied into the new one, by all who change the filter; see
 * growth.h.
 */
#define KERNEL_GROWS
#include "growth.h"

#include "cursor.h"
#include "filter.h"
#include "insert.h"
#include "memory.h"

enum {
    BUCKETS_AT_ONCE = 8,     /* that a change empties */
    BUCKETS_LOOKED_AT = 512, /* for entries, if there are few left */
    WORDS_AT_ONCE = 8192,    /* of which a change touches the pages */
    WORDS_OF_PAGE = 512,     /* no system has smaller ones */
    STRIPES_LOOKED_AT = 64,  /* for one that is not empty */
    LOST_RACES = 16,         /* after which an entry is left for later */
    IDLE_SHARES = 8,         /* in a row, after which migration rests */
    REST = 256               /* changes, for which it does */
};

bool guira__was_emptied(const struct guira *f, const struct view *v, uint64_t bucket) {
    uint64_t stripe = stripe_of(v->from, bucket);
    return bucket - buckets_of(v->from, stripe).first < cursor_read(f->growth, v, stripe);
}

/* ---- Moving entries -------------------------------------------------------------------------- */

/* An entry of the old table, and the element that it is in the new one. */
struct mover {
    uint64_t bucket;
    uint64_t tag;
    uint32_t slot;
    struct element element;
};

/* Those of the buckets that a share empties. */
struct movers {
    uint64_t end; /* so many buckets behind the cursor the share has looked */
    unsigned count;
    struct mover of[BUCKETS_AT_ONCE * MAX_SLOTS];
};

static void add_mover(struct movers *movers, const struct view *v, uint64_t bucket, uint32_t slot,
                      uint64_t tag) {
    const struct geometry *old = &v->from->geometry;
    struct element e = element_of_entry(old, bucket, slot, entry_of_tag(old, tag));
    struct mover *m = &movers->of[movers->count++];
    m->bucket = bucket;
    m->tag = tag;
    m->slot = slot;
    m->element = element_in(&v->to->geometry, element_number(old, e));
    __builtin_prefetch(&v->to->words[m->element.home.bucket], 1);
}

static void add_movers_of(struct movers *movers, const struct view *v, uint64_t bucket) {
    const struct geometry *old = &v->from->geometry;
    uint64_t word = search_word(v->from, bucket);
    for (uint32_t slot = 0; slot < old->shape.slots && word != 0; slot++) {
        uint64_t tag = slot_tag(old, word, slot);
        if (tag != 0) {
            add_mover(movers, v, bucket, slot, tag);
        }
    }
}

/* Whether the entry is still where it was and may be moved; the caller holds its stripes. */
static bool mover_stands(const struct guira *f, const struct view *v, const struct mover *m) {
    uint64_t word = held_word(v->from, m->bucket);
    return view_stands(f, v) && slot_tag(&v->from->geometry, word, m->slot) == m->tag;
}

/* W4 from table to table: into that slot of the new one, then out of the old one. */
static void move_across(const struct view *v, const struct mover *m, uint64_t to, struct pattern p,
                        uint64_t slot_bits) {
    fill_for_move(v->to, to, p.tags & slot_bits);
    empty_after_move(v->from, m->bucket, slot_mask(&v->from->geometry, m->slot));
}

/* Into a free slot of one window of the new table, if there is one. */
static bool move_to_window(const struct view *v, const struct mover *m, uint64_t to,
                           struct pattern p) {
    const struct geometry *g = &v->to->geometry;
    uint64_t empty = empty_slots(g, held_word(v->to, to), p);
    if (empty != 0) {
        move_across(v, m, to, p, lowest_slot_mask(g, empty));
    }
    return empty != 0;
}

static bool move_home(const struct view *v, const struct mover *m) {
    return move_to_window(v, m, m->element.home.bucket, home_pattern(&v->to->geometry, m->element));
}

static uint64_t home_stripe(const struct view *v, const struct mover *m) {
    return stripe_of(v->to, m->element.home.bucket);
}

/* The steps that follow say whether the entry has gone, or the view. */

/* Most entries find room at home, which asks for two stripes at most. */
static bool move_home_alone(struct guira *f, const struct view *v, const struct mover *m) {
    struct stripe_set set = {.size = 0};
    guira__stripe_set_add(&set, stripe_of(v->from, m->bucket));
    guira__stripe_set_add(&set, home_stripe(v, m));
    guira__stripe_set_lock(&f->stripes, &set);
    bool done = !mover_stands(f, v, m) || move_home(v, m);
    guira__stripe_set_unlock(&f->stripes, &set);
    return done;
}

/* The stripes of where an entry is and of where it may go. */
static struct stripe_set stripes_of_mover(const struct view *v, const struct mover *m,
                                          const struct candidates *to) {
    struct stripe_set set = stripes_of(v->to, to);
    guira__stripe_set_add(&set, stripe_of(v->from, m->bucket));
    return set;
}

static bool move_directly(struct guira *f, const struct view *v, const struct mover *m,
                          const struct candidates *to) {
    struct stripe_set set = stripes_of_mover(v, m, to);
    guira__stripe_set_lock(&f->stripes, &set);
    bool done = !mover_stands(f, v, m) || move_to_window(v, m, to->bucket[0], to->pattern[0]) ||
                move_to_window(v, m, to->bucket[1], to->pattern[1]);
    guira__stripe_set_unlock(&f->stripes, &set);
    return done;
}

static bool move_along(struct guira *f, const struct view *v, const struct mover *m,
                       const struct candidates *to, const struct path *path) {
    struct stripe_set set = stripes_of_mover(v, m, to);
    add_stripes_of_path(&set, v->to, path);
    guira__stripe_set_lock(&f->stripes, &set);
    bool stands = mover_stands(f, v, m);
    bool moved = stands && path_stands(v->to, path);
    if (moved) {
        const struct hop *first = &path->hop[0];
        shift_entries(v->to, path);
        unsigned side = first->bucket != to->bucket[0];
        move_across(v, m, first->bucket, to->pattern[side],
                    slot_mask(&v->to->geometry, first->slot));
    }
    guira__stripe_set_unlock(&f->stripes, &set);
    return moved || !stands;
}

/* False if there was no room for the entry in the new table. */
static RARE bool move_with_search(struct guira *f, const struct view *v, const struct mover *m) {
    struct candidates to = candidates_of(&v->to->geometry, m->element);
    touch(v->to, to.bucket[1]);
    for (unsigned lost = 0; lost < LOST_RACES; lost++) {
        if (move_directly(f, v, m, &to)) {
            return true;
        }
        struct path path;
        uint64_t nodes = 0;
        if (!find_path(v->to, m->element, f->search_budget, &path, &nodes)) {
            return false;
        }
        if (move_along(f, v, m, &to, &path)) {
            return true;
        }
    }
    return false;
}

/* ---- Emptying stripes ------------------------------------------------------------------------ */

/* The old words of the stripe are 0 for good. */
static void give_pages_back(struct guira *f, const struct view *v, uint64_t stripe) {
    struct range range = buckets_of(v->from, stripe);
    size_t bytes = f->growth->limits[view_from(v->word)].table_bytes;
    guira__memory_drop(&f->allocator, v->from->words, bytes,
                       (size_t)range.first * sizeof(atomic_word),
                       (size_t)(range.first + range.count) * sizeof(atomic_word));
}

static void end_migration(struct guira *f, const struct view *v) {
    struct growth *g = f->growth;
    uint32_t to = view_to(v->word);
    size_t bytes = g->limits[view_from(v->word)].table_bytes;
    guira__memory_drop(&f->allocator, v->from->words, bytes, 0, bytes);
    uint64_t ended = view_word(view_step(v->word) + 1, to, to);
    view_publish(&g->tables, ended);
    uint32_t wanted = (uint32_t)word_load(&g->wanted, memory_order_seq_cst); /* E8 observes */
    if (wanted > to) {
        /* Not the view now: another thread may have begun to grow already, and a view of two tables
         * must not be followed by one that has forgotten the first of them. */
        struct view alone = view_of_word(&g->tables, ended);
        (void)guira__growth_start(f, &alone, wanted);
    }
}

/* Called once for each stripe, by who saw it empty. */
static void finish_stripe(struct guira *f, const struct view *v, uint64_t stripe) {
    give_pages_back(f, v, stripe);
    if (was_last_stripe(&f->growth->unfinished)) {
        end_migration(f, v);
    }
}

/* Where to begin with a stripe that has so many buckets left: behind the cursor, once entries had
 * no room, as what is behind them can go on. One number serves all stripes: those where nothing is
 * in the way are emptied in another order. It is 0 again when it has passed what is left of one. */
static uint64_t buckets_to_pass(const struct growth *g, uint64_t left) {
    uint64_t passed = word_load(&g->passed, memory_order_relaxed); /* relaxed: a hint */
    return passed < left ? passed : 0;
}

/* The entries of a few buckets of a stripe, as they look without its lock. */
static void gather(const struct growth *g, const struct view *v, uint64_t stripe,
                   struct movers *movers) {
    struct range range = buckets_of(v->from, stripe);
    uint64_t cursor = cursor_read(g, v, stripe);
    uint64_t left = range.count - cursor;
    uint64_t begin = buckets_to_pass(g, left);
    uint64_t last = left - begin < BUCKETS_LOOKED_AT ? left : begin + BUCKETS_LOOKED_AT;
    movers->count = 0;
    movers->end = begin;
    for (unsigned buckets = 0; buckets < BUCKETS_AT_ONCE && movers->end < last; movers->end++) {
        unsigned before = movers->count;
        add_movers_of(movers, v, range.first + cursor + movers->end);
        buckets += begin == 0 || movers->count > before;
    }
    /* What was prefetched comes at the same time, as no touch stands between. */
    for (unsigned i = 0; i < movers->count; i++) {
        touch(v->to, movers->of[i].element.home.bucket);
    }
}

/* Move those that can be moved under the lock of one stripe, which the caller holds: side 0 of an
 * old bucket is at home in the same stripe of the new table. The others stay in the list. */
static void move_inside(const struct guira *f, const struct view *v, uint64_t stripe,
                        struct movers *movers) {
    unsigned left = 0;
    for (unsigned i = 0; i < movers->count; i++) {
        const struct mover *m = &movers->of[i];
        if (home_stripe(v, m) != stripe || (mover_stands(f, v, m) && !move_home(v, m))) {
            movers->of[left++] = *m;
        }
    }
    movers->count = left;
}

/* What emptying a stripe came to. */
enum progress {
    HAS_ENTRIES, /* the bucket at the cursor has, or may have */
    FINISHED,    /* by this call, which has to say so */
    WAS_FINISHED /* or the view has changed */
};

/* Under the stripe's lock, move what can be moved, and go on to the next bucket that is not empty,
 * past at most *budget that are. */
static enum progress advance(struct guira *f, const struct view *v, uint64_t stripe,
                             struct movers *movers, unsigned *budget) {
    struct growth *g = f->growth;
    struct range range = buckets_of(v->from, stripe);
    struct stripe *lock = stripe_at(&f->stripes, stripe);
    stripe_lock(&f->stripes, lock);
    uint64_t cursor = cursor_read(g, v, stripe);
    enum progress progress = WAS_FINISHED;
    if (view_stands(f, v) && cursor < range.count) {
        move_inside(f, v, stripe, movers);
        while (*budget > 0 && cursor < range.count &&
               held_word(v->from, range.first + cursor) == 0) {
            cursor++;
            --*budget;
        }
        cursor_write(g, v, stripe, cursor);
        progress = cursor == range.count ? FINISHED : HAS_ENTRIES;
    }
    stripe_unlock(&f->stripes, lock);
    return progress;
}

/* Move the entries one by one. Those without room in the new table stay in the list. */
static void move_each(struct guira *f, const struct view *v, struct movers *movers) {
    unsigned left = 0;
    for (unsigned i = 0; i < movers->count; i++) {
        const struct mover *m = &movers->of[i];
        if (!move_home_alone(f, v, m) && !move_with_search(f, v, m)) {
            movers->of[left++] = *m;
        }
    }
    movers->count = left;
}

static void note_progress(struct growth *g) {
    if (word_load(&g->idle, memory_order_relaxed) > 0) { /* relaxed: a hint */
        word_store(&g->idle, 0, memory_order_relaxed);   /* relaxed: likewise */
    }
}

/* A share came to nothing, so the next one looks elsewhere, if not after a rest. */
static void look_elsewhere(struct growth *g, uint64_t stripe, uint64_t passed) {
    word_store(&g->passed, passed, memory_order_relaxed);          /* relaxed: a hint */
    word_store(&g->next_stripe, stripe + 1, memory_order_relaxed); /* relaxed: likewise */
    /* relaxed: likewise */
    if (word_add(&g->idle, 1, memory_order_relaxed) + 1 >= IDLE_SHARES) {
        word_store(&g->rests, REST, memory_order_relaxed); /* relaxed: a hint */
        word_store(&g->stands, 1, memory_order_relaxed);   /* relaxed: likewise */
    }
}

/* So many empty buckets a share may pass: more after a rest, as then few have entries. */
static unsigned most_passed(const struct growth *g) {
    /* relaxed: a hint */
    bool stood = word_load(&g->stands, memory_order_relaxed) > 0;
    return stood ? BUCKETS_LOOKED_AT : BUCKETS_AT_ONCE;
}

/* Empty some buckets of a stripe. */
static void empty_stripe(struct guira *f, const struct view *v, uint64_t stripe) {
    struct movers movers;
    unsigned most = most_passed(f->growth);
    unsigned budget = most;
    gather(f->growth, v, stripe, &movers);
    unsigned gathered = movers.count;
    enum progress progress = advance(f, v, stripe, &movers, &budget);
    if (progress == HAS_ENTRIES && movers.count > 0) {
        move_each(f, v, &movers);
        progress = advance(f, v, stripe, &movers, &budget);
    }
    if (progress == FINISHED) {
        finish_stripe(f, v, stripe);
    }
    if (progress != HAS_ENTRIES || budget < most || movers.count < gathered) {
        note_progress(f->growth);
    } else {
        look_elsewhere(f->growth, stripe, movers.end);
    }
}

/*
 * Touch the next few pages of the new table. False if all were: then entries may move.
 *
 * A huge page takes the system up to some milliseconds. Entries go anywhere, so a share that moved
 * some into a table that nobody has touched would wait for as many pages.
 */
static bool touch_some(struct growth *g, const struct view *v) {
    uint64_t buckets = v->to->geometry.buckets;
    /* relaxed: shares work out among threads. A little table needs none. */
    if (buckets <= WORDS_AT_ONCE || word_load(&g->touched, memory_order_relaxed) >= buckets) {
        return false;
    }
    /* relaxed: likewise */
    uint64_t from = word_add(&g->touched, WORDS_AT_ONCE, memory_order_relaxed);
    for (uint64_t i = from; i < buckets && i < from + WORDS_AT_ONCE; i += WORDS_OF_PAGE) {
        touch(v->to, i);
    }
    return true;
}

/* Another stripe that is not empty, looked for from the hint on; `none` if there is none near. */
static uint64_t next_unfinished(struct growth *g, const struct view *v, uint32_t stripes,
                                uint64_t none) {
    /* relaxed: a hint */
    uint64_t from = word_load(&g->next_stripe, memory_order_relaxed);
    uint64_t stripe = from % stripes;
    unsigned looked = 0;
    while (looked < STRIPES_LOOKED_AT && is_emptied(g, v, stripe)) {
        stripe = stripe + 1 < stripes ? stripe + 1 : 0;
        looked++;
    }
    word_store(&g->next_stripe, stripe, memory_order_relaxed); /* relaxed: a hint */
    return looked < STRIPES_LOOKED_AT ? stripe : none;
}

/* Whether to leave alone what could not be emptied a while ago. */
static bool rests(struct growth *g) {
    uint64_t left = word_load(&g->rests, memory_order_relaxed); /* relaxed: a hint */
    if (left > 0) {
        word_store(&g->rests, left - 1, memory_order_relaxed); /* relaxed: a hint */
    }
    return left > 0;
}

void guira__migrate_some(struct guira *f, const struct view *v, uint64_t stripe) {
    struct growth *g = f->growth;
    if (rests(g) || touch_some(g, v)) {
        return;
    }
    if (is_emptied(g, v, stripe)) {
        uint64_t other = next_unfinished(g, v, f->stripes.count, stripe);
        if (other == stripe) {
            return;
        }
        stripe = other;
    }
    empty_stripe(f, v, stripe);
}
