#include "contender.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "crew.h"
#include "support.h"

enum { BLOCK_BYTES = 10240, BLOCK = BLOCK_BYTES / sizeof(uint64_t) };

/* Keys that are never inserted have this bit. */
#define ABSENT (UINT64_C(1) << 39)

/* What one thread did. */
struct tally {
    alignas(CACHE_LINE) uint64_t ops;
    uint64_t done;        /* calls that succeeded */
    uint64_t busy;        /* ticks inside the target's calls */
    uint64_t first, last; /* ticks when it started and ended */
    uint64_t running;     /* nanoseconds that it had a processor */
};

struct piece {
    struct contender *contender;
    enum operation operation;
    target_call call;
    uint64_t count;
    uint64_t stride; /* coprime to the number of keys: steps by it visit each once */
    struct tally tally[MAX_THREADS];
};

struct contender contender_make(const char *name, const struct target *target,
                                const struct wish *wish, unsigned threads) {
    static uint64_t made;
    struct contender contender = {
        .target = target,
        .table = target->create(wish),
        .wish = *wish,
        .threads = threads,
        .slots = UINT64_C(1) << wish->log2_slots,
        .design = target->design(wish),
        .base = made++ << 40,
    };
    if ((size_t)snprintf(contender.name, sizeof contender.name, "%s", name) >=
        sizeof contender.name) {
        fail("name too long: %s", name);
    }
    return contender;
}

void contender_end(struct contender *contender) {
    contender->target->destroy(contender->table);
}

void contender_clear(struct contender *contender) {
    contender->target->clear(contender->table);
    contender->low = contender->high;
    contender->full = false;
}

uint64_t contender_items(const struct contender *contender) {
    return contender->high - contender->low;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Near the golden section of the keys, so that keys asked for one after the other were inserted
 * far apart. */
static uint64_t stride_for(uint64_t items) {
    uint64_t stride = (uint64_t)(0.618 * (double)items) | 1;
    while (greatest_divisor(items, stride) != 1) {
        stride += 2;
    }
    return stride;
}

static uint64_t remainder_of_product(uint64_t a, uint64_t b, uint64_t divisor) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b % divisor);
}

/* Number of the first key of a block of hits, among the keys present. */
static void hit_numbers(const struct piece *piece, uint64_t from, uint64_t *keys, size_t count) {
    const struct contender *c = piece->contender;
    uint64_t items = contender_items(c);
    uint64_t number = remainder_of_product((c->cursor + from) % items, piece->stride, items);
    for (size_t i = 0; i < count; i++) {
        keys[i] = c->base + c->low + number;
        number += piece->stride;
        number -= number >= items ? items : 0;
    }
}

/* The integers that the operations `from` and on are about. */
static void make_keys(const struct piece *piece, uint64_t from, uint64_t *keys, size_t count) {
    const struct contender *c = piece->contender;
    uint64_t first = c->base;
    switch (piece->operation) {
    case HIT:
        hit_numbers(piece, from, keys, count);
        return;
    case MISS:
        first += ABSENT + c->cursor + from;
        break;
    case INSERT:
        first += c->high + from;
        break;
    case REMOVE:
        first += c->low + from;
        break;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = first + i;
    }
}

static void work(void *shared, unsigned member) {
    struct piece *piece = shared;
    const struct contender *c = piece->contender;
    uint64_t running = clock_thread_nanoseconds();
    struct tally tally = {.first = clock_ticks()};
    alignas(CACHE_LINE) uint64_t keys[BLOCK];
    for (uint64_t from = (uint64_t)member * BLOCK; from < piece->count;
         from += (uint64_t)c->threads * BLOCK) {
        size_t count = piece->count - from < BLOCK ? (size_t)(piece->count - from) : BLOCK;
        make_keys(piece, from, keys, count);
        uint64_t start = clock_ticks();
        size_t done = piece->call(c->table, keys, count);
        tally.busy += clock_ticks() - start;
        tally.ops += count;
        tally.done += done;
        if (done < count && piece->operation == INSERT) {
            break;
        }
    }
    tally.last = clock_ticks();
    tally.running = clock_thread_nanoseconds() - running;
    piece->tally[member] = tally;
}

