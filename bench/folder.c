#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "folder.h"

#include <errno.h>

#include <sys/stat.h>

#include "support.h"

void folder_make(const char *folder) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fail("cannot make the folder %s", folder);
    }
}

FILE *folder_open(const char *folder, const char *name, const char *mode) {
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        fail("the folder's name is too long");
    }
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        fail("cannot write %s", path);
    }
    return file;
}

void folder_close(FILE *file) {
    if (ferror(file) != 0 || fclose(file) != 0) {
        fail("cannot write results");
    }
}
