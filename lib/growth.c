/*
 * When a filter grows, and the first step of it; see the header. migrate.c does the rest.
 */
#define KERNEL_GROWS
#include "growth.h"

#include "cursor.h"
#include "filter.h"
#include "insert.h"
#include "memory.h"

enum {
    LAST_SHARES = 64, /* that an insert does which finds the new table full before the end */
    LAST_WAITS = 256, /* for the end itself */
    FEW_STRIPES = 64, /* whose counts can be summed at each insert */
    SELDOM = 64       /* with more, at one insert in so many */
};

struct view guira__view(const struct guira *f) {
    return f->growth != NULL ? view_of(&f->growth->tables) : (struct view){0, &f->table, NULL};
}

/* ---- Starting -------------------------------------------------------------------------------- */

/* The level's table, made on first use and kept until the filter ends. */
static enum guira_status have_table(struct guira *f, uint32_t level) {
    struct growth *g = f->growth;
    struct table *t = &g->tables.level[level];
    if (t->words != NULL) {
        return GUIRA_OK;
    }
    void *words;
    enum guira_status status =
        guira__memory_get(&f->allocator, g->limits[level].table_bytes, &words);
    if (status == GUIRA_OK) {
        t->words = words;
        /* relaxed: a statistic */
        (void)word_add(&g->kept, g->limits[level].table_bytes, memory_order_relaxed);
    }
    return status;
}

enum guira_status guira__growth_start(struct guira *f, const struct view *v, uint32_t level) {
    struct growth *g = f->growth;
    (void)lock_take(&g->starting);
    enum guira_status status = GUIRA_OK;
    if (view_stands(f, v)) {
        status = have_table(f, level);
        if (status == GUIRA_OK) {
            /* relaxed: seen with the view */
            word_store(&g->unfinished, f->stripes.count, memory_order_relaxed);
            word_store(&g->idle, 0, memory_order_relaxed);    /* relaxed: a hint */
            word_store(&g->passed, 0, memory_order_relaxed);  /* relaxed: likewise */
            word_store(&g->stands, 0, memory_order_relaxed);  /* relaxed: likewise */
            word_store(&g->rests, 0, memory_order_relaxed);   /* relaxed: likewise */
            word_store(&g->touched, 0, memory_order_relaxed); /* relaxed: likewise */
            view_publish(&g->tables, view_word(view_step(v->word) + 1, view_to(v->word), level));
        }
    }
    lock_release(&g->starting);
    return status;
}

static bool can_grow(const struct growth *g, const struct view *v) {
    return view_to(v->word) + 1 < g->levels;
}

/* Whether the table that is filled has as many items as it should. */
static bool is_crowded(const struct guira *f, const struct view *v) {
    return items_now(&f->stripes) >= f->growth->limits[view_to(v->word)].crowded_from;
}

bool guira__relieve(struct guira *f, const struct view *v, uint64_t sample) {
    bool looks = f->stripes.count <= FEW_STRIPES || sample % SELDOM == 0;
    return can_grow(f->growth, v) && looks && is_crowded(f, v) &&
           guira__growth_start(f, v, view_to(v->word) + 1) == GUIRA_OK;
}

/* Stripes of the old table that are not known to be empty. Without locks: a hint. */
static uint64_t stripes_left(const struct guira *f, const struct view *v) {
    uint64_t left = 0;
    for (uint32_t stripe = 0; stripe < f->stripes.count; stripe++) {
        left += !is_emptied(f->growth, v, stripe);
    }
    return left;
}

bool guira__is_blocked(const struct guira *f, const struct view *v) {
    /* relaxed: a hint */
    return word_load(&f->growth->stands, memory_order_relaxed) > 0 && is_crowded(f, v) &&
           stripes_left(f, v) > 0;
}

bool guira__is_settled(const struct guira *f) {
    struct view v = guira__view(f);
    if (v.from == NULL) {
        return true;
    }
    uint64_t left = stripes_left(f, &v);
    /* relaxed: who empties the count meanwhile is who is waited for */
    return left > 0 && word_load(&f->growth->unfinished, memory_order_relaxed) == left;
}