/*
 * Millions of operations a second. Threads that have a core each are busy all the time, but for the
 * making of keys. A single one waits for nobody, so when it was not running something else had its
 * core, which is no cost of the target's. Of more threads than cores only the time from the first's
 * start to the last's end tells.
 */
static double speed(const struct piece *piece) {
    unsigned threads = piece->contender->threads;
    double sum = 0;
    uint64_t ops = 0;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (unsigned i = 0; i < threads; i++) {
        const struct tally *tally = &piece->tally[i];
        sum += tally->ops == 0 ? 0 : (double)tally->ops / clock_seconds(tally->busy);
        ops += tally->ops;
        first = tally->first < first ? tally->first : first;
        last = tally->last > last ? tally->last : last;
    }
    double elapsed = clock_seconds(last - first);
    if (threads == 1) {
        sum *= elapsed / (1e-9 * (double)piece->tally[0].running);
    }
    return 1e-6 * (threads <= crew_cores() ? sum : (double)ops / elapsed);
}

static uint64_t done_by_all(const struct piece *piece) {
    uint64_t done = 0;
    for (unsigned i = 0; i < piece->contender->threads; i++) {
        done += piece->tally[i].done;
    }
    return done;
}

/* Five standard deviations above what the rate lets expect. */
static bool too_many(uint64_t found, uint64_t asked, double rate) {
    double expected = rate * (double)asked;
    return (double)found > expected + 5 * sqrt(expected) + 5;
}

/* See that the answers were right, and keep account of the keys. */
static void settle(struct piece *piece) {
    struct contender *c = piece->contender;
    uint64_t done = done_by_all(piece);
    switch (piece->operation) {
    case HIT:
        c->cursor += piece->count;
        if (done != piece->count) {
            fail("%s lost %llu keys", c->name, (unsigned long long)(piece->count - done));
        }
        break;
    case MISS:
        c->cursor += piece->count;
        if (too_many(done, piece->count, c->target->rate)) {
            fail("%s found %llu of %llu absent keys", c->name, (unsigned long long)done,
                 (unsigned long long)piece->count);
        }
        break;
    case INSERT:
        c->high += done;
        c->full = done < piece->count;
        if (c->full && c->threads > 1) {
            fail("%s is full at a load of %.3f", c->name,
                 (double)contender_items(c) / (double)c->slots);
        }
        break;
    case REMOVE:
        c->low += done;
        if (done != piece->count) {
            fail("%s did not find %llu keys to remove", c->name,
                 (unsigned long long)(piece->count - done));
        }
        break;
    }
    bool changed = piece->operation == INSERT || piece->operation == REMOVE;
    if (changed && c->target->size != NULL && c->target->size(c->table) != contender_items(c)) {
        fail("%s holds %llu keys and says %llu", c->name, (unsigned long long)contender_items(c),
             (unsigned long long)c->target->size(c->table));
    }
}

static double run(struct contender *c, enum operation operation, target_call call, uint64_t count) {
    struct piece piece = {.contender = c, .operation = operation, .call = call, .count = count};
    if (operation == HIT) {
        if (contender_items(c) == 0) {
            fail("%s is empty", c->name);
        }
        piece.stride = stride_for(contender_items(c));
    }
    crew_run(c->threads, work, &piece);
    settle(&piece);
    return operation == INSERT && c->full ? NAN : speed(&piece);
}

double contender_piece(struct contender *c, enum operation operation, uint64_t count) {
    const target_call calls[] = {
        [HIT] = c->target->lookup,
        [MISS] = c->target->lookup,
        [INSERT] = c->target->insert,
        [REMOVE] = c->target->remove,
    };
    return run(c, operation, calls[operation], count);
}

void contender_bring_to(struct contender *c, uint64_t items) {
    uint64_t now = contender_items(c);
    if (now < items) {
        (void)run(c, INSERT, c->target->fill != NULL ? c->target->fill : c->target->insert,
                  items - now);
    } else if (now > items) {
        (void)run(c, REMOVE, c->target->remove, now - items);
    }
}

void contender_warm(struct contender *c) {
    const uint64_t most = 1 << 18; /* look-ups that touch nearly all of the largest cache */
    uint64_t count = c->slots / 8 < most ? c->slots / 8 : most;
    (void)contender_piece(c, MISS, count);
}
