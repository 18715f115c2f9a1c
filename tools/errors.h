/* Messages on standard error, and the end of the program. */
#ifndef GUIRA_TOOLS_ERRORS_H
#define GUIRA_TOOLS_ERRORS_H

#include <stdbool.h>

#include <guira/guira.h>

/* What the messages begin with; set once, before there are threads. */
void name_program(const char *name);

/* What messages call a file that is read: "standard input" if it is "-". */
const char *name_of(const char *path);

/* A message, as printf makes it, in one line. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/* Likewise, and the end with ENDED_IN_TROUBLE: at once, from any thread. Nothing is left behind,
 * as nothing is on the disk before filters.c saves. */
__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *format, ...);

/* Likewise; `done` is what could not be done with the file, and errno says why. */
__attribute__((noreturn)) void fail_with_file(const char *done, const char *path);

/* Likewise, if that is no success; after GUIRA_IO_FAILED errno says why. */
void fail_unless_ok(enum guira_status status, const char *done, const char *path);

/* What went wrong with the file, as errno tells after GUIRA_IO_FAILED; valid for a moment. */
const char *reason_of(enum guira_status status, const char *path);

/* What to do about a status, "" if there is nothing to say. */
const char *advice(enum guira_status status);

/* The end of all that was printed to standard output: fails if it could not be written. */
void finish_output(void);

/* malloc and realloc that do not return NULL. */
void *get_memory(void *old, size_t bytes);

#endif
