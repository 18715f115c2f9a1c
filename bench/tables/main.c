/*
 * guira_tables: the figures that articles on cuckoo filters publish, beside those of guira.
 *
 *     load      how full tables get, by slots a side
 *     space     false-positive rate and bits per item, by width of tags; break-even with Bloom
 *     removal   removing items, and clearing bits of a Bloom filter instead
 *     bounds    failed inserts, copies of one key, memory that a look-up touches
 *     cost      what an insert searches and moves, by load
 *     latency   how long an insert takes, by load
 *
 * Beside guira stand classic.h, the articles' filter with random kicks, and libbloom. All but the
 * latencies follows from the seed, on any machine. It ends with 1 if a claim did not hold.
 */
#define _GNU_SOURCE /* getopt_long */

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include <getopt.h>

#include "../clock.h"
#include "../crew.h"
#include "../folder.h"
#include "../machine.h"
#include "tables.h"

static const char usage[] = "Usage: guira_tables [OPTIONS]\n"
                            "\n"
                            "  --seed N       seed of all keys and filters (default: 1)\n"
                            "  --rounds N     rounds of the latencies (default: 9)\n"
                            "  --smoke        everything small, to see that the claims hold\n"
                            "  --out FOLDER   write summary.md and data for plots there\n"
                            "  --help         print this\n";

static void write_message(FILE *file, const char *format, va_list arguments) {
    if (file != NULL) {
        (void)vfprintf(file, format, arguments);
    }
}

void say(struct tables *t, const char *format, ...) {
    FILE *const files[] = {stdout, t->summary};
    for (int i = 0; i < 2; i++) {
        va_list arguments;
        va_start(arguments, format);
        write_message(files[i], format, arguments);
        va_end(arguments);
    }
}

void claim(struct tables *t, bool holds, const char *format, ...) {
    if (holds) {
        return;
    }
    t->broken++;
    va_list arguments;
    va_start(arguments, format);
    (void)fflush(stdout);
    (void)fputs("guira_tables: does not hold: ", stderr);
    write_message(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

FILE *tables_data(const struct tables *t, const char *name) {
    return t->folder == NULL ? folder_open("/dev", "null", "w") : folder_open(t->folder, name, "w");
}

static uint64_t number(const char *option, const char *text, uint64_t least) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < least) {
        (void)fprintf(stderr, "guira_tables: no good value for --%s: %s\n", option, text);
        exit(2);
    }
    return value;
}

static struct tables parse(int count, char **arguments) {
    static const struct option known[] = {
        {"seed", required_argument, NULL, 's'}, {"rounds", required_argument, NULL, 'r'},
        {"smoke", no_argument, NULL, 'm'},      {"out", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0}};
    struct tables t = {.seed = 1, .rounds = 9};
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (option) {
        case 's':
            t.seed = number("seed", optarg, 1);
            break;
        case 'r':
            t.rounds = (unsigned)number("rounds", optarg, 1);
            break;
        case 'm':
            t.smoke = true;
            break;
        case 'o':
            t.folder = optarg;
            break;
        case 'h':
            (void)fputs(usage, stdout);
            exit(0);
        default:
            (void)fputs(usage, stderr);
            exit(2);
        }
    }
    if (optind < count) {
        (void)fputs(usage, stderr);
        exit(2);
    }
    t.rounds = t.smoke ? 1 : t.rounds;
    return t;
}

int main(int count, char **arguments) {
    struct tables t = parse(count, arguments);
    if (t.folder != NULL) {
        char plots[4096];
        folder_make(t.folder);
        (void)snprintf(plots, sizeof plots, "%s/plots", t.folder);
        folder_make(plots);
        t.summary = folder_open(t.folder, "summary.md", "w");
    }
    crew_pin_caller();
    clock_calibrate();
    say(&t, "# Published and measured\n\nSeed %llu.\n\n", (unsigned long long)t.seed);
    if (t.smoke) {
        say(&t, "Small sizes, at which figures mean little.\n\n");
    }
    void (*const parts[])(struct tables *) = {tables_load,   tables_space, tables_removal,
                                              tables_bounds, tables_cost,  tables_latency};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        parts[i](&t);
        (void)fflush(stdout);
    }
    if (t.summary != NULL) {
        (void)fputs("## Made with\n\n", t.summary);
        machine_rows(t.summary);
        machine_load_row(t.summary);
        folder_close(t.summary);
    }
    if (t.broken > 0) {
        (void)fprintf(stderr, "guira_tables: %u claims do not hold\n", t.broken);
    }
    return t.broken > 0;
}
