/*
 * Records what the library does to a tiny filter, step by step, for docs/picture.html: for each
 * call a line of JSON, with what has changed at each hook inside it since the last one, read from
 * the filter's memory and taken apart by the library's own functions. Nothing here computes what a
 * filter would do. The same program prints the same bytes on every machine.
 */
#ifndef GUIRA_STRESS_RECORDER_H
#define GUIRA_STRESS_RECORDER_H

#include "calls.h"
#include "filter.h"
#include "hook.h"

enum { MOST_LEVELS = 2, MOST_BUCKETS = 16, MOST_KEYS = 128 };

void recording_begin(void);
void recording_end(void);

/* Make the scene's filter. Until scene_start nothing is written. */
struct guira *scene_begin(const char *name, const struct guira_options *options);
void scene_put(const char *key);
void scene_start(void);

/* One call, recorded; it must answer that. */
void scene_call(enum call call, const char *key, unsigned answer);

/* The next call will be interrupted when it passes that hook, by another one. */
void scene_meanwhile(enum hook at, enum call call, const char *key, unsigned answer);

/* Write the keys that the scene was about, and end its filter. */
void scene_end(void);

/* The table that is filled now, and the scene's key that has the element; NULL if none has. */
const struct table *table_filled(const struct guira *f);
const char *key_of_element(uint64_t number);

/* Stop with that message: the recording would not be what its text says. */
void give_up(const char *why);

#endif
