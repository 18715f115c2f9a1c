/*
 * Replacing a file in one step: a new file under another name in the same folder, then a rename.
 */
#ifndef GUIRA_LIB_REPLACE_H
#define GUIRA_LIB_REPLACE_H

#include "guira/status.h"

enum { TEMPORARY_NAME_BYTES = 32 };

struct replacement {
    const char *name; /* in the folder; points into the path */
    int folder;
    int file; /* to be written to */
    char temporary[TEMPORARY_NAME_BYTES];
};

/* Creates the new file. Whatever fails, nothing is left behind, and errno says why; so below. */
enum guira_status guira__replace_begin(const char *path, struct replacement *out);

/* Brings the new file to the disk and puts it in the place of the old one. */
enum guira_status guira__replace_finish(struct replacement *r);

/* Throws the new file away; errno stays. */
void guira__replace_abandon(struct replacement *r);

#endif
