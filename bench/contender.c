#include "contender.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "crew.h"
#include "piece.h"
#include "support.h"
#include "targets/guira_target.h"

struct contender contender_make(const char *name, const struct target *target,
                                const struct wish *wish) {
    static uint64_t made;
    double load = target->design == 0 ? guira_design_load(wish) : target->design;
    struct contender contender = {
        .target = target,
        .table = target->create(wish),
        .wish = *wish,
        .slots = UINT64_C(1) << wish->log2_slots,
        .base = ++made << 40,
    };
    contender.design = (uint64_t)(load * (double)contender.slots);
    if ((size_t)snprintf(contender.name, sizeof contender.name, "%s", name) >=
        sizeof contender.name) {
        fail("name too long: %s", name);
    }
    return contender;
}

void contender_end(struct contender *c) {
    c->target->destroy(c->table);
    free(c->skewed);
}

void contender_clear(struct contender *c) {
    c->target->clear(c->table);
    c->keys.low = c->keys.high;
    for (size_t i = 0; i < MIXED_PARTS; i++) {
        c->mixed[i].low = c->mixed[i].high;
    }
    c->full = false;
}

uint64_t contender_items(const struct contender *c) {
    return c->keys.high - c->keys.low;
}

uint64_t contender_mixed_items(const struct contender *c) {
    uint64_t items = 0;
    for (size_t i = 0; i < MIXED_PARTS; i++) {
        items += c->mixed[i].high - c->mixed[i].low;
    }
    return items;
}

static void check_size(const struct contender *c) {
    if (c->target->size == NULL) {
        return;
    }
    uint64_t items = contender_items(c) + contender_mixed_items(c);
    uint64_t size = c->target->size(c->table);
    if (size != items) {
        fail("%s holds %llu keys and says %llu", c->name, (unsigned long long)items,
             (unsigned long long)size);
    }
}

/* Five standard deviations above what the rate lets expect. */
static bool too_many(uint64_t found, uint64_t asked, const struct contender *c) {
    double rate = c->target->rate == 0 ? 1.2 * c->wish.rate : c->target->rate;
    double expected = rate * (double)asked;
    return (double)found > expected + 5 * sqrt(expected) + 5;
}

/* See that the answers were right. Only a single thread may meet a full table: with several nobody
 * knows which keys went in. */
static void check(const struct piece *piece, uint64_t done) {
    const struct contender *c = piece->contender;
    bool wrong = piece->operation == MISS     ? too_many(done, piece->count, c)
                 : piece->operation == INSERT ? done < piece->count && piece->threads > 1
                                              : done < piece->count;
    if (wrong) {
        static const char *const names[] = {
            [HIT] = "hit",       [SKEWED] = "hit",    [MISS] = "miss",
            [INSERT] = "insert", [REMOVE] = "remove", [MIXED] = "mixed",
        };
        fail("%s, %s, %u threads: %llu of %llu, load %.4f", c->name, names[piece->operation],
             piece->threads, (unsigned long long)done, (unsigned long long)piece->count,
             (double)contender_items(c) / (double)c->slots);
    }
}

static double run(struct contender *c, enum operation operation, target_call call, uint64_t count,
                  unsigned threads) {
    struct piece piece = {
        .contender = c,
        .operation = operation,
        .call = call,
        .count = count,
        .threads = threads,
    };
    uint64_t done = piece_run(&piece);
    check(&piece, done);
    if (operation == INSERT) {
        c->keys.high += done;
        c->full = done < piece.count;
    } else if (operation == REMOVE) {
        c->keys.low += done;
    } else {
        c->cursor += piece.count;
    }
    if (operation >= INSERT) {
        check_size(c);
    }
    return operation == INSERT && c->full ? NAN : piece_speed(&piece);
}

double contender_run(struct contender *c, enum operation operation, uint64_t count,
                     unsigned threads) {
    const target_call calls[] = {
        [HIT] = c->target->lookup,    [SKEWED] = c->target->lookup, [MISS] = c->target->lookup,
        [INSERT] = c->target->insert, [REMOVE] = c->target->remove, [MIXED] = c->target->remove,
    };
    target_call call = calls[operation];
    return call == NULL ? NAN : run(c, operation, call, count, threads);
}

/* By all cores, if no insert can fail. */
void contender_bring_to(struct contender *c, uint64_t items) {
    uint64_t now = contender_items(c);
    if (now < items) {
        unsigned threads = c->target->fill_shared && items <= c->design ? crew_cores() : 1;
        (void)run(c, INSERT, c->target->fill != NULL ? c->target->fill : c->target->insert,
                  items - now, threads);
    } else if (now > items && c->target->remove != NULL) {
        (void)run(c, REMOVE, c->target->remove, now - items, 1);
    }
}

void contender_warm(struct contender *c, unsigned threads) {
    const uint64_t most = 1 << 18; /* look-ups that touch nearly all of the largest cache */
    uint64_t count = c->slots / 8 < most ? c->slots / 8 : most;
    uint64_t caches = threads < crew_cores() ? threads : crew_cores();
    (void)contender_run(c, MISS, count * caches, threads);
}

void contender_prepare_mixed(struct contender *c) {
    const uint64_t most = 1 << 17; /* keys that come and go: with their lines more than a cache */
    const double load = 0.88;
    uint64_t moving = c->slots / 32 < most ? c->slots / 32 : most;
    uint64_t all = (uint64_t)(load * (double)c->slots);
    all = all < c->design ? all : c->design;
    contender_bring_to(c, all - moving);
    for (unsigned i = 0; i < MIXED_PARTS; i++) {
        piece_fill_part(c, i, moving / MIXED_PARTS);
    }
}
