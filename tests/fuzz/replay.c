/*
 * Stands in for libFuzzer where there is none: runs a fuzz target once on each file of the folders
 * that are its arguments.
 */
#define _POSIX_C_SOURCE 200809L /* readdir */
#define _FILE_OFFSET_BITS 64    /* files' numbers can be that long on any machine */

#include <dirent.h>
#include <string.h>

#include "fuzz.h"

enum { PATH_ROOM = 4096, FILE_ROOM = 1 << 16 };

static void run_file(const char *path) {
    static uint8_t bytes[FILE_ROOM];
    FILE *file = fopen(path, "rb");
    fuzz_require(file != NULL, "%s", path);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    uint8_t *exact = malloc(size + (size == 0)); /* so that a byte too far is noticed */
    fuzz_require(exact != NULL, "no memory");
    memcpy(exact, bytes, size);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static unsigned run_folder(const char *folder) {
    DIR *all = opendir(folder);
    fuzz_require(all != NULL, "%s", folder);
    unsigned files = 0;
    for (struct dirent *entry = readdir(all); entry != NULL; entry = readdir(all)) {
        char path[PATH_ROOM];
        if (entry->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            run_file(path);
            files++;
        }
    }
    (void)closedir(all);
    return files;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        unsigned files = run_folder(argv[i]);
        (void)printf("%s: %u files\n", argv[i], files);
        fuzz_require(files > 0, "%s", argv[i]);
    }
    return argc > 1 ? 0 : 1;
}
