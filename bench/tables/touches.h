/*
 * How many pages of a table a look-up touches: the pages are taken away before it, and those that
 * it asks for are counted as they come back. In a table of many pages each access is to another.
 */
#ifndef GUIRA_BENCH_TOUCHES_H
#define GUIRA_BENCH_TOUCHES_H

#include <stddef.h>

/* Watch these pages, which must begin and end at the bounds of pages; one region at a time. */
void touches_watch(void *pages, size_t bytes);
void touches_unwatch(void);

/* Take the pages away; and how many have come back since. */
void touches_begin(void);
unsigned touches_end(void);

/* Bytes of a page. */
size_t touches_page(void);

#endif
