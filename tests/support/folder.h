/*
 * A folder of a test's own, for files.
 */
#ifndef GUIRA_TESTS_FOLDER_H
#define GUIRA_TESTS_FOLDER_H

#include "tape.h"

enum { MAX_PATH_BYTES = 512 };

struct folder {
    char path[256];
    char file[MAX_PATH_BYTES]; /* a name in it, of no file yet */
};

extern struct folder folder;

/* Group setup, which prints the seed too, and teardown, which fails if more than `file` is left. */
int folder_begin(void **state);
int folder_end(void **state);

/* How many files are in it. */
unsigned files_in_folder(void);

/* Removes all but `file`; how many there were. */
unsigned remove_other_files(void);

/* The file `name` of the folder, into a buffer of MAX_PATH_BYTES. */
const char *path_in_folder(const char *name, char *path);

void write_file(const char *path, const struct tape *tape);
struct tape read_file(const char *path);
bool file_is(const char *path, const struct tape *tape);

/* A filter of the n keys that fill(f, first, n) inserts, and whether it has those and no others. */
struct guira *filled(uint64_t first, uint64_t n);
bool has_filled(const struct guira *f, uint64_t first, uint64_t n);

/* guira_load_file; the test fails if that does. */
struct guira *load_filter(const char *path);

/* work(context) in a child process; what it returns. */
int in_another_process(int (*work)(const void *context), const void *context);

/* How many file descriptors the process has open. */
unsigned open_files(void);

#endif
