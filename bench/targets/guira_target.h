/*
 * What experiments want to know of guira beyond what all targets have.
 */
#ifndef GUIRA_BENCH_GUIRA_TARGET_H
#define GUIRA_BENCH_GUIRA_TARGET_H

#include <guira/guira.h>

#include "../target.h"

/* The load that guira fills the geometry for the wished rate to. */
double guira_design_load(const struct wish *wish);

/* The filter in a table of one of guira's targets. */
struct guira *guira_of(const void *table);

/* Batched look-ups as on processors without AVX-512. */
void without_vectors(struct guira *filter);

#endif
