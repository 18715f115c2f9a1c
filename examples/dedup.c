/*
 * Pass on each line of the input once: many threads, one filter, and no list of lines.
 *
 *     dedup [THREADS] [MOST] <LINES >DISTINCT_LINES
 *     dedup --check FILE [THREADS] [MOST]
 *
 * Room is made for MOST different lines, a thousand million if it is not given, as they come; lines
 * past that are passed on, known or not. The order of lines is that in which threads are done.
 *
 * Of threads that ask guira_insert_unique for one line at the same time exactly one hears that it
 * is new. A new line that shares its element with another is taken for a repetition and lost: a
 * false duplicate. How many that were is estimated, and printed at the end.
 *
 * With --check the lines that were passed on are compared with the file: all are from there, none
 * is there twice but for want of room, and no more are missing than chance allows; the status is 1
 * if that is not so.
 */
#define _POSIX_C_SOURCE 200809L /* getline */

#include <math.h>
#include <string.h>

#include <sys/types.h>

#include "threads.h"

enum { FIRST_CAPACITY = 1000, DEFAULT_MOST = 1000000000 };

#define RATE 0.0001

struct worker {
    struct guira *filter;
    FILE *in;
    FILE *out;
    uint64_t lines;
    uint64_t passed;
    uint64_t unsure; /* passed on although the filter had no room to remember them */
};

/* The last line may have no newline; it is one nevertheless. */
static ssize_t read_line(char **line, size_t *size, FILE *in) {
    ssize_t length = getline(line, size, in); /* stdio locks the stream, here and below */
    if (length > 0 && (*line)[length - 1] == '\n') {
        (*line)[--length] = '\0';
    }
    return length;
}

static void *pass_new_lines(void *context) {
    struct worker *w = context;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = read_line(&line, &size, w->in)) >= 0) {
        enum guira_status status = guira_insert_unique(w->filter, line, (size_t)length);
        w->lines++;
        if (status == GUIRA_EXISTS) {
            continue;
        }
        w->unsure += status != GUIRA_OK; /* rather a line twice than one lost */
        w->passed++;
        line[length] = '\n'; /* in place of the 0 */
        require(fwrite(line, 1, (size_t)length + 1, w->out) == (size_t)length + 1, "write");
    }
    free(line);
    return NULL;
}

/* The i-th new line is lost with chance i / U, and so of n some n * n / (2 U) in all; of those that
 * came when the filter was full, and were unsure, each with chance n / U. */
static double expected_losses(const struct guira *filter, uint64_t unsure) {
    struct guira_info info;
    require_ok(guira_get_info(filter, &info), "ask the filter");
    double items = (double)info.items;
    return items * (items / 2 + (double)unsure) / (double)info.sizing.universe;
}

struct outcome {
    double losses; /* false duplicates that are to be expected */
    uint64_t unsure;
};

static struct outcome deduplicate(FILE *in, FILE *out, unsigned threads, uint64_t most) {
    struct guira_options options = {
        .capacity = FIRST_CAPACITY, .max_capacity = most, .false_positive_rate = RATE};
    struct worker worker[MOST_THREADS];
    struct worker sum = {.in = in, .out = out};
    require_ok(guira_create(&options, &sum.filter), "create the filter");
    for (unsigned i = 0; i < threads; i++) {
        worker[i] = sum;
    }
    run_threads(threads, pass_new_lines, worker, sizeof *worker);
    require(!ferror(in), "read");
    require(fflush(out) == 0, "write");
    for (unsigned i = 0; i < threads; i++) {
        sum.lines += worker[i].lines;
        sum.passed += worker[i].passed;
        sum.unsure += worker[i].unsure;
    }
    double losses = expected_losses(sum.filter, sum.unsure);
    fprintf(stderr, "%llu lines, %llu passed on, %llu of them unsure; %.2g more lost by chance\n",
            (unsigned long long)sum.lines, (unsigned long long)sum.passed,
            (unsigned long long)sum.unsure, losses);
    guira_destroy(sum.filter);
    return (struct outcome){losses, sum.unsure};
}

/* ---- The check ------------------------------------------------------------------------------- */

struct lines {
    char **line;
    size_t count;
};

static int compare(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* All lines of a file, from its beginning, in order. */
static struct lines sorted_lines(FILE *in) {
    struct lines all = {NULL, 0};
    size_t room = 0;
    char *line = NULL;
    size_t size = 0;
    rewind(in);
    while (read_line(&line, &size, in) >= 0) {
        if (all.count == room) {
            room = 2 * room + 1024;
            all.line = realloc(all.line, room * sizeof *all.line);
            require(all.line != NULL, "get memory");
        }
        all.line[all.count++] = strdup(line);
        require(all.line[all.count - 1] != NULL, "get memory");
    }
    free(line);
    if (all.count > 0) {
        qsort(all.line, all.count, sizeof *all.line, compare);
    }
    return all;
}

static void drop(struct lines *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->line[i]);
    }
    free(all->line);
}

static bool is_repetition(const struct lines *all, size_t i) {
    return i > 0 && strcmp(all->line[i - 1], all->line[i]) == 0;
}

/* Both are sorted, so one pass tells. */
static bool judge(const struct lines *given, const struct lines *passed,
                  const struct outcome *outcome) {
    size_t twice = 0;
    size_t lost = 0;
    size_t next = 0; /* of what was passed on */
    for (size_t i = 0; i < given->count; i++) {
        if (is_repetition(given, i)) {
            continue;
        }
        size_t first = next;
        while (next < passed->count && strcmp(passed->line[next], given->line[i]) == 0) {
            twice += is_repetition(passed, next);
            next++;
        }
        lost += next == first;
    }
    double losses = outcome->losses;
    size_t foreign = passed->count - next;
    printf("passed on twice %zu, from nowhere %zu, false duplicates %zu (%.2g expected)\n", twice,
           foreign, lost, losses);
    return twice <= outcome->unsure && foreign == 0 &&
           (double)lost <= losses + 6 * sqrt(losses) + 6;
}

static int check(const char *path, unsigned threads, uint64_t most) {
    FILE *in = fopen(path, "r");
    FILE *out = tmpfile();
    require(in != NULL && out != NULL, "open the files");
    struct outcome outcome = deduplicate(in, out, threads, most);
    struct lines given = sorted_lines(in);
    struct lines passed = sorted_lines(out);
    bool good = judge(&given, &passed, &outcome);
    drop(&given);
    drop(&passed);
    (void)fclose(in);
    (void)fclose(out);
    return good ? 0 : 1;
}

int main(int argc, char **argv) {
    bool checks = argc > 2 && strcmp(argv[1], "--check") == 0;
    int next = checks ? 3 : 1;
    uint64_t threads = number_or(argv, next, argc, 4);
    uint64_t most = number_or(argv, next + 1, argc, DEFAULT_MOST);
    if (argc > next + 2 || threads < 1 || threads > MOST_THREADS || most < FIRST_CAPACITY) {
        fprintf(stderr,
                "usage: dedup [1..%d THREADS] [MOST], or dedup --check FILE [THREADS] [MOST];"
                " MOST %d or more\n",
                MOST_THREADS, FIRST_CAPACITY);
        return COULD_NOT_RUN;
    }
    if (checks) {
        return check(argv[2], (unsigned)threads, most);
    }
    (void)deduplicate(stdin, stdout, (unsigned)threads, most);
    return 0;
}
