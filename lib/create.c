/*
 * Create and destroy. A filter is two allocations:
 *
 *     block   struct guira | statistics | stripes | removal counters     each at a cache line
 *             if it grows also: struct growth | the view word | cursors | the levels
 *     table   the buckets; if it grows, one for each level, when it is needed
 *
 * The removal counters, which every reader reads, stand apart from the locks, which writers dirty.
 */
#include "create.h"

#include "filter.h"
#include "growth.h"
#include "map.h"
#include "memory.h"
#include "sizing.h"
#include "system.h"

static size_t whole_lines(size_t size) {
    return (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* Where the parts of a block begin. */
struct block_layout {
    size_t stats;
    size_t stripes;
    size_t removals;
    size_t growth;
    size_t view; /* read by all: apart from what writers change */
    size_t cursors;
    size_t levels;
    size_t size;
};

static struct block_layout layout_of(const struct plan *plan) {
    struct block_layout at;
    at.stats = whole_lines(sizeof(struct guira));
    at.stripes = at.stats + plan->stats_shards * sizeof(struct stats_shard);
    at.removals = at.stripes + whole_lines(plan->stripes * sizeof(struct stripe));
    size_t counters = whole_lines(plan->stripes * sizeof(atomic_word));
    at.growth = at.removals + counters;
    bool grows = plan->levels > 0;
    at.view = at.growth + (grows ? whole_lines(sizeof(struct growth)) : 0);
    at.cursors = at.view + (grows ? CACHE_LINE : 0);
    at.levels = at.cursors + (grows ? counters : 0);
    at.size = at.levels + whole_lines(plan->levels * sizeof(struct table));
    return at;
}

size_t guira__block_size(const struct plan *plan) {
    return layout_of(plan).size;
}

/* The view that the filter begins with: one table, or one that is being emptied into another. */
static void set_up_view(struct growth *g, const struct plan *plan, uint32_t stripes,
                        struct begin_with tables) {
    bool migrates = plan->from != plan->level;
    g->tables.level[plan->level].words = tables.filled;
    if (migrates) {
        g->tables.level[plan->from].words = tables.emptied;
        /* relaxed: nobody else knows the filter yet */
        word_store(&g->unfinished, stripes, memory_order_relaxed);
    }
    uint64_t kept = g->limits[plan->level].table_bytes;
    kept += migrates ? g->limits[plan->from].table_bytes : 0;
    word_store(&g->kept, kept, memory_order_relaxed); /* relaxed: likewise */
    view_publish(&g->tables, view_word(migrates ? 1 : 0, plan->from, plan->level));
}

/* The levels' tables have no memory yet, but for those that the filter begins with. */
static void set_up_growth(struct guira *f, const struct plan *plan, const struct block_layout *at,
                          struct begin_with tables) {
    char *block = (char *)f;
    struct growth *g = (struct growth *)(void *)(block + at->growth);
    *g = (struct growth){
        .tables = {.level = (struct table *)(void *)(block + at->levels),
                   .view = (atomic_word *)(void *)(block + at->view)},
        .levels = plan->levels,
        .cursors = (atomic_word *)(void *)(block + at->cursors),
    };
    for (uint32_t i = 0; i < plan->levels; i++) {
        struct table *t = &g->tables.level[i];
        *t = f->table;
        t->words = NULL;
        t->stripe_shift = plan->stripe_shift + i;
        (void)guira__level_geometry(&plan->geometry, i, &t->geometry); /* the plan has all */
        g->limits[i] =
            (struct level_limits){guira__crowded_from(&t->geometry, GUIRA_DEFAULT_FAILURE_CHANCE),
                                  guira__table_bytes(&f->allocator, t->geometry.buckets)};
    }
    lock_init(&g->starting);
    set_up_view(g, plan, f->stripes.count, tables);
    f->kernel = guira__kernel_growing_for(&g->tables.level[plan->levels - 1].geometry);
    f->growth = g;
    f->table.words = NULL;
}

static void set_up(struct guira *f, const struct plan *plan, const struct guira_options *options,
                   uint64_t seed, struct begin_with tables) {
    struct block_layout at = layout_of(plan);
    char *block = (char *)f;
    *f = (struct guira){
        .table = {.geometry = plan->geometry,
                  .words = tables.filled,
                  .removals = (atomic_word *)(void *)(block + at.removals),
                  .stripe_shift = plan->stripe_shift},
        .stripes = {.all = (struct stripe *)(void *)(block + at.stripes),
                    .stats = &f->stats,
                    .count = plan->stripes,
                    .unlocked = options->single_writer},
        .stats = {.shard = (struct stats_shard *)(void *)(block + at.stats),
                  .shards = plan->stats_shards},
        .hashing = guira__hashing(seed, &options->hash),
        .kernel = guira__kernel_for(&plan->geometry),
        .capacity = plan->capacity,
        .search_budget = plan->search_budget,
        .table_bytes = plan->table_bytes,
        .block_bytes = plan->block_bytes,
        .allocator = options->allocator,
    };
    for (uint32_t i = 0; i < plan->stripes; i++) {
        lock_init(&f->stripes.all[i].lock);
    }
    if (plan->levels > 0) {
        set_up_growth(f, plan, &at, tables);
    }
}

enum guira_status guira__create_around(const struct plan *plan, const struct guira_options *options,
                                       uint64_t seed, struct begin_with tables,
                                       struct guira **out) {
    void *block;
    enum guira_status status = guira__memory_get(&options->allocator, plan->block_bytes, &block);
    if (status == GUIRA_OK) {
        set_up(block, plan, options, seed, tables);
        *out = block;
    }
    return status;
}

enum guira_status guira__create_planned(const struct plan *plan,
                                        const struct guira_options *options, uint64_t seed,
                                        struct guira **out) {
    void *table;
    enum guira_status status = guira__memory_get(&options->allocator, plan->table_bytes, &table);
    if (status != GUIRA_OK) {
        return status;
    }
    status = guira__create_around(plan, options, seed, (struct begin_with){table, NULL}, out);
    if (status != GUIRA_OK) {
        guira__memory_give_back(&options->allocator, table, plan->table_bytes);
    }
    return status;
}

enum guira_status guira_create(const struct guira_options *options, struct guira **out) {
    if (out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct plan plan;
    enum guira_status status = guira__plan(options, &plan);
    if (status != GUIRA_OK) {
        return status;
    }
    uint64_t seed = options->seed;
    if (seed == 0 && !guira__random_seed(&seed)) {
        return GUIRA_NO_ENTROPY;
    }
    return guira__create_planned(&plan, options, seed, out);
}

/* The tables of all levels that ever were. */
static void give_levels_back(struct guira *f) {
    struct growth *g = f->growth;
    for (uint32_t i = 0; i < g->levels; i++) {
        atomic_word *words = g->tables.level[i].words;
        if (words != NULL) {
            guira__memory_give_back(&f->allocator, words, g->limits[i].table_bytes);
        }
    }
}

void guira_destroy(struct guira *filter) {
    if (filter == NULL) {
        return;
    }
    for (uint32_t i = 0; i < filter->stripes.count; i++) {
        lock_end(&filter->stripes.all[i].lock);
    }
    struct guira_allocator allocator = filter->allocator;
    if (filter->growth != NULL) {
        lock_end(&filter->growth->starting);
    }
    if (filter->mapping != NULL) {
        guira__unmap(filter->mapping);
    } else if (filter->growth != NULL) {
        give_levels_back(filter);
    } else {
        guira__memory_give_back(&allocator, filter->table.words, filter->table_bytes);
    }
    guira__memory_give_back(&allocator, filter, filter->block_bytes);
}

void guira__drop_tables(struct guira *f) {
    if (f->mapping != NULL) {
        return; /* the file's pages */
    }
    const struct growth *g = f->growth;
    if (g == NULL) {
        guira__memory_drop(&f->allocator, f->table.words, f->table_bytes, 0, f->table_bytes);
    }
    for (uint32_t i = 0; g != NULL && i < g->levels; i++) {
        void *words = g->tables.level[i].words;
        if (words != NULL) {
            size_t bytes = g->limits[i].table_bytes;
            guira__memory_drop(&f->allocator, words, bytes, 0, bytes);
        }
    }
}

static void lock_everything(const struct guira *f) {
    if (f->growth != NULL) {
        (void)lock_take(&f->growth->starting);
    }
    guira__lock_all(&f->stripes);
}

static void unlock_everything(const struct guira *f) {
    guira__unlock_all(&f->stripes);
    if (f->growth != NULL) {
        lock_release(&f->growth->starting);
    }
}

void guira_fork_prepare(struct guira *filter) {
    if (filter == NULL) {
        return;
    }
    lock_everything(filter);
    /* A thread that ends a growth holds no lock on the way; in the child it would be missing. */
    for (unsigned attempt = 0; !guira__is_settled(filter); attempt++) {
        unlock_everything(filter);
        guira__back_off(attempt);
        lock_everything(filter);
    }
}

void guira_fork_release(struct guira *filter) {
    if (filter != NULL) {
        unlock_everything(filter);
    }
}
