/*
 * The experiments. Each adds its samples to the series and prints what they say as it goes.
 */
#ifndef GUIRA_BENCH_EXPERIMENTS_H
#define GUIRA_BENCH_EXPERIMENTS_H

#include "../settings.h"

struct experiment {
    const char *name;
    const char *about;
    void (*run)(const struct settings *settings);
};

extern const struct experiment experiments[]; /* the last has no name */

void experiment_single(const struct settings *settings);
void experiment_batch(const struct settings *settings);
void experiment_batch_sizes(const struct settings *settings);
void experiment_others(const struct settings *settings);
void experiment_threads(const struct settings *settings);
void experiment_many(const struct settings *settings);
void experiment_contention(const struct settings *settings);
void experiment_latency(const struct settings *settings);
void experiment_files(const struct settings *settings);
void experiment_growth(const struct settings *settings);
void experiment_strings(const struct settings *settings);
void experiment_sizes(const struct settings *settings);

#endif
