/*
 * Clearing an item's bits in a Bloom filter, which has no other way to take an item out. Bloom
 * filters have bits in common between items, so it takes others out, too.
 */
#ifndef GUIRA_BENCH_CLEARING_H
#define GUIRA_BENCH_CLEARING_H

#include <stdint.h>

/* Clearing one item's bits, again and again from the full filter: how many others are lost. */
struct losses {
    uint64_t cleared; /* times */
    uint64_t lost;    /* in all */
    uint64_t most;    /* at once */
    uint64_t six;     /* times that it was six or more */
};

void losses_add(struct losses *losses, uint64_t lost);

/* A plain filter of m bits, of which each item sets k: all its items in turn. */
void clear_in_plain(struct losses *losses, uint64_t bits, unsigned hashes, uint64_t items,
                    uint64_t stream);

/* The mean of that by arithmetic: another item is lost if one of its k bits is among those
 * cleared. */
double expected_loss(uint64_t bits, unsigned hashes, uint64_t items);

/* libbloom made for so many items and that rate, filled with some: all these in turn. Returns its
 * bits; *hashes becomes how many of them it sets for an item. */
uint64_t clear_in_libbloom(struct losses *losses, uint64_t made_for, double rate, uint64_t items,
                           uint64_t stream, unsigned *hashes);

/* libbloom, filled with what it is made for, from which the first keys are cleared one by one, and
 * stay so. After each `step` of them lost[i] is how many of the last half of the keys are gone. */
void clear_half_of_libbloom(uint64_t items, double rate, uint64_t stream, uint64_t step,
                            uint64_t *lost);

#endif
