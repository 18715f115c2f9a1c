/*
 * What guira is to reach on a machine of two cores, and what it did.
 */
#include "output.h"

#include <stdlib.h>
#include <string.h>

#include "series.h"
#include "support.h"

/* Series are named by experiment, operation, contender and number of threads. A star stands for
 * each of guira's rates. */
struct goal {
    const char *what;
    unsigned log2_slots;
    const char *one;
    const char *other; /* NULL: the figure itself is judged, not a ratio */
    double least, aim; /* where less is better: least > aim */
    bool of_memory;    /* they are parts of what bare memory reaches in guira's place */
};

static const struct goal goals[] = {
    {"single look-up, hit / textbook", 22, "single|hit|guira *|1", "single|hit|textbook|1", 0.9,
     1.2, false},
    {"single look-up, miss / textbook", 22, "single|miss|guira *|1", "single|miss|textbook|1", 0.55,
     0.8, false},
    {"single look-up, hit / textbook", 26, "single|hit|guira *|1", "single|hit|textbook|1", 0.75, 1,
     false},
    {"single look-up, miss / textbook", 26, "single|miss|guira *|1", "single|miss|textbook|1", 0.75,
     1, false},
    {"batched look-up, hit / textbook, single", 22, "batch|hit|guira batch *|1",
     "batch|hit|textbook|1", 2.5, 4, false},
    {"batched look-up, miss / textbook, single", 22, "batch|miss|guira batch *|1",
     "batch|miss|textbook|1", 1.4, 2.5, false},
    {"batched look-up, hit / textbook, single", 26, "batch|hit|guira batch *|1",
     "batch|hit|textbook|1", 2.5, 3, false},
    {"batched look-up, miss / textbook, single", 26, "batch|miss|guira batch *|1",
     "batch|miss|textbook|1", 2.5, 3, false},
    {"the same without AVX-512, hit", 22, "batch|hit|guira scalar *|1", "batch|hit|textbook|1", 1.4,
     2.1, false},
    {"the same without AVX-512, miss", 22, "batch|miss|guira scalar *|1", "batch|miss|textbook|1",
     0.8, 1.04, false},
    {"the same without AVX-512, hit", 26, "batch|hit|guira scalar *|1", "batch|hit|textbook|1", 2.3,
     2.3, false},
    {"batched look-up without AVX-512, hit / raw prefetched reads of two lines", 26,
     "batch|hit|guira scalar *|1", "batch|hit|2 lines prefetched|1", 0.75, 1, false},
    {"batched look-up, hit / raw prefetched reads of two lines", 26, "batch|hit|guira batch *|1",
     "batch|hit|2 lines prefetched|1", 0.9, 1, false},
    {"single insert, 0-50 % / textbook", 22, "single|insert 0-50%|guira *|1",
     "single|insert 0-50%|textbook|1", 0.45, 0.8, false},
    {"single insert, 0-50 % / textbook", 26, "single|insert 0-50%|guira *|1",
     "single|insert 0-50%|textbook|1", 0.4, 0.6, false},
    {"insert with a single writer, 0-50 % / textbook", 22, "single|insert 0-50%|guira 1w *|1",
     "single|insert 0-50%|textbook|1", 0.7, 1, false},
    {"insert with a single writer, 0-50 % / textbook", 26, "single|insert 0-50%|guira 1w *|1",
     "single|insert 0-50%|textbook|1", 0.5, 0.8, false},
    {"batched insert, 0-50 % / textbook, single", 22, "batch|insert 0-50%|guira batch *|1",
     "batch|insert 0-50%|textbook|1", 1.3, 2, false},
    {"batched insert, 0-50 % / textbook, single", 26, "batch|insert 0-50%|guira batch *|1",
     "batch|insert 0-50%|textbook|1", 1.2, 1.8, false},
    {"insert, last tenth before capacity / textbook, 90-95 %", 22,
     "single|insert last tenth|guira *|1", "single|insert 90-95%|textbook|1", 3.5, 6, false},
    {"remove / textbook", 22, "single|remove|guira *|1", "single|remove|textbook|1", 0.5, 0.9,
     false},
    {"batched remove / textbook, single", 22, "batch|remove|guira batch *|1",
     "batch|remove|textbook|1", 1.5, 3, false},
    {"look-ups, two threads / one", 22, "threads|hit|guira *|2", "threads|hit|guira *|1", 0.9, 1,
     true},
    {"inserts, two threads / one", 22, "threads|insert 0-50%|guira *|2",
     "threads|insert 0-50%|guira *|1", 0.9, 1, true},
    {"mixed 90-5-5, two threads / one", 22, "threads|mixed 90-5-5|guira *|2",
     "threads|mixed 90-5-5|guira *|1", 0.9, 1, true},
    {"look-ups, two threads / one", 26, "threads|hit|guira *|2", "threads|hit|guira *|1", 1.9, 2,
     false},
    {"inserts, two threads / one", 26, "threads|insert 0-50%|guira *|2",
     "threads|insert 0-50%|guira *|1", 1.5, 2, false},
    {"mixed 90-5-5, two threads / one", 26, "threads|mixed 90-5-5|guira *|2",
     "threads|mixed 90-5-5|guira *|1", 1.9, 2, false},
    {"mixed 90-5-5 on two threads / libcuckoo", 22, "threads|mixed 90-5-5|guira *|2",
     "threads|mixed 90-5-5|libcuckoo|2", 3, 5, false},
    {"mixed 90-5-5 on two threads / textbook with a mutex", 22, "threads|mixed 90-5-5|guira *|2",
     "threads|mixed 90-5-5|textbook + mutex|2", 7, 10, false},
    {"mixed 90-5-5 on two threads / textbook with a read-write lock", 22,
     "threads|mixed 90-5-5|guira *|2", "threads|mixed 90-5-5|textbook + rwlock|2", 20, 30, false},
    {"look-up p99.9, beside a churning writer / quiet", 22, "latency|hit churn p99.9|guira *|1",
     "latency|hit quiet p99.9|guira *|1", 1.3, 1.1, false},
    {"insert p99.9 at design load, windows of 2, ns", 22, "latency|insert p99.9|guira 0.1%|1", NULL,
     8000, 4000, false},
    {"insert p99.9 at design load, windows of 3, ns", 22, "latency|insert p99.9|guira 0.01%|1",
     NULL, 15000, 8000, false},
    {"mixed 90-5-5, 64 threads / 2", 22, "many|mixed 90-5-5|guira *|64",
     "many|mixed 90-5-5|guira *|2", 0.9, 1, false},
    {"bits per item for 1 % / classic formula", 0, "sizes|a million items|guira 1%|1",
     "sizes|a million items|formula 1%|1", 1.07, 1, false},
    {"bits per item for 0.1 % / classic formula", 0, "sizes|a million items|guira 0.1%|1",
     "sizes|a million items|formula 0.1%|1", 1.06, 1, false},
    {"bits per item for 0.01 % / classic formula", 0, "sizes|a million items|guira 0.01%|1",
     "sizes|a million items|formula 0.01%|1", 1.02, 1, false},
};

