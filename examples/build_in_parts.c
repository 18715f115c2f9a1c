/*
 * Build one filter in several processes, as several machines would: each takes its share of the
 * lines of a file and sends its part through a pipe, and the parts are merged. Then the same filter
 * is built in one, to see that the two are equal.
 *
 *     build_in_parts FILE [PROCESSES]
 *
 * Parts fit together if they are made with the same options and the same seed.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

#include <guira/guira.h>

enum { MOST_PARTS = 64 };

struct lines {
    char **text;
    size_t count;
};

static void require(enum guira_status status, const char *what) {
    if (status != GUIRA_OK) {
        fprintf(stderr, "%s: %s\n", what, guira_status_text(status));
        exit(2);
    }
}

static void require_system(bool success, const char *what) {
    if (!success) {
        perror(what);
        exit(2);
    }
}

static struct lines read_lines(const char *path) {
    struct lines lines = {0};
    FILE *file = fopen(path, "r");
    require_system(file != NULL, path);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) >= 0) {
        if ((lines.count & (lines.count - 1)) == 0) { /* full, at each power of two */
            size_t more = lines.count == 0 ? 1 : 2 * lines.count;
            lines.text = realloc(lines.text, more * sizeof *lines.text);
            require_system(lines.text != NULL, "memory");
        }
        line[strcspn(line, "\r\n")] = '\0';
        lines.text[lines.count] = strdup(line);
        require_system(lines.text[lines.count++] != NULL, "memory");
    }
    free(line);
    require_system(!ferror(file) && fclose(file) == 0, path);
    return lines;
}

/* A filter with each parts-th line, from number `part` on; a line that repeats is there once. */
static struct guira *build(const struct guira_options *options, const struct lines *lines,
                           size_t part, size_t parts) {
    struct guira *filter = NULL;
    require(guira_create(options, &filter), "create");
    for (size_t i = part; i < lines->count; i += parts) {
        enum guira_status status =
            guira_insert_unique(filter, lines->text[i], strlen(lines->text[i]));
        if (status != GUIRA_EXISTS) {
            require(status, "insert");
        }
    }
    return filter;
}

/* Build a part and write it to a pipe. Ends with the process. */
static void send_part(const struct guira_options *options, const struct lines *lines, size_t part,
                      size_t parts, int to) {
    struct guira *filter = build(options, lines, part, parts);
    require(guira_save_fd(filter, NULL, to), "save");
    guira_destroy(filter);
    _exit(0);
}

/* Start a process for a part; from[part] is where it can be read, as those before it are. */
static void start(const struct guira_options *options, const struct lines *lines, size_t part,
                  size_t parts, int from[]) {
    int ends[2];
    require_system(pipe(ends) == 0, "pipe");
    pid_t child = fork();
    require_system(child >= 0, "fork");
    from[part] = ends[0];
    if (child == 0) {
        /* Only the parent reads. If it ends early, no pipe has a reader left, so that who writes to
         * one ends too, by SIGPIPE, and does not wait for ever. */
        for (size_t i = 0; i <= part; i++) {
            close(from[i]);
        }
        send_part(options, lines, part, parts, ends[1]);
    }
    close(ends[1]);
}

/* All parts in one filter. A process that fails leaves a part that does not load. */
static struct guira *build_in_parts(const struct guira_options *options, const struct lines *lines,
                                    size_t parts) {
    int from[MOST_PARTS];
    for (size_t i = 0; i < parts; i++) {
        start(options, lines, i, parts, from);
    }
    struct guira *all = NULL;
    require(guira_create(options, &all), "create");
    for (size_t i = 0; i < parts; i++) {
        struct guira *part = NULL;
        require(guira_load_fd(NULL, from[i], &part), "load");
        require(guira_merge_unique(all, part), "merge");
        printf("part %zu: %llu elements, %llu in all\n", i, (unsigned long long)guira_size(part),
               (unsigned long long)guira_size(all));
        guira_destroy(part);
        close(from[i]);
    }
    while (wait(NULL) > 0) {
    }
    return all;
}

int main(int argc, char **argv) {
    long parts = argc > 2 ? strtol(argv[2], NULL, 10) : 4;
    if (argc < 2 || argc > 3 || parts < 1 || parts > MOST_PARTS) {
        fprintf(stderr, "usage: build_in_parts FILE [1..%d PROCESSES]\n", MOST_PARTS);
        return 2;
    }
    struct lines lines = read_lines(argv[1]);
    struct guira_options options = {.capacity = lines.count, .false_positive_rate = 0.01};
    struct guira *whole = NULL;
    struct guira_info info;
    require(guira_create(&options, &whole), "create"); /* draws a seed, for all */
    require(guira_get_info(whole, &info), "info");
    options.seed = info.seed;
    guira_destroy(whole);

    struct guira *merged = build_in_parts(&options, &lines, (size_t)parts);
    whole = build(&options, &lines, 0, 1);
    /* Elements are only what the lines are, so equal sizes and no line missing is all. */
    bool equal = guira_size(merged) == guira_size(whole);
    for (size_t i = 0; i < lines.count; i++) {
        equal = equal && guira_contains(merged, lines.text[i], strlen(lines.text[i]));
        free(lines.text[i]);
    }
    free(lines.text);
    printf("%zu lines, %llu elements in one: %s\n", lines.count,
           (unsigned long long)guira_size(whole), equal ? "equal" : "NOT EQUAL");
    guira_destroy(merged);
    guira_destroy(whole);
    return equal ? 0 : 1;
}
