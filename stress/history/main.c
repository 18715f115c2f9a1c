/*
 * guira_history: record what threads call on crowded tables and hear, and check that it is
 * linearizable. See usage below.
 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <stdlib.h>
#include <time.h>

#include "../arguments.h"
#include "../team.h"
#include "clock.h"
#include "session.h"

#define TABLE(text, m, f, w, s, max, share)                                                        \
    {                                                                                              \
        .name = (text), .buckets = (m), .tag_bits = (f), .window = (w), .stripes = (s),            \
        .max_capacity = (max), .load = (share)                                                     \
    }

static const struct table_kind tables[] = {
    TABLE("64 slots, 16 stripes", 16, 16, 2, 16, 0, 0.75),
    TABLE("60 slots, 2 stripes", 12, 12, 2, 2, 0, 0.75),
    TABLE("600 slots, 1 stripe", 120, 12, 2, 1, 0, 0.80),
    TABLE("512 slots, 2 stripes", 128, 16, 4, 2, 0, 0.91),
    TABLE("2,100 slots, 4 stripes", 300, 9, 3, 4, 0, 0.90),
    TABLE("1,024 slots, 16 stripes", 512, 32, 2, 16, 0, 0.76),
    TABLE("8,000 slots, 64 stripes", 1000, 8, 8, 64, 0, 0.94),
    TABLE("100,000 slots, 256 stripes", 20000, 12, 4, 256, 0, 0.93),
    TABLE("64 to 2,048 slots, 16 str.", 16, 16, 2, 16, 1500, 0.75),
    TABLE("4 to 2,048 slots, 1 stripe", 2, 32, 2, 1, 1500, 0.70),
    TABLE("12 to 6,144 slots, 3 str.", 3, 16, 4, 3, 5000, 0.85),
};

enum {
    TABLES = sizeof tables / sizeof tables[0],
    MOST_HISTORY_THREADS = 64,
    MOST_CALLS_PER_BATCH = 1000
};

#define LEAST_LOAD 0.01

struct arguments {
    double seconds;      /* for all tables together; 0: no bound */
    uint64_t operations; /* the same */
    uint64_t threads;
    uint64_t seed;
    uint64_t hot;
    uint64_t round;
    uint64_t calls_per_batch;
    uint64_t disturbance;
    struct table_kind table; /* if it has buckets: this one only */
    const char *lines;
    const char *edn;
    const char *svg;
    const char *check;
    const char *program;
};

static int usage(void) {
    (void)fprintf(
        stderr,
        "usage: guira_history [options]       record and check\n"
        "       guira_history --check FILE    check a file that --export wrote\n"
        "\n"
        "  --seconds S      for all tables together (default 10)\n"
        "  --operations N   instead of seconds\n"
        "  --threads T      1 to %d (default 8)\n"
        "  --seed N         of keys, calls and tables (default: from the time)\n"
        "  --keys K         hot elements that half of the calls are for (default 16)\n"
        "  --round N        operations recorded before they are checked (default 2000000)\n"
        "  --batches N      one call in N is a batch, in every other round; 0: none (default 32)\n"
        "  --disturb N      microseconds between two held-up threads, 0 for none (default "
        "100)\n"
        "  --buckets N --tag-bits N --window N --stripes N --load X [--max-capacity N]\n"
        "                   one table of this geometry instead of several\n"
        "  --export FILE    write the history as lines\n"
        "  --edn FILE       write the history as EDN\n"
        "  --svg FILE       where to draw the first violation\n",
        MOST_HISTORY_THREADS);
    return 2;
}

static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
                                        {"operations", required_argument, NULL, 'o'},
                                        {"threads", required_argument, NULL, 't'},
                                        {"seed", required_argument, NULL, 'r'},
                                        {"keys", required_argument, NULL, 'k'},
                                        {"round", required_argument, NULL, 'n'},
                                        {"batches", required_argument, NULL, 'm'},
                                        {"disturb", required_argument, NULL, 'd'},
                                        {"buckets", required_argument, NULL, 'b'},
                                        {"tag-bits", required_argument, NULL, 'f'},
                                        {"window", required_argument, NULL, 'w'},
                                        {"stripes", required_argument, NULL, 'p'},
                                        {"max-capacity", required_argument, NULL, 'g'},
                                        {"load", required_argument, NULL, 'l'},
                                        {"export", required_argument, NULL, 'x'},
                                        {"edn", required_argument, NULL, 'e'},
                                        {"svg", required_argument, NULL, 'v'},
                                        {"check", required_argument, NULL, 'c'},
                                        {NULL, 0, NULL, 0}};

static bool take_file_option(int option, struct arguments *a) {
    const char **file = option == 'x'   ? &a->lines
                        : option == 'e' ? &a->edn
                        : option == 'v' ? &a->svg
                        : option == 'c' ? &a->check
                                        : NULL;
    if (file != NULL) {
        *file = optarg;
    }
    return file != NULL;
}

