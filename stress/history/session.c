#define _POSIX_C_SOURCE 200809L

#include "session.h"

#include "clock.h"
#include "excerpt.h"
#include "mix.h"
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

enum { LIFE_OPERATIONS = 12000 };

static double seconds_now(void) {
    return (double)read_clock() * 1e-9;
}

static void draw_violation(struct session *s, const struct history *h, const struct findings *f) {
    struct excerpt excerpt = excerpt_create(h, f, s->checker);
    struct timeline timeline = timeline_layout(&excerpt);
    timeline_print(&timeline, stdout);
    if (s->svg != NULL && s->violations == 0) {
        bool written = timeline_write_svg(&timeline, s->svg);
        (void)printf("%s %s\n", written ? "drawn in" : "cannot write", s->svg);
    }
    excerpt_destroy(&excerpt);
}

static void declare(struct session *s, const struct history *h) {
    if (s->lines != NULL) {
        lines_declare(s->lines, h);
    }
    if (s->edn.out != NULL) {
        edn_declare(&s->edn, h);
    }
    s->elements += h->elements;
}

static struct findings check(struct session *s, struct history *h) {
    if (s->lines != NULL) {
        lines_write(s->lines, h);
    }
    if (s->edn.out != NULL) {
        edn_write(&s->edn, h);
    }
    double start = seconds_now();
    struct findings f = history_check(h, s->checker);
    s->checking += seconds_now() - start;
    s->operations += h->operations;
    if (f.violated > 0) {
        draw_violation(s, h, &f);
    }
    s->violations += f.violated;
    s->undecided += f.undecided;
    return f;
}

void session_check(struct session *s, struct history *h) {
    declare(s, h);
    struct findings f = check(s, h);
    (void)printf("%llu operations on %zu elements, %zu windows, at most %zu pending and %zu "
                 "configurations: %s\n",
                 (unsigned long long)h->operations, h->elements, f.cuts, f.most_pending,
                 f.most_configurations,
                 f.violated > 0    ? "NOT linearizable"
                 : f.undecided > 0 ? "undecided"
                                   : "linearizable");
}

static struct history elements_of(const struct session *s, const struct mix *mix) {
    struct history h = {.elements = mix->keys.keys};
    h.element = allocate(h.elements, sizeof *h.element);
    for (size_t i = 0; i < h.elements; i++) {
        h.element[i] = (struct element_state){
            .number = s->elements + i, .capacity = mix->capacity, .possible = 1};
    }
    return h;
}

static bool create_filter(const struct session *s, const struct table_kind *kind,
                          struct team *team) {
    memset(team, 0, sizeof *team);
    team->scenario = "history";
    team->threads = s->threads;
    team->seed = s->seed;
    return team_create_filter(team, kind, false);
}

static void add_maxima(struct findings *all, const struct findings *f) {
    all->cuts += f->cuts;
    all->violated += f->violated;
    all->undecided += f->undecided;
    if (f->most_pending > all->most_pending) {
        all->most_pending = f->most_pending;
    }
    if (f->most_configurations > all->most_configurations) {
        all->most_configurations = f->most_configurations;
    }
}

/* What was recorded on one kind of table. */
struct record {
    struct findings all;
    uint64_t operations;
    uint64_t in_batches;
    uint64_t lives; /* of filters that grow, which begin anew */
    uint64_t growths;
};

static void report(const struct team *team, const struct record *record) {
    const struct findings *all = &record->all;
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    (void)printf("%-27s %9llu operations, %9llu in batches  load %.2f  %8llu moves  %7llu full  "
                 "%8zu windows  pending <= %-2zu configurations <= %-3zu %s\n",
                 team->table, (unsigned long long)record->operations,
                 (unsigned long long)record->in_batches, info.load, (unsigned long long)info.moves,
                 (unsigned long long)info.full_inserts, all->cuts, all->most_pending,
                 all->most_configurations,
                 all->violated > 0 || atomic_load(&team->violations) > 0 ? "FAILED"
                 : all->undecided > 0                                    ? "UNDECIDED"
                                                                         : "ok");
    if (record->lives > 1) {
        (void)printf("%28s%llu lives, %llu growths\n", "", (unsigned long long)record->lives,
                     (unsigned long long)record->growths);
    }
}

