#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise, program_invocation_short_name */

#include "support.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <sys/mman.h>

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fflush(stdout);
    (void)fprintf(stderr, "%s: ", program_invocation_short_name);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fail("no memory for %zu times %zu bytes", count, size);
    }
    return memory;
}

void *table_get(size_t bytes) {
    void *table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED) {
        fail("no memory for a table of %zu bytes", bytes);
    }
    (void)madvise(table, bytes, MADV_HUGEPAGE);
    return table;
}

void table_give_back(void *table, size_t bytes) {
    (void)munmap(table, bytes);
}