static bool has_rates(const char *name) {
    return strchr(name, '*') != NULL;
}

/* The series of that name, with `contender` in the place of the name's unless it is NULL. */
static const struct series *find(const char *name, unsigned log2_slots, double rate,
                                 const char *contender) {
    char part[4][64];
    if (sscanf(name, "%63[^|]|%63[^|]|%63[^|]|%63[^|]", part[0], part[1], part[2], part[3]) != 4) {
        fail("no good name of a series: %s", name);
    }
    char *star = strchr(part[2], '*');
    if (star != NULL) {
        (void)snprintf(star, sizeof part[2] - (size_t)(star - part[2]), "%g%%", 100 * rate);
    }
    return series_find(part[0], log2_slots, part[1], contender != NULL ? contender : part[2],
                       (unsigned)strtoul(part[3], NULL, 10));
}

static struct spread reached(const struct goal *goal, double rate, const char *contender) {
    const struct series *one = find(goal->one, goal->log2_slots, rate, contender);
    if (goal->other == NULL && one != NULL) {
        return series_spread(one);
    }
    return series_ratio(
        one, goal->other == NULL ? NULL : find(goal->other, goal->log2_slots, rate, contender));
}

static const char *mark(const struct goal *goal, double value, double unit) {
    double sign = goal->least > goal->aim ? -1 : 1;
    if (sign * value >= sign * goal->aim * unit) {
        return " *";
    }
    return sign * value >= sign * goal->least * unit ? "" : " (below)";
}

static void write_goal(FILE *file, const struct settings *settings, const struct goal *goal) {
    double unit = goal->of_memory ? reached(goal, 0, "2 lines").median : 1;
    char rest[1024] = "";
    for (size_t i = 0; i < (has_rates(goal->one) ? settings->rates_count : 1); i++) {
        struct spread value = reached(goal, settings->rates[i], NULL);
        char rate[32] = "";
        if (value.count == 0) {
            continue;
        }
        if (has_rates(goal->one)) {
            (void)snprintf(rate, sizeof rate, "%g%%: ", 100 * settings->rates[i]);
        }
        size_t length = strlen(rest);
        int digits = value.median < 100 ? 2 : 0; /* behind the point */
        (void)snprintf(rest + length, sizeof rest - length, "%s%s%.*f [%.*f %.*f]%s",
                       length == 0 ? "" : "; ", rate, digits, value.median, digits, value.low,
                       digits, value.high, mark(goal, value.median, unit));
    }
    if (rest[0] != '\0') {
        char slots[16] = "";
        if (goal->log2_slots != 0) {
            (void)snprintf(slots, sizeof slots, "2^%u", goal->log2_slots);
        }
        (void)fprintf(file, "| %s | %s | %.4g | %.4g | %s |\n", goal->what, slots,
                      goal->least * unit, goal->aim * unit, rest);
    }
}

void summary_goals(FILE *file, const struct settings *settings) {
    (void)fputs("## Targets\n\n"
                "What is reached, for each of guira's geometries: with a star where it is the aim "
                "or more, and marked where it is below the least. Two threads on 2^22 slots are "
                "judged by what bare memory reaches in the same run.\n\n"
                "| what | slots | at least | aim | reached |\n|---|---|---|---|---|\n",
                file);
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
        write_goal(file, settings, &goals[i]);
    }
    (void)fputc('\n', file);
}
