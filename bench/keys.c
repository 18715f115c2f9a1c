#include "keys.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

#define ABSENT (UINT64_C(1) << 39)
#define MIXED_BASE (UINT64_C(1) << 38)
#define PART_SIZE (UINT64_C(1) << 30)

enum { SKEWED_KEYS = 1 << 20 }; /* drawn once, then used over and over */

static void count_up(uint64_t first, uint64_t *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        keys[i] = first + i;
    }
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Near the golden section, and coprime to the number of keys. */
uint64_t keys_stride(uint64_t items) {
    uint64_t stride = (uint64_t)(0.618 * (double)items) | 1;
    while (greatest_divisor(items, stride) != 1) {
        stride += 2;
    }
    return stride;
}

void keys_present(const struct contender *c, uint64_t stride, uint64_t from, uint64_t *keys,
                  size_t count) {
    __extension__ typedef unsigned __int128 wide;
    uint64_t items = contender_items(c);
    uint64_t number = (uint64_t)((wide)(c->cursor + from) * stride % items);
    for (size_t i = 0; i < count; i++) {
        keys[i] = c->base + c->keys.low + number;
        number += stride;
        number -= number >= items ? items : 0;
    }
}

/* The rank of a key by the inverse of the distribution's integral, which for the exponent 0.99 and
 * millions of keys is near enough to the sum. */
static uint64_t skewed_rank(uint64_t random, uint64_t items) {
    const double exponent = 0.99;
    double uniform = ldexp((double)(random >> 11), -53);
    double top = pow((double)items + 1, 1 - exponent);
    double rank = pow(1 + uniform * (top - 1), 1 / (1 - exponent)) - 1;
    return rank < (double)items ? (uint64_t)rank : items - 1;
}

void keys_make_skewed(struct contender *c) {
    uint64_t items = contender_items(c);
    uint64_t stride = keys_stride(items);
    free(c->skewed);
    c->skewed = zeroed(SKEWED_KEYS, sizeof *c->skewed);
    for (uint64_t i = 0; i < SKEWED_KEYS; i++) {
        uint64_t rank = skewed_rank(mix(c->wish.seed ^ mix(c->base + i)), items);
        c->skewed[i] = (uint32_t)(rank * stride % items);
    }
}

void keys_skewed(const struct contender *c, uint64_t from, uint64_t *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        keys[i] = c->base + c->keys.low + c->skewed[(c->cursor + from + i) % SKEWED_KEYS];
    }
}

void keys_absent(const struct contender *c, uint64_t from, uint64_t *keys, size_t count) {
    count_up(c->base + ABSENT + c->cursor + from, keys, count);
}

void keys_from(const struct contender *c, uint64_t number, uint64_t *keys, size_t count) {
    count_up(c->base + number, keys, count);
}

void keys_of_part(const struct contender *c, unsigned part, uint64_t number, uint64_t *keys,
                  size_t count) {
    count_up(c->base + MIXED_BASE + part * PART_SIZE + number, keys, count);
}

void keys_to_records(const uint64_t *keys, size_t count, unsigned bytes, uint64_t *records) {
    size_t words = bytes / sizeof *records;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < words; j++) {
            records[i * words + j] = keys[i] + j;
        }
    }
}
