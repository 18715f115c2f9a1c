/*
 * All that the demo prints, but for what only one phase knows.
 */
#define _POSIX_C_SOURCE 200809L /* getrusage, sysconf */

#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <sys/resource.h>
#include <unistd.h>

struct text grouped(uint64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    struct text out;
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out.s[at++] = ',';
        }
        out.s[at++] = digits[i];
    }
    out.s[at] = '\0';
    return out;
}

const char *plural(uint64_t number) {
    return number == 1 ? "" : "s";
}

static struct text rate_text(double calls, double seconds) {
    double rate = calls / (seconds > 0 ? seconds : 1e-9);
    struct text out;
    if (rate >= 1e6) {
        (void)snprintf(out.s, sizeof out.s, "%.1f M/s", rate / 1e6);
    } else {
        (void)snprintf(out.s, sizeof out.s, "%.1f k/s", rate / 1e3);
    }
    return out;
}

static struct text bytes_text(uint64_t bytes) {
    struct text out;
    if (bytes >= 1000000) {
        (void)snprintf(out.s, sizeof out.s, "%.1f MB", (double)bytes / 1e6);
    } else if (bytes >= 10000) {
        (void)snprintf(out.s, sizeof out.s, "%.1f kB", (double)bytes / 1e3);
    } else {
        (void)snprintf(out.s, sizeof out.s, "%u bytes", (unsigned)bytes);
    }
    return out;
}

struct interval wilson(uint64_t hits, uint64_t trials, double z) {
    double n = (double)trials;
    double p = (double)hits / n;
    double scale = 1 / (1 + z * z / n);
    double middle = scale * (p + z * z / (2 * n));
    double half = scale * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    /* At the ends rounding could leave a hair beyond what is possible. */
    return (struct interval){.low = hits == 0 ? 0 : middle - half,
                             .high = hits == trials ? 1 : middle + half};
}

double bloom_bits(double rate) {
    return log2(1 / rate) / log(2);
}

void report_head(const struct demo *demo, const char *path) {
    const struct guira_sizing *s = &demo->full.sizing;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    printf("guira %s: one filter, many threads\n\n", guira_version_text());
    printf("  file     %s: %s, %s line%s\n", path, bytes_text(demo->words.size).s,
           grouped(demo->words.lines).s, plural(demo->words.lines));
    printf("  words    %s distinct line%s", grouped(demo->words.count).s,
           plural(demo->words.count));
    if (demo->words.lines > demo->words.count) {
        printf("; what repeats an earlier one is left out");
    }
    printf("\n  filter   for %s word%s at %g %%: %s buckets of %u slots of %u bits, window %u\n",
           grouped(s->capacity).s, plural(s->capacity), 100 * DEMO_RATE, grouped(s->buckets).s,
           s->slots_per_bucket, s->tag_bits, s->window);
    printf("  threads  %u, on %ld processor%s; %u stripe%s; seed 0x%016" PRIx64 "\n\n",
           demo->threads, processors, processors == 1 ? "" : "s", s->stripes, plural(s->stripes),
           demo->full.seed);
    printf("  %-69s %9s %10s\n", "phase", "time", "calls");
}

void report_phase(const char *name, uint64_t calls, double seconds, const char *format, ...) {
    char line[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printf("  %-8s %-60s %7.3f s %10s\n", name, line, seconds, rate_text((double)calls, seconds).s);
    (void)fflush(stdout);
}

static bool judged(const char *promise, enum verdict verdict) {
    static const char *const names[] = {[NOT_RUN] = "not run", [PASS] = "PASS", [FAIL] = "FAIL"};
    printf("  %-64s %s\n", promise, names[verdict]);
    return verdict == PASS;
}

static void print_sizes(const struct demo *demo) {
    const struct guira_info *full = &demo->full;
    double words = (double)demo->words.count;
    double predicted = (double)demo->elements / (double)full->sizing.universe;
    printf("\n  words                %s\n", grouped(demo->words.count).s);
    printf("  threads              %u\n", demo->threads);
    printf("  geometry             %s buckets x %u slots x %u bits, window %u\n",
           grouped(full->sizing.buckets).s, full->sizing.slots_per_bucket, full->sizing.tag_bits,
           full->sizing.window);
    printf("  load                 %.3f of %s slots\n", full->load, grouped(full->slots).s);
    printf("  bytes                %s, all that was allocated\n",
           grouped(full->sizing.allocated_bytes).s);
    printf("  bits per word        %.2f\n", 8 * (double)full->sizing.allocated_bytes / words);
    printf("    optimal Bloom      %.2f for the predicted rate, %.2f for %g %%\n",
           bloom_bits(predicted), bloom_bits(DEMO_RATE), 100 * DEMO_RATE);
    printf("  false positives      %.4f %% measured, %.4f %% predicted, %g %% allowed\n",
           100 * (double)demo->false_positives / (double)demo->probes, 100 * predicted,
           100 * DEMO_RATE);
    printf("  missing              %s of %s\n", grouped(demo->missing).s,
           grouped(demo->words.count).s);
    printf("  missed under churn   %s of %s\n", grouped(demo->churn_missed).s,
           grouped(demo->churn_lookups).s);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        /* Linux counts it in KiB. */
        printf("  memory of the demo   %s at most; the words and what they are checked against\n",
               bytes_text((uint64_t)usage.ru_maxrss * 1024).s);
    }
}

bool report_end(const struct demo *demo) {
    print_sizes(demo);
    printf("\n");
    bool held = judged("every word fits, and fits again under churn", demo->all_fit);
    held = judged("no word is missing", demo->none_missing) && held;
    held =
        judged("no word is missed while others come, go and are moved", demo->none_missed) && held;
    held = judged("the false-positive rate is at most what was asked for", demo->rate_kept) && held;
    held = judged("n / U predicts what is measured, within 4.9 deviations", demo->rate_predicted) &&
           held;
    held = judged("counts, sizes and the table's contents are exact", demo->counts_exact) && held;
    held = judged("the table keeps every invariant", demo->invariants_hold) && held;
    printf("\n%s\n", held ? "Every promise held." : "NOT every promise held.");
    return held;
}
