/* guira size: what a set would cost, here and elsewhere. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "numbers.h"
#include "settings.h"

static const char help[] =
    "Usage: guira size [OPTION...] N\n"
    "\n"
    "Tells what a filter for N keys costs, at several rates: bytes, and bits for\n"
    "each key. N may end in k, M, G or T.\n"
    "\n"
    "  -p, --rate=RATE  only for this rate, such as 0.001 or 0.1%\n"
    "  -J, --json       print a JSON array\n"
    "  -h, --help       print this\n"
    "\n"
    "Beside it, computed: a Bloom filter with the best number of hashes, which\n"
    "cannot remove; and the cuckoo filter of the paper, with buckets of four slots,\n"
    "a power of two of them, filled to 95 % at most.\n"
    "The status is 0, or 2 after an error.\n"
    "\n"
    "  guira size 10M\n";

static double bloom_bytes(double keys, double rate) {
    return ceil(keys * log(1 / rate) / (log(2) * log(2)) / 8);
}

/* "Cuckoo Filter: Practically Better Than Bloom", 2014: two buckets of b slots are looked at, so a
 * fingerprint has log2(2 b / rate) bits. */
static double classic_bytes(double keys, double rate) {
    const double slots = 4;
    const double most_load = 0.95;
    double buckets = exp2(ceil(log2(fmax(1, keys / slots / most_load))));
    return ceil(buckets * slots * ceil(log2(2 * slots / rate)) / 8);
}

struct row {
    double rate;
    struct guira_sizing sizing;
    double bloom, classic; /* bytes */
};

static enum guira_status compute(uint64_t keys, double rate, struct row *out) {
    struct guira_options options = {.capacity = keys, .false_positive_rate = rate};
    *out =
        (struct row){rate, {0}, bloom_bytes((double)keys, rate), classic_bytes((double)keys, rate)};
    return guira_size_for(&options, &out->sizing);
}

static void print_row(const struct row *row, uint64_t keys) {
    char a[NUMBER_ROOM];
    char b[NUMBER_ROOM];
    char c[NUMBER_ROOM];
    char d[NUMBER_ROOM];
    char e[NUMBER_ROOM];
    double bytes = (double)row->sizing.table_bytes;
    (void)printf("%10s  %10s  %9sB  %5.1f  %9sB  %5.1f  %9sB  %5.1f\n", percent(row->rate, a),
                 percent(row->sizing.rate_at_capacity, b), rounded(bytes, c),
                 8 * bytes / (double)keys, rounded(row->bloom, d), 8 * row->bloom / (double)keys,
                 rounded(row->classic, e), 8 * row->classic / (double)keys);
}

static void print_json(const struct row *row, bool is_first) {
    (void)printf("%s{\"rate\": %.9g, \"rate_at_capacity\": %.9g, \"bytes\": %" PRIu64
                 ", \"bloom_bytes\": %.0f, \"classic_cuckoo_bytes\": %.0f}",
                 is_first ? "[" : ",\n ", row->rate, row->sizing.rate_at_capacity,
                 row->sizing.table_bytes, row->bloom, row->classic);
}

static int run(const struct settings *s) {
    static const double usual[] = {0.05, 0.01, 0.005, 0.001, 1e-4, 1e-5, 1e-6};
    const double *rates = s->rate != 0 ? &s->rate : usual;
    size_t count = s->rate != 0 ? 1 : sizeof usual / sizeof *usual;
    uint64_t keys;
    if (!read_number(s->operands[0], &keys) || keys == 0) {
        fail("'%s' is no number of keys: give one such as 10000000 or 10M", s->operands[0]);
    }
    if (!s->json) {
        (void)printf("%10s  %10s  %17s  %17s  %17s\n", "", "when", "guira   bits", "Bloom   bits",
                     "classic   bits");
        (void)printf("%10s  %10s  %17s  %17s  %17s\n", "rate", "full", "bytes  a key",
                     "bytes  a key", "bytes  a key");
    }
    for (size_t i = 0; i < count; i++) {
        struct row row;
        fail_unless_ok(compute(keys, rates[i], &row), "size a set of", s->operands[0]);
        if (s->json) {
            print_json(&row, i == 0);
        } else {
            print_row(&row, keys);
        }
    }
    if (s->json) {
        (void)printf("]\n");
    }
    return ENDED_WELL;
}

const struct command size_command = {"size", "hJp:", 1, 1, help, run};