static bool take_option(int option, struct arguments *a) {
    switch (option) {
    case 's':
        a->seconds = real_argument("seconds", optarg, 0, 1e7);
        return true;
    case 'o':
        a->operations = whole_argument("operations", optarg, 1, UINT64_MAX);
        return true;
    case 't':
        a->threads = whole_argument("threads", optarg, 1, MOST_HISTORY_THREADS);
        return true;
    case 'r':
        a->seed = seed_argument(optarg);
        return true;
    case 'k':
        a->hot = whole_argument("keys", optarg, 1, 1u << 30);
        return true;
    case 'n':
        a->round = whole_argument("round", optarg, 1, UINT64_C(1) << 32);
        return true;
    case 'm':
        a->calls_per_batch = whole_argument("batches", optarg, 0, MOST_CALLS_PER_BATCH);
        return true;
    case 'd':
        a->disturbance = whole_argument("disturb", optarg, 0, 1000000);
        return true;
    case 'b':
        a->table.buckets = whole_argument("buckets", optarg, 1, UINT64_C(1) << 28);
        return true;
    case 'f':
        a->table.tag_bits = (uint32_t)whole_argument("tag-bits", optarg, 1, 64);
        return true;
    case 'w':
        a->table.window = (uint32_t)whole_argument("window", optarg, 1, MOST_COPIES / 2);
        return true;
    case 'p':
        a->table.stripes = (uint32_t)whole_argument("stripes", optarg, 0, GUIRA_MAX_STRIPES);
        return true;
    case 'g':
        a->table.max_capacity = whole_argument("max-capacity", optarg, 1, UINT64_C(1) << 32);
        return true;
    case 'l':
        a->table.load = real_argument("load", optarg, LEAST_LOAD, 1);
        return true;
    default:
        return take_file_option(option, a);
    }
}

static bool parse(int argc, char **argv, struct arguments *a) {
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (!take_option(option, a)) {
            return false;
        }
    }
    if (a->seconds <= 0 && a->operations == 0) {
        a->seconds = 10;
    }
    return optind == argc;
}

static void print_replay(const struct arguments *a) {
    (void)printf("replay: %s", a->program);
    if (a->operations > 0) {
        (void)printf(" --operations %llu", (unsigned long long)a->operations);
    }
    if (a->seconds > 0) {
        (void)printf(" --seconds %g", a->seconds);
    }
    (void)printf(
        " --threads %llu --seed %llu --keys %llu --round %llu --batches %llu --disturb %llu",
        (unsigned long long)a->threads, (unsigned long long)a->seed, (unsigned long long)a->hot,
        (unsigned long long)a->round, (unsigned long long)a->calls_per_batch,
        (unsigned long long)a->disturbance);
    if (a->table.buckets > 0) {
        (void)printf(" --buckets %llu --tag-bits %u --window %u --stripes %u --load %g",
                     (unsigned long long)a->table.buckets, a->table.tag_bits, a->table.window,
                     a->table.stripes, a->table.load);
    }
    if (a->table.max_capacity > 0) {
        (void)printf(" --max-capacity %llu", (unsigned long long)a->table.max_capacity);
    }
    (void)printf("\n");
}

static FILE *open_file(const char *name, const char *mode) {
    FILE *file = fopen(name, mode);
    if (file == NULL) {
        perror(name);
        exit(2);
    }
    return file;
}

static void close_file(FILE *file, const char *name) {
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        (void)fprintf(stderr, "%s: could not be written\n", name);
        exit(2);
    }
}

static void run_tables(struct session *s, const struct arguments *a) {
    print_replay(a);
    s->skew = clock_skew();
    (void)printf("clocks of different processors disagree by %llu ns at most\n",
                 (unsigned long long)s->skew);
    const struct table_kind *kind = a->table.buckets > 0 ? &a->table : tables;
    unsigned kinds = a->table.buckets > 0 ? 1 : TABLES;
    for (unsigned i = 0; i < kinds; i++) {
        uint64_t operations = a->operations / kinds + (i < a->operations % kinds);
        if (a->operations == 0 || operations > 0) {
            session_run(s, &kind[i], a->seconds / kinds, operations);
        }
    }
    (void)printf("%llu operations: recorded in %.1f s, %.1f million a second; checked in %.1f s, "
                 "%.1f million a second\n",
                 (unsigned long long)s->operations, s->recording,
                 (double)s->operations / s->recording * 1e-6, s->checking,
                 (double)s->operations / s->checking * 1e-6);
}

static void check_file(struct session *s, const char *name) {
    FILE *in = open_file(name, "r");
    struct history history;
    bool readable = lines_read(in, name, &history);
    (void)fclose(in);
    if (!readable) {
        exit(2);
    }
    session_check(s, &history);
    history_free(&history);
}

int main(int argc, char **argv) {
    struct arguments a = {.program = argv[0],
                          .threads = 8,
                          .seed = (uint64_t)time(NULL),
                          .hot = 16,
                          .round = 2000000,
                          .calls_per_batch = 32, /* so that half of the operations are in batches */
                          .disturbance = 100,
                          .table = {.name = "chosen", .tag_bits = 12, .window = 2, .load = 0.9}};
    if (!parse(argc, argv, &a)) {
        return usage();
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    struct session s = {.threads = (unsigned)a.threads,
                        .seed = a.seed,
                        .hot = a.hot,
                        .round = a.round,
                        .calls_per_batch = a.calls_per_batch,
                        .disturbance = (unsigned)a.disturbance,
                        .svg = a.svg,
                        .checker = checker_create()};
    if (a.lines != NULL) {
        s.lines = open_file(a.lines, "w");
        lines_begin(s.lines);
    }
    if (a.edn != NULL) {
        s.edn.out = open_file(a.edn, "w");
    }
    if (a.check != NULL) {
        check_file(&s, a.check);
    } else {
        run_tables(&s, &a);
    }
    checker_destroy(s.checker);
    if (s.lines != NULL) {
        close_file(s.lines, a.lines);
    }
    if (s.edn.out != NULL) {
        close_file(s.edn.out, a.edn);
    }
    (void)printf("%s: %llu violations%s\n", s.violations == 0 ? "PASS" : "FAIL",
                 (unsigned long long)s.violations, s.undecided > 0 ? ", some undecided" : "");
    return s.violations > 0 ? 1 : s.undecided > 0 ? 2 : 0;
}
