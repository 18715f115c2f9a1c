/*
 * Numbers as people read them, and what the demo prints.
 */
#ifndef SHARED_FILTER_REPORT_H
#define SHARED_FILTER_REPORT_H

#include <stdint.h>

#include "demo.h"

/* A number as text; a struct, so that one printf can hold several. */
struct text {
    char s[32];
};

/* 1234567 as 1,234,567 */
struct text grouped(uint64_t number);

/* "" for one, "s" for any other number */
const char *plural(uint64_t number);

/* An interval of a probability of which `hits` of `trials` were seen: Wilson's, which is good for
 * few hits and for none, too. `z` is its half width in standard deviations. */
struct interval {
    double low;
    double high;
};

struct interval wilson(uint64_t hits, uint64_t trials, double z);

/* Of an optimal Bloom filter, per item. */
double bloom_bits(double rate);

void report_head(const struct demo *demo, const char *path);

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
/* One line of progress: what was done, by how many calls, in what time. */
void report_phase(const char *name, uint64_t calls, double seconds, const char *format, ...);

/* The table at the end. Returns whether every promise held. */
bool report_end(const struct demo *demo);

#endif
