#include "clearing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <bloom.h>

#include "shape.h"

void losses_add(struct losses *losses, uint64_t lost) {
    losses->cleared++;
    losses->lost += lost;
    losses->most = lost > losses->most ? lost : losses->most;
    losses->six += lost >= 6;
}

double expected_loss(uint64_t bits, unsigned hashes, uint64_t items) {
    double m = (double)bits;
    double cleared = 1 - pow(1 - 1 / m, hashes); /* is a given bit? */
    return (double)(items - 1) * (1 - pow(1 - cleared, hashes));
}

/* ---- A plain Bloom filter -------------------------------------------------------------------- */

struct plain {
    uint64_t bits;
    unsigned hashes;
    bool *set; /* one for each bit */
};

static bool *bit_of(const struct plain *p, uint64_t key, unsigned number) {
    return &p->set[scale(mix(mix(key) + number), p->bits)];
}

static void write_bits(const struct plain *p, uint64_t key, bool value) {
    for (unsigned i = 0; i < p->hashes; i++) {
        *bit_of(p, key, i) = value;
    }
}

static bool has_bits(const struct plain *p, uint64_t key) {
    for (unsigned i = 0; i < p->hashes; i++) {
        if (!*bit_of(p, key, i)) {
            return false;
        }
    }
    return true;
}

void clear_in_plain(struct losses *losses, uint64_t bits, unsigned hashes, uint64_t items,
                    uint64_t stream) {
    struct plain p = {.bits = bits, .hashes = hashes, .set = zeroed((size_t)bits, sizeof(bool))};
    for (uint64_t i = 0; i < items; i++) {
        write_bits(&p, key_of(stream, i), true);
    }
    for (uint64_t victim = 0; victim < items; victim++) {
        uint64_t lost = 0;
        write_bits(&p, key_of(stream, victim), false);
        for (uint64_t i = 0; i < items; i++) {
            lost += i != victim && !has_bits(&p, key_of(stream, i));
        }
        losses_add(losses, lost);
        write_bits(&p, key_of(stream, victim), true); /* none of them was clear before */
    }
    free(p.set);
}

/* ---- libbloom ------------------------------------------------------------------------------- */

/* The bits of one item are found by another filter of the same size that has this item alone. */
struct pair {
    struct bloom all;
    struct bloom one;
};

static struct pair pair_of(uint64_t made_for, double rate, uint64_t items, uint64_t stream) {
    struct pair pair;
    if (bloom_init(&pair.all, (int)made_for, rate) != 0 ||
        bloom_init(&pair.one, (int)made_for, rate) != 0) {
        fail("libbloom refuses");
    }
    for (uint64_t i = 0; i < items; i++) {
        uint64_t key = key_of(stream, i);
        (void)bloom_add(&pair.all, &key, sizeof key);
    }
    return pair;
}

static void pair_end(struct pair *pair) {
    bloom_free(&pair->all);
    bloom_free(&pair->one);
}

static void pair_clear(struct pair *pair, uint64_t key) {
    (void)bloom_reset(&pair->one);
    (void)bloom_add(&pair->one, &key, sizeof key);
    for (int i = 0; i < pair->all.bytes; i++) {
        pair->all.bf[i] = (unsigned char)(pair->all.bf[i] & ~pair->one.bf[i]);
    }
}

static uint64_t pair_lost(struct pair *pair, uint64_t stream, uint64_t from, uint64_t to) {
    uint64_t lost = 0;
    for (uint64_t i = from; i < to; i++) {
        uint64_t key = key_of(stream, i);
        lost += bloom_check(&pair->all, &key, sizeof key) == 0;
    }
    return lost;
}

uint64_t clear_in_libbloom(struct losses *losses, uint64_t made_for, double rate, uint64_t items,
                           uint64_t stream, unsigned *hashes) {
    struct pair pair = pair_of(made_for, rate, items, stream);
    for (uint64_t victim = 0; victim < items; victim++) {
        uint64_t key = key_of(stream, victim);
        pair_clear(&pair, key);
        losses_add(losses, pair_lost(&pair, stream, 0, items) - 1);
        (void)bloom_add(&pair.all, &key, sizeof key);
    }
    uint64_t bits = (uint64_t)pair.all.bits;
    *hashes = (unsigned)pair.all.hashes;
    pair_end(&pair);
    return bits;
}

void clear_half_of_libbloom(uint64_t items, double rate, uint64_t stream, uint64_t step,
                            uint64_t *lost) {
    struct pair pair = pair_of(items, rate, items, stream);
    for (uint64_t i = 0; i < items / 2; i++) {
        if (i % step == 0) {
            lost[i / step] = pair_lost(&pair, stream, items / 2, items);
        }
        pair_clear(&pair, key_of(stream, i));
    }
    lost[(items / 2 + step - 1) / step] = pair_lost(&pair, stream, items / 2, items);
    pair_end(&pair);
}
