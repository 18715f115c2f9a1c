#include "output.h"

#include <math.h>

#include "folder.h"
#include "series.h"

void output_prepare(const char *folder) {
    folder_make(folder);
    folder_close(folder_open(folder, "results.csv", "a"));
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
    FILE *csv = folder_open(settings->folder, "results.csv", "w");
    write_csv(csv);
    folder_close(csv);
    FILE *json = folder_open(settings->folder, "results.json", "w");
    write_json(json, settings);
    folder_close(json);
    FILE *summary = folder_open(settings->folder, "summary.md", "w");
    summary_head(summary, settings);
    summary_goals(summary, settings);
    summary_tables(summary, settings);
    folder_close(summary);
}
