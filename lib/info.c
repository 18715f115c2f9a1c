/*
 * What a filter tells about itself, and the texts of statuses and versions.
 */
#include "options.h"
#include "whole.h"

uint64_t guira_size(const struct guira *filter) {
    return filter == NULL ? 0 : items_now(&filter->stripes);
}

uint64_t guira_capacity(const struct guira *filter) {
    return filter == NULL ? 0 : filter->capacity;
}

/* Of a geometry, with all that it can tell. */
static struct guira_sizing sizing_of(const struct geometry *g, uint64_t capacity) {
    return (struct guira_sizing){
        .capacity = capacity,
        .buckets = g->buckets,
        .tag_bits = g->shape.tag_bits,
        .slots_per_bucket = g->shape.slots,
        .window = g->shape.window_slots,
        .universe = g->universe,
        .rate_at_capacity = (double)capacity / (double)g->universe,
    };
}

static uint32_t doublings_of(uint32_t levels) {
    return levels > 0 ? levels - 1 : 0;
}

enum guira_status guira_size_for(const struct guira_options *options, struct guira_sizing *out) {
    if (out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct plan plan;
    enum guira_status status = guira__plan(options, &plan);
    if (status == GUIRA_OK) {
        *out = sizing_of(&plan.geometry, plan.capacity);
        out->stripes = plan.stripes;
        out->doubled = plan.level;
        out->doublings = doublings_of(plan.levels);
        out->table_bytes = plan.table_bytes;
        out->allocated_bytes = (uint64_t)plan.table_bytes + plan.block_bytes;
    }
    return status;
}

/* What a filter that grows has of memory, or of a file. */
static void tell_growth(const struct guira *f, const struct view *v, struct guira_info *out) {
    const struct growth *g = f->growth;
    uint32_t from = view_from(v->word);
    out->sizing.doubled = view_to(v->word);
    out->is_growing = v->from != NULL;
    out->sizing.doublings = doublings_of(g->levels);
    if (f->mapping == NULL) {
        out->sizing.table_bytes = g->limits[view_to(v->word)].table_bytes;
        out->sizing.table_bytes += v->from != NULL ? g->limits[from].table_bytes : 0;
        /* relaxed: a statistic; but what the view names was counted before it was published */
        uint64_t kept = word_load(&g->kept, memory_order_relaxed);
        out->left_bytes = kept - out->sizing.table_bytes;
    }
}

enum guira_status guira_get_info(const struct guira *filter, struct guira_info *out) {
    if (filter == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct view v = guira__view(filter);
    const struct geometry *g = &v.to->geometry;
    uint64_t items = items_now(&filter->stripes);
    uint64_t slots = g->buckets * g->shape.slots;
    *out = (struct guira_info){
        .sizing = sizing_of(g, filter->capacity),
        .seed = filter->hashing.seed,
        .hash_identity = guira__hash_identity(&filter->hashing),
        .search_budget = filter->search_budget,
        .single_writer = filter->stripes.unlocked,
        .read_only = filter->read_only,
        .slots = slots,
        .items = items,
        .load = (double)items / (double)slots,
        .rate = (double)items / (double)g->universe,
        .searches = stats_sum(&filter->stats, STAT_SEARCHES),
        .nodes = stats_sum(&filter->stats, STAT_NODES),
        .moves = stats_sum(&filter->stats, STAT_MOVES),
        .full_inserts = stats_sum(&filter->stats, STAT_FULL_INSERTS),
        .lost_races = stats_sum(&filter->stats, STAT_LOST_RACES),
        .reader_retries = stats_sum(&filter->stats, STAT_READER_RETRIES),
        .lock_waits = stats_sum(&filter->stats, STAT_LOCK_WAITS),
    };
    out->sizing.stripes = filter->stripes.count;
    out->sizing.table_bytes = filter->table_bytes;
    if (filter->growth != NULL) {
        tell_growth(filter, &v, out);
    }
    out->sizing.allocated_bytes = filter->block_bytes;
    if (filter->mapping == NULL) { /* else the tables are the file's, not an allocator's */
        out->sizing.allocated_bytes += out->sizing.table_bytes + out->left_bytes;
    }
    return GUIRA_OK;
}

/* NOLINTNEXTLINE(readability-function-size): a line for each status, of which none can be missed */
const char *guira_status_text(enum guira_status status) {
    switch (status) {
    case GUIRA_OK:
        return "success";
    case GUIRA_FULL:
        return "no room for the key was found";
    case GUIRA_LIMIT:
        return "every slot that the key can use holds it already";
    case GUIRA_EXISTS:
        return "the key is there already";
    case GUIRA_NOT_FOUND:
        return "the key is not there";
    case GUIRA_STOPPED:
        return "the visitor stopped the visit";
    case GUIRA_PARTIAL:
        return "not every key of the batch succeeded; see the result of each";
    case GUIRA_NO_MEMORY:
        return "out of memory";
    case GUIRA_NO_ENTROPY:
        return "the system gave no random seed";
    case GUIRA_IO_FAILED:
        return "a call on a file failed; errno says why";
    case GUIRA_CALLBACK_FAILED:
        return "the reader or the writer failed";
    case GUIRA_CORRUPT:
        return "the table breaks an invariant";
    case GUIRA_NULL_ARGUMENT:
        return "a pointer that must not be null is null";
    case GUIRA_BAD_CAPACITY:
        return "the capacity must be 1 or more, and no more than max_capacity";
    case GUIRA_BAD_RATE:
        return "the false-positive rate must lie between 0 and 1, both excluded";
    case GUIRA_BAD_FAILURE_CHANCE:
        return "the chance of failing must be 1e-6 or more, and below 1";
    case GUIRA_BAD_GEOMETRY:
        return "no table has these buckets, tag bits and window";
    case GUIRA_BAD_STRIPES:
        return "too many stripes";
    case GUIRA_BAD_SEARCH_BUDGET:
        return "the search budget is too large";
    case GUIRA_BAD_HASH:
        return "a hash function needs an identity of its own, and an identity a function";
    case GUIRA_BAD_ALLOCATOR:
        return "the allocator lacks a hook, or returned misaligned memory";
    case GUIRA_BAD_RESERVED:
        return "a reserved option is not zero";
    case GUIRA_CONFLICT:
        return "one excludes the other: geometry and capacity, or a filter and its place";
    case GUIRA_TOO_LARGE:
        return "the filter would be too large";
    case GUIRA_BAD_KEYS:
        return "the keys of the batch are of no form, or longer than memory";
    case GUIRA_READ_ONLY:
        return "the filter is mapped from a file and cannot be changed";
    case GUIRA_OTHER_HASH:
        return "keys are hashed by another function";
    case GUIRA_OTHER_SEED:
        return "the seeds differ";
    case GUIRA_OTHER_UNIVERSE:
        return "the numbers of different elements differ";
    case GUIRA_NOT_A_FILTER:
        return "this is no saved filter";
    case GUIRA_NEWER_FORMAT:
        return "the saved filter is of a newer format";
    case GUIRA_BAD_HEADER:
        return "the saved filter's header is damaged";
    case GUIRA_IMPOSSIBLE_HEADER:
        return "the saved filter's header describes no filter";
    case GUIRA_TRUNCATED:
        return "the saved filter ends too early";
    case GUIRA_TRAILING_BYTES:
        return "the file goes on after the filter";
    case GUIRA_BAD_CHECKSUM:
        return "the saved filter's table is damaged";
    case GUIRA_IMPOSSIBLE_TAG:
        return "the saved filter's table holds what no key can have put there";
    case GUIRA_WRONG_COUNT:
        return "the saved filter's table holds more or fewer entries than its header says";
    }
    return "unknown status";
}

unsigned guira_version_number(void) {
    return GUIRA_VERSION_NUMBER;
}

const char *guira_version_text(void) {
    return GUIRA_VERSION_STRING;
}
