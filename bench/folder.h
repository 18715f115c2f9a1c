/*
 * The folder that results go to. What cannot be written ends the program.
 */
#ifndef GUIRA_BENCH_FOLDER_H
#define GUIRA_BENCH_FOLDER_H

#include <stdio.h>

/* Make the folder if it is not there. */
void folder_make(const char *folder);

FILE *folder_open(const char *folder, const char *name, const char *mode);
void folder_close(FILE *file);

#endif