/* Record at most so many operations, and check them. How many they were. */
static uint64_t run_round(struct session *s, struct mix *mix, struct history *h, uint64_t most,
                          struct findings *all) {
    double start = seconds_now();
    mix_record(mix, most);
    s->recording += seconds_now() - start;
    h->operation = allocate(mix_recorded(mix), sizeof *h->operation);
    h->operations = mix_collect(mix, s->skew, h->operation);
    struct findings f = check(s, h);
    add_maxima(all, &f);
    if (f.violated > 0) {
        (void)printf("element %llu is x = %llu of the table %s\n",
                     (unsigned long long)h->element[f.element].number,
                     (unsigned long long)mix->keys.key[f.element].element, mix->team->table);
    }
    free(h->operation);
    h->operation = NULL;
    return h->operations;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/*
 * Rounds until the time is over or all operations are done. Operations of a batch have long
 * intervals, which excuse much, also in the others that overlap them; so every other round is
 * without batches, and there are at least two: each takes half of the operations at most, or a
 * third of the time, as checking needs some too.
 */
static void run_rounds(struct session *s, struct mix *mix, double seconds, uint64_t operations,
                       struct record *record) {
    struct history h = elements_of(s, mix);
    declare(s, &h);
    mix->team->seconds = seconds / 3;
    double last_start = seconds_now() + seconds - mix->team->seconds;
    uint64_t done = 0;
    for (uint64_t round = 0; record->all.violated == 0; round++) {
        bool time_is_over = seconds > 0 && round >= 2 && seconds_now() > last_start;
        if (time_is_over || (operations > 0 && done >= operations)) {
            break;
        }
        uint64_t most = s->round;
        if (operations > 0) {
            most = smaller(smaller(most, (operations + 1) / 2), operations - done);
        }
        mix->calls_per_batch = round % 2 == 0 ? s->calls_per_batch : 0;
        done += run_round(s, mix, &h, most, &record->all);
    }
    record->operations += done;
    record->in_batches += mix_in_batches(mix);
    history_free(&h);
}

/* A filter's life, from empty on. */
static void live(struct session *s, struct team *team, double load, double seconds,
                 uint64_t operations, struct record *record) {
    uint64_t room = operations > 0 ? smaller(s->round, operations) : s->round;
    struct mix mix = mix_create(team, s->hot, load, room);
    mix.disturbance = s->disturbance;
    run_rounds(s, &mix, seconds, operations, record);
    mix_destroy(&mix);
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    record->growths += info.sizing.doubled;
    record->lives++;
}

/* Lives of a filter that grows, so long each that it grows up, until the time is over or all
 * operations are done. */
static void live_again_and_again(struct session *s, const struct table_kind *kind,
                                 struct team *team, double seconds, uint64_t operations,
                                 struct record *record) {
    double end = seconds_now() + seconds;
    uint64_t seed = s->seed;
    bool more = true;
    while (more) {
        uint64_t left = operations > 0 ? operations - record->operations : LIFE_OPERATIONS;
        live(s, team, kind->load, 0, smaller(left, LIFE_OPERATIONS), record);
        bool time_is_over = seconds > 0 && seconds_now() > end;
        bool all_done = operations > 0 && record->operations >= operations;
        more = !time_is_over && !all_done && record->all.violated == 0 &&
               atomic_load(&team->violations) == 0;
        if (more) {
            guira_destroy(team->filter);
            s->seed++;
            more = create_filter(s, kind, team);
        }
    }
    s->seed = seed;
    REQUIRE(team, record->growths > 0, "it never grew: the run proves nothing");
}

void session_run(struct session *s, const struct table_kind *kind, double seconds,
                 uint64_t operations) {
    static struct team team; /* large, and one runs at a time */
    if (create_filter(s, kind, &team)) {
        struct record record = {0};
        if (kind->max_capacity > 0) {
            live_again_and_again(s, kind, &team, seconds, operations, &record);
        } else {
            live(s, &team, kind->load, seconds, operations, &record);
        }
        report(&team, &record);
        guira_destroy(team.filter);
    }
    s->violations += atomic_load(&team.violations);
}