/* The first level that is not crowded by so many items. */
static uint32_t level_for(const struct growth *g, uint64_t items) {
    uint32_t level = 0;
    while (level + 1 < g->levels && items >= g->limits[level].crowded_from) {
        level++;
    }
    return level;
}

/* A smaller wish may overwrite a larger one only if both are made at the same time. Who wishes
 * reads the view afterwards, and who publishes a view reads the wish afterwards, so one of them
 * sees the other's. */
static void want(struct growth *g, uint32_t level) {
    /* E8 observes */
    if (level > word_load(&g->wanted, memory_order_seq_cst)) {
        word_store(&g->wanted, level, memory_order_seq_cst); /* E8 publishes */
    }
}

enum guira_status guira_reserve(struct guira *filter, uint64_t items) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    if (filter->read_only) {
        return GUIRA_READ_ONLY;
    }
    if (items > filter->capacity) {
        return GUIRA_TOO_LARGE;
    }
    struct growth *g = filter->growth;
    if (g == NULL) {
        return GUIRA_OK;
    }
    uint32_t level = level_for(g, items);
    want(g, level);
    for (;;) {
        struct view v = view_of(&g->tables);
        if (v.from != NULL || view_to(v.word) >= level) {
            return GUIRA_OK;
        }
        enum guira_status status = guira__growth_start(filter, &v, level);
        if (status != GUIRA_OK) {
            return status;
        }
    }
}

/* One level at a time: what is inserted before the old table is empty must fit as well. */
enum guira_status guira_shrink(struct guira *filter) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    if (filter->read_only) {
        return GUIRA_READ_ONLY;
    }
    struct growth *g = filter->growth;
    if (g == NULL) {
        return GUIRA_OK;
    }
    struct view v = view_of(&g->tables);
    uint32_t level = view_to(v.word);
    if (v.from != NULL || level == 0 ||
        items_now(&filter->stripes) > g->limits[level - 1].crowded_from / 2) {
        return GUIRA_OK;
    }
    word_store(&g->wanted, level - 1, memory_order_seq_cst); /* E8 publishes */
    return guira__growth_start(filter, &v, level - 1);
}

/* There is no room in the new table while the old one is not yet empty: hurry. Begin with what had
 * no room, and stop when the next rest begins, as then there is none as yet. */
static enum guira_status finish_soon(struct guira *f, const struct view *v) {
    struct growth *g = f->growth;
    word_store(&g->idle, 0, memory_order_relaxed);   /* relaxed: a hint */
    word_store(&g->passed, 0, memory_order_relaxed); /* relaxed: likewise */
    word_store(&g->rests, 0, memory_order_relaxed);  /* relaxed: likewise */
    /* relaxed: likewise */
    for (unsigned i = 0; i < LAST_SHARES && word_load(&g->rests, memory_order_relaxed) == 0; i++) {
        if (!view_stands(f, v)) {
            return GUIRA_OK;
        }
        guira__migrate_some(f, v, i % f->stripes.count);
    }
    /* If nothing is left, a thread is about to say so, and may be held up: give it some time. */
    for (unsigned i = 0; i < LAST_WAITS && view_stands(f, v) && stripes_left(f, v) == 0; i++) {
        guira__back_off(i);
    }
    return view_stands(f, v) ? GUIRA_FULL : GUIRA_OK;
}

enum guira_status guira__make_room(struct guira *f, const struct view *v) {
    struct growth *g = f->growth;
    if (!view_stands(f, v)) {
        return GUIRA_OK;
    }
    if (v->from != NULL) {
        return finish_soon(f, v);
    }
    /* Equal or hostile hashes must not double the table for ever. */
    bool has_cause = items_now(&f->stripes) >= g->limits[view_to(v->word)].crowded_from / 2;
    return can_grow(g, v) && has_cause ? guira__growth_start(f, v, view_to(v->word) + 1)
                                       : GUIRA_FULL;
}
