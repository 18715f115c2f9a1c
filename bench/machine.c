#define _GNU_SOURCE /* getloadavg, uname */

#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/utsname.h>

#include <guira/guira.h>

#include "crew.h"

/* The value of the first line of a file that begins with `key` and a colon, or "unknown". */
static void first_value(const char *path, const char *key, char *value, size_t size) {
    char line[512];
    FILE *file = fopen(path, "r");
    (void)snprintf(value, size, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, key, strlen(key)) == 0) {
            (void)snprintf(value, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

void machine_rows(FILE *file) {
    char model[256];
    char cache[64];
    char date[32];
    struct utsname system;
    time_t now = time(NULL);
    struct tm day;
    first_value("/proc/cpuinfo", "model name", model, sizeof model);
    first_value("/proc/cpuinfo", "cache size", cache, sizeof cache);
    (void)uname(&system);
    (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &day));
    (void)fprintf(file,
                  "| | |\n|---|---|\n"
                  "| machine | %s, %u cores used, last cache %s |\n"
                  "| system | %s %s |\n"
                  "| compiler | %s |\n"
                  "| flags | `%s` |\n"
                  "| guira | %s |\n"
                  "| date | %s |\n",
                  model, crew_cores(), cache, system.sysname, system.release, GUIRA_BENCH_COMPILER,
                  GUIRA_BENCH_FLAGS, guira_version_text(), date);
}

void machine_load_row(FILE *file) {
    double load = -1;
    (void)getloadavg(&load, 1);
    (void)fprintf(file,
                  "| load average at the end | %.2f: above the number of threads used, others "
                  "disturbed the run |\n",
                  load);
}
