/*
 * The life of tables on one thread: filled slice by slice to 95 % of the slots, brought to the
 * design load; a tenth of the keys removed and inserted again; and then asked, beside bare memory
 * if that is wanted.
 */
#ifndef GUIRA_BENCH_LIFE_H
#define GUIRA_BENCH_LIFE_H

#include "../field.h"

void life(struct field *field, bool beside_memory);

#endif
