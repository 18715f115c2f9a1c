#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "output.h"

#include <errno.h>
#include <math.h>

#include <sys/stat.h>

#include "series.h"
#include "support.h"

static FILE *open_file(const char *folder, const char *name, const char *mode) {
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        fail("the folder's name is too long");
    }
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        fail("cannot write %s", path);
    }
    return file;
}

static void close_file(FILE *file) {
    if (ferror(file) != 0 || fclose(file) != 0) {
        fail("cannot write results");
    }
}

void output_prepare(const char *folder) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fail("cannot make the folder %s", folder);
    }
    close_file(open_file(folder, "results.csv", "a"));
}

/* Names hold no commas and no quotes, so neither format needs escapes. */
static void write_csv(FILE *file) {
    (void)fputs("experiment,log2_slots,operation,contender,threads,unit,rounds,median,quartile_1,"
                "quartile_3,least,most,baseline,ratio,ratio_quartile_1,ratio_quartile_3\n",
                file);
    for (size_t i = 0; i < series_count(); i++) {
        const struct series *s = series_at(i);
        struct spread spread = series_spread(s);
        struct spread ratio = series_ratio(s, s->baseline);
        (void)fprintf(file, "%s,%u,%s,%s,%u,%s,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%s,%.4g,%.4g,%.4g\n",
                      s->experiment, s->log2_slots, s->operation, s->contender, s->threads, s->unit,
                      spread.count, spread.median, spread.low, spread.high, spread.least,
                      spread.most, s->baseline == NULL ? "" : s->baseline->contender, ratio.median,
                      ratio.low, ratio.high);
    }
}

static void write_json(FILE *file, const struct settings *settings) {
    (void)fprintf(file, "{\"seed\": %llu, \"series\": [", (unsigned long long)settings->seed);
    for (size_t i = 0; i < series_count(); i++) {
        const struct series *s = series_at(i);
        (void)fprintf(file,
                      "%s\n{\"experiment\": \"%s\", \"log2_slots\": %u, \"operation\": \"%s\", "
                      "\"contender\": \"%s\", \"threads\": %u, \"unit\": \"%s\", "
                      "\"baseline\": \"%s\", \"samples\": [",
                      i == 0 ? "" : ",", s->experiment, s->log2_slots, s->operation, s->contender,
                      s->threads, s->unit, s->baseline == NULL ? "" : s->baseline->contender);
        for (size_t j = 0; j < s->count; j++) {
            if (j > 0) {
                (void)fputs(", ", file);
            }
            if (isnan(s->samples[j])) {
                (void)fputs("null", file);
            } else {
                (void)fprintf(file, "%.6g", s->samples[j]);
            }
        }
        (void)fputs("]}", file);
    }
    (void)fputs("\n]}\n", file);
}

void output_write(const struct settings *settings) {
    FILE *csv = open_file(settings->folder, "results.csv", "w");
    write_csv(csv);
    close_file(csv);
    FILE *json = open_file(settings->folder, "results.json", "w");
    write_json(json, settings);
    close_file(json);
    FILE *summary = open_file(settings->folder, "summary.md", "w");
    summary_head(summary, settings);
    summary_goals(summary, settings);
    summary_tables(summary, settings);
    close_file(summary);
}
