/*
 * So many calls of one kind on a small filter, for a tool that counts instructions:
 *
 *     guira_calls CALL RATE KEYS
 *
 * CALL is hit, miss, hit-uniform, insert, insert-unique, remove or count; with a colon and a number
 * behind it, hits, inserts and removes go in batches of so many. RATE is of false positives. The
 * filter is half full; inserts begin with an empty one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <guira/guira.h>

enum { MOST_BATCH = 256, ITEMS = 8192 };

struct job {
    struct guira *filter;
    uint64_t first; /* keys are first, first + 1, ... */
    size_t keys;
    size_t batch;
};

static size_t hit(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i++) {
        done += guira_contains_u64(job->filter, job->first + i);
    }
    return done;
}

/* No more than the rate of false positives is found. */
static size_t miss(const struct job *job) {
    return job->keys - hit(job) > job->keys * 9 / 10 ? job->keys : 0;
}

/* Uniform enough, and made by one instruction. */
static uint64_t uniform(uint64_t i) {
    return i * UINT64_C(0x9e3779b97f4a7c15);
}

static size_t hit_uniform(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i++) {
        done += guira_contains_uniform(job->filter, uniform(job->first + i));
    }
    return done;
}

static size_t insert(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i++) {
        done += guira_insert_u64(job->filter, job->first + i) == GUIRA_OK;
    }
    return done;
}

static size_t insert_unique(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i++) {
        enum guira_status status = guira_insert_unique_u64(job->filter, job->first + i);
        done += status == GUIRA_OK || status == GUIRA_EXISTS;
    }
    return done;
}

static size_t take_out(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i++) {
        done += guira_remove_u64(job->filter, job->first + i) == GUIRA_OK;
    }
    return done;
}

static size_t count(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i++) {
        done += guira_count_u64(job->filter, job->first + i) > 0;
    }
    return done;
}

static void fill_keys(const struct job *job, uint64_t from, uint64_t *keys) {
    for (size_t at = 0; at < job->batch; at++) {
        keys[at] = job->first + from + at;
    }
}

static size_t hit_batch(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i += job->batch) {
        uint64_t keys[MOST_BATCH];
        bool found[MOST_BATCH];
        fill_keys(job, i, keys);
        found[0] = false;
        (void)guira_contains_batch(job->filter, guira_keys_u64(keys, job->batch), found);
        done += found[0] ? job->batch : 0;
    }
    return done;
}

static size_t insert_batch(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i += job->batch) {
        uint64_t keys[MOST_BATCH];
        enum guira_status results[MOST_BATCH];
        fill_keys(job, i, keys);
        enum guira_status status =
            guira_insert_batch(job->filter, guira_keys_u64(keys, job->batch), results);
        done += status == GUIRA_OK ? job->batch : 0;
    }
    return done;
}

static size_t take_out_batch(const struct job *job) {
    size_t done = 0;
    for (uint64_t i = 0; i < job->keys; i += job->batch) {
        uint64_t keys[MOST_BATCH];
        enum guira_status results[MOST_BATCH];
        fill_keys(job, i, keys);
        enum guira_status status =
            guira_remove_batch(job->filter, guira_keys_u64(keys, job->batch), results);
        done += status == GUIRA_OK ? job->batch : 0;
    }
    return done;
}

static const struct call {
    const char *name;
    size_t (*one)(const struct job *job);
    size_t (*batch)(const struct job *job);
    uint64_t first; /* ITEMS keys from 0 on are in the filter */
    size_t items;
} calls[] = {
    {"hit", hit, hit_batch, 0, ITEMS},
    {"miss", miss, NULL, ITEMS, ITEMS},
    {"hit-uniform", hit_uniform, NULL, 0, ITEMS},
    {"insert", insert, insert_batch, 0, 0},
    {"insert-unique", insert_unique, NULL, 0, 0},
    {"remove", take_out, take_out_batch, 0, ITEMS},
    {"count", count, NULL, 0, ITEMS},
};

static struct guira *filter_of(const struct call *call, double rate) {
    /* Of the design load this is a half. */
    struct guira_options options = {
        .capacity = UINT64_C(2) * ITEMS, .false_positive_rate = rate, .seed = 1, .stripes = 64};
    struct guira *filter;
    if (guira_create(&options, &filter) != GUIRA_OK) {
        return NULL;
    }
    struct job fill = {filter, 0, call->items, 1};
    if (call->one == hit_uniform) {
        for (uint64_t i = 0; i < call->items; i++) {
            (void)guira_insert_uniform(filter, uniform(i));
        }
    } else {
        (void)insert(&fill);
    }
    return filter;
}

int main(int argc, char **argv) {
    size_t length = argc == 4 ? strcspn(argv[1], ":") : 0;
    for (size_t i = 0; length > 0 && i < sizeof calls / sizeof calls[0]; i++) {
        const struct call *call = &calls[i];
        if (strlen(call->name) != length || strncmp(argv[1], call->name, length) != 0) {
            continue;
        }
        size_t batch = argv[1][length] == ':' ? strtoul(argv[1] + length + 1, NULL, 10) : 0;
        size_t keys = strtoul(argv[3], NULL, 10);
        struct guira *filter = filter_of(call, strtod(argv[2], NULL));
        if (filter == NULL || keys > ITEMS || batch > MOST_BATCH ||
            (batch > 0 && (call->batch == NULL || keys % batch != 0))) {
            break;
        }
        struct job job = {filter, call->first, keys, batch};
        bool all = (batch > 0 ? call->batch : call->one)(&job) == keys;
        guira_destroy(filter);
        return all ? 0 : 1;
    }
    (void)fprintf(stderr, "guira_calls CALL RATE KEYS\n");
    return 2;
}
