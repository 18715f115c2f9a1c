#include "settings.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "errors.h"
#include "numbers.h"

#define MOST_THREADS 1024u

static const struct option all_options[] = {
    {"absent", no_argument, NULL, 'a'},       {"all", no_argument, NULL, 'A'},
    {"count", no_argument, NULL, 'c'},        {"force", no_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},         {"threads", required_argument, NULL, 'j'},
    {"json", no_argument, NULL, 'J'},         {"copies", no_argument, NULL, 'k'},
    {"like", required_argument, NULL, 'l'},   {"max-capacity", required_argument, NULL, 'm'},
    {"map", no_argument, NULL, 'M'},          {"capacity", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'}, {"rate", required_argument, NULL, 'p'},
    {"quiet", no_argument, NULL, 'q'},        {"seed", required_argument, NULL, 's'},
    {"verbose", no_argument, NULL, 'v'},      {"null", no_argument, NULL, 'z'},
};
enum { OPTIONS = sizeof all_options / sizeof *all_options };

/* Those of a command, up to an entry of zeros. */
static void choose_options(const char *letters, struct option chosen[OPTIONS + 1]) {
    size_t count = 0;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (strchr(letters, all_options[i].val) != NULL) {
            chosen[count++] = all_options[i];
        }
    }
    memset(&chosen[count], 0, sizeof chosen[count]);
}

__attribute__((noreturn)) static void refuse(const struct settings *s) {
    fail("try 'guira %s --help'", s->command->name);
}

static void read_threads(const char *text, struct settings *s) {
    uint64_t number;
    if (!read_number(text, &number) || number < 1 || number > MOST_THREADS) {
        complain("'%s' is no number of threads: give one from 1 to %u", text, MOST_THREADS);
        refuse(s);
    }
    s->threads = (unsigned)number;
}

static void read_count(const char *text, const char *option, uint64_t *out,
                       const struct settings *s) {
    if (!read_number(text, out) || *out == 0) {
        complain("'%s' is no %s: give a number such as 10000000 or 10M", text, option);
        refuse(s);
    }
}

static void read_valued(int letter, const char *value, struct settings *s) {
    switch (letter) {
    case 'j':
        read_threads(value, s);
        break;
    case 'l':
        s->like = value;
        break;
    case 'm':
        read_count(value, "maximum capacity", &s->max_capacity, s);
        break;
    case 'n':
        read_count(value, "capacity", &s->capacity, s);
        break;
    case 'o':
        s->output = value;
        break;
    case 'p':
        if (!read_rate(value, &s->rate)) {
            complain("'%s' is no rate: give one above 0 and below 1, such as 0.01 or 1%%", value);
            refuse(s);
        }
        break;
    default:
        if (!read_seed(value, &s->seed) || s->seed == 0) {
            complain("'%s' is no seed: give a number from 1 to 2^64 - 1", value);
            refuse(s);
        }
    }
}

static void read_option(int letter, struct settings *s) {
    switch (letter) {
    case 'a':
        s->absent = true;
        break;
    case 'A':
        s->all = true;
        break;
    case 'c':
        s->count = true;
        break;
    case 'f':
        s->force = true;
        break;
    case 'h':
        (void)fputs(s->command->help, stdout);
        finish_output();
        exit(ENDED_WELL); // NOLINT(concurrency-mt-unsafe): no thread was started
    case 'J':
        s->json = true;
        break;
    case 'k':
        s->copies = true;
        break;
    case 'M':
        s->map = true;
        break;
    case 'q':
        s->quiet = true;
        break;
    case 'v':
        s->verbose = true;
        break;
    case 'z':
        s->delimiter = '\0';
        break;
    case '?':
        refuse(s); /* getopt_long has said what is wrong */
    default:
        read_valued(letter, optarg, s);
    }
}

static unsigned processors(void) {
    long number = sysconf(_SC_NPROCESSORS_ONLN);
    return number < 1 ? 1 : number > (long)MOST_THREADS ? MOST_THREADS : (unsigned)number;
}

void read_settings(const struct command *command, int argc, char **argv, struct settings *out) {
    struct option chosen[OPTIONS + 1];
    choose_options(command->letters, chosen);
    *out = (struct settings){.command = command, .delimiter = '\n'};
    int letter;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread was started
    while ((letter = getopt_long(argc, argv, command->letters, chosen, NULL)) != -1) {
        read_option(letter, out);
    }
    if (out->threads == 0) {
        out->threads = processors();
    }
    out->operands = argv + optind;
    out->operand_count = argc - optind;
    if (out->operand_count < command->least) {
        complain("%s", strcmp(command->name, "size") == 0 ? "how many keys?" : "which file?");
        refuse(out);
    }
    if (out->operand_count > command->most) {
        complain("'%s' is one operand too many", out->operands[command->most]);
        refuse(out);
    }
}

char **key_files(const struct settings *settings, int first) {
    static char input[] = "-";
    static char *only_input[] = {input, NULL};
    return settings->operand_count > first ? settings->operands + first : only_input;
}
