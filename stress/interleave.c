/*
 * guira_interleave: operations of several threads, interleaved step by step as a seed decides.
 *
 * The library is built with hooks (lib/hook.h) between the steps of its operations. One thread runs
 * at a time and may hand over at each of them (baton.h), so another takes the hole that a search
 * has found, moves or removes an entry of its path, moves the element that a reader is between two
 * steps of looking for, always at exactly that point. Filters that grow begin anew, small, all the
 * time, so that a view is old, or a table is on its way to the next, at any of those points.
 *
 * The oracle: an operation's answer must be right for some number of copies that its element can
 * have had while the operation was under way.
 *
 *     guira_interleave [--seed N] [--rounds R]
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "baton.h"
#include "growths.h"
#include "oracle.h"

enum {
    OPERATIONS = 60,      /* of a thread between two comparisons of the whole table */
    ROUNDS_OF_A_LIFE = 3, /* of a filter that grows, which does not shrink by itself */
    ONE_IN_WISHES = 200   /* operations on one is a guira_reserve or guira_shrink */
};

struct setting {
    struct guira_options options;
    bool crowded; /* else few keys, so that all have room, and FULL is wrong */
    bool unique;  /* only insert_unique, so never two copies of a key */
};

/* An operation under way, and what the copies of its key can have been since it began. */
struct span {
    struct owned_key *key;
    int change; /* what it adds to the copies if it succeeds */
    int least;
    int most;
    uint64_t step; /* that it began at */
    struct span *next;
};

/* What was done while a filter grew. */
struct beside {
    uint64_t growths;
    uint64_t look_ups;
    uint64_t changes;
};

/* The thread that has the baton owns all of this. */
static struct team team;
static struct worker chance;
static struct oracle oracle;
static const struct setting *setting;
static int most_copies;
static struct beside beside;
static struct span *under_way;

/* Take note that the key has so many copies now. Other operations on the same key may or may not
 * have taken effect already, though they have not answered. */
static void note_copies(struct span *s) {
    int least = (int)s->key->copies;
    int most = least;
    for (const struct span *o = under_way; o != NULL; o = o->next) {
        if (o != s && o->key == s->key) {
            least += o->change < 0 ? o->change : 0;
            most += o->change > 0 ? o->change : 0;
        }
    }
    REQUIRE(&team, !setting->unique || least < 2, "%d copies were inserted uniquely", least);
    s->least = least < s->least ? least : s->least;
    s->most = most > s->most ? most : s->most;
}

static void note_copies_of(const struct owned_key *key) {
    for (struct span *s = under_way; s != NULL; s = s->next) {
        if (s->key == key) {
            note_copies(s);
        }
    }
}

static void begin(struct span *s) {
    s->next = under_way;
    s->step = step_now(team.filter);
    under_way = s;
    note_copies_of(s->key);
}

static void end(struct span *s, bool changed) {
    struct span **link = &under_way;
    while (*link != s) {
        link = &(*link)->next;
    }
    *link = s->next;
    if (changed) {
        s->key->copies = (unsigned)((int)s->key->copies + s->change);
    }
    note_copies_of(s->key);
    if (beside_growth(s->step, step_now(team.filter))) {
        beside.look_ups += s->change == 0;
        beside.changes += s->change != 0;
    }
}

static bool contains(struct span *s) {
    bool there = guira_contains_uniform(team.filter, s->key->hash);
    REQUIRE(&team, there ? s->most > 0 : s->least <= 0, "contains is %d at %d to %d copies", there,
            s->least, s->most);
    return false;
}

static bool count(struct span *s) {
    int copies = (int)guira_count_uniform(team.filter, s->key->hash);
    REQUIRE(&team, copies >= s->least && copies <= s->most, "count is %d at %d to %d copies",
            copies, s->least, s->most);
    return false;
}

static bool insert(struct span *s) {
    enum guira_status status = guira_insert_uniform(team.filter, s->key->hash);
    bool right = status == GUIRA_OK      ? s->least < most_copies
                 : status == GUIRA_LIMIT ? s->most >= most_copies
                                         : status == GUIRA_FULL && setting->crowded;
    REQUIRE(&team, right, "insert at %d to %d copies: %s", s->least, s->most,
            guira_status_text(status));
    return status == GUIRA_OK;
}

static bool insert_unique(struct span *s) {
    enum guira_status status = guira_insert_unique_uniform(team.filter, s->key->hash);
    bool right = status == GUIRA_OK       ? s->least <= 0
                 : status == GUIRA_EXISTS ? s->most > 0
                                          : status == GUIRA_FULL && setting->crowded;
    REQUIRE(&team, right, "insert_unique at %d to %d copies: %s", s->least, s->most,
            guira_status_text(status));
    return status == GUIRA_OK;
}

static bool remove_copy(struct span *s) {
    enum guira_status status = guira_remove_uniform(team.filter, s->key->hash);
    bool right = status == GUIRA_OK ? s->most > 0 : status == GUIRA_NOT_FOUND && s->least <= 0;
    REQUIRE(&team, right, "remove at %d to %d copies: %s", s->least, s->most,
            guira_status_text(status));
    return status == GUIRA_OK;
}

struct call {
    bool (*run)(struct span *);
    int change;
};

static void operate(void) {
    static const struct call busy[] = {{contains, 0}, {count, 0},         {insert, 1},
                                       {insert, 1},   {insert_unique, 1}, {remove_copy, -1}};
    static const struct call distinct[] = {{contains, 0}, {insert_unique, 1}, {remove_copy, -1}};
    const struct call *call =
        setting->unique ? &distinct[random_below(&chance, 3)] : &busy[random_below(&chance, 6)];
    /* Every other operation is on one of a few keys, so that they meet. */
    uint64_t keys = random_below(&chance, 2) == 0 ? 3 : oracle.keys;
    struct owned_key *key = &oracle.key[random_below(&chance, keys)];
    struct span span = {.key = key, .change = call->change, .least = INT_MAX, .most = INT_MIN};
    begin(&span);
    end(&span, call->run(&span));
}

static void wish(void) {
    uint64_t items = random_below(&chance, guira_capacity(team.filter) + 1);
    enum guira_status status = random_below(&chance, 2) == 0 ? guira_reserve(team.filter, items)
                                                             : guira_shrink(team.filter);
    REQUIRE(&team, status == GUIRA_OK, "reserve or shrink: %s", guira_status_text(status));
}

static void operate_on(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < OPERATIONS && atomic_load(&team.violations) == 0; i++) {
        if (setting->options.max_capacity > 0 && random_below(&chance, ONE_IN_WISHES) == 0) {
            wish();
        } else {
            operate();
        }
    }
}

/* A filter of the setting, empty, in place of the one before; keys keep their elements. */
static bool begin_life(uint64_t seed) {
    struct guira_options options = setting->options;
    options.seed = seed;
    guira_destroy(team.filter);
    team.filter = NULL;
    REQUIRE(&team, guira_create(&options, &team.filter) == GUIRA_OK, "cannot create");
    return team.filter != NULL;
}

static bool begin_next_life(uint64_t seed) {
    beside.growths += growths_by(step_now(team.filter));
    for (uint64_t i = 0; i < oracle.keys; i++) {
        oracle.key[i].copies = 0;
    }
    return begin_life(seed);
}

static void live(uint64_t seed, uint64_t rounds) {
    bool grows = team.filter->growth != NULL;
    for (uint64_t i = 0; i < rounds && atomic_load(&team.violations) == 0; i++) {
        if (grows && i > 0 && i % ROUNDS_OF_A_LIFE == 0 && !begin_next_life(seed + i)) {
            return;
        }
        baton_run(&chance, 1 + random_below(&chance, 6), operate_on, NULL);
        oracle_compare(&oracle, &team);
    }
    beside.growths += growths_by(step_now(team.filter));
    REQUIRE(&team, !grows || (beside.growths > 0 && beside.look_ups > 0 && beside.changes > 0),
            "nothing was beside a growth: the run proves nothing");
}

/* Of keys inserted uniquely half are there at a time, of others more copies than keys. */
static uint64_t keys_for(uint64_t slots) {
    return setting->crowded && setting->unique ? slots * 2 : slots * 5 / 4;
}

static void report(void) {
    struct guira_info info;
    (void)guira_get_info(team.filter, &info);
    (void)printf("%-52s load %.2f  %7" PRIu64 " moves  %6" PRIu64 " lost races  %6" PRIu64
                 " retries  %s\n",
                 team.table, info.load, info.moves, info.lost_races, info.reader_retries,
                 atomic_load(&team.violations) == 0 ? "ok" : "FAILED");
    if (beside.growths > 0) {
        (void)printf("    %" PRIu64 " growths, beside them %" PRIu64 " look-ups, %" PRIu64
                     " changes\n",
                     beside.growths, beside.look_ups, beside.changes);
    }
}

static uint64_t torture(const struct setting *kind, uint64_t seed, uint64_t rounds) {
    memset(&team, 0, sizeof team);
    char table[80];
    (void)snprintf(table, sizeof table, "%" PRIu64 " buckets%s, %u bits, window %u, %u stripes%s",
                   kind->options.buckets, kind->options.max_capacity > 0 ? " and more" : "",
                   kind->options.tag_bits, kind->options.window, kind->options.stripes,
                   kind->unique ? ", unique" : "");
    team.scenario = "interleave";
    team.table = table;
    setting = kind;
    beside = (struct beside){0};
    if (!begin_life(seed)) {
        return 1;
    }
    chance = (struct worker){.random = seed};
    oracle = oracle_create(team.filter, keys_for(most_slots(team.filter)), seed);
    most_copies = 2 * (int)kind->options.window;
    live(seed, rounds);
    if (team.filter != NULL) {
        report();
    }
    oracle_destroy(&oracle);
    guira_destroy(team.filter);
    return atomic_load(&team.violations);
}

static const struct setting tables[] = {
    {{.buckets = 2, .tag_bits = 12, .window = 2, .stripes = 1}, true, false},
    {{.buckets = 3, .tag_bits = 16, .window = 4, .stripes = 3}, true, false},
    {{.buckets = 5, .tag_bits = 9, .window = 3, .stripes = 2}, true, false},
    {{.buckets = 8, .tag_bits = 32, .window = 1, .stripes = 8}, true, false},
    {{.buckets = 16, .tag_bits = 32, .window = 2, .stripes = 16}, true, false},
    {{.buckets = 16, .tag_bits = 32, .window = 2, .stripes = 4}, true, false},
    {{.buckets = 16, .tag_bits = 21, .window = 3, .stripes = 16}, true, true},
    {{.buckets = 64, .tag_bits = 21, .window = 2, .stripes = 32}, false, true},
    {{.buckets = 2, .tag_bits = 12, .window = 2, .stripes = 1, .max_capacity = 200}, true, false},
    {{.buckets = 3, .tag_bits = 16, .window = 4, .stripes = 3, .max_capacity = 150}, true, false},
    {{.buckets = 16, .tag_bits = 32, .window = 2, .stripes = 16, .max_capacity = 150}, true, false},
    {{.buckets = 4, .tag_bits = 21, .window = 3, .stripes = 4, .max_capacity = 150}, true, true},
    {{.buckets = 16, .tag_bits = 32, .window = 2, .stripes = 8, .max_capacity = 390}, false, true},
};

static bool all_hooks_passed(void) {
    for (size_t i = 0; i < HOOK_KINDS; i++) {
        if (baton_passed[i] == 0) {
            (void)fprintf(stderr, "hook %zu was never passed: the run proves little\n", i);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    uint64_t rounds = 40;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
            seed = seed_argument(argv[i + 1]);
        } else if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0) {
            rounds = whole_argument("rounds", argv[i + 1], 1, UINT32_MAX);
        } else {
            (void)fprintf(stderr, "usage: guira_interleave [--seed N] [--rounds R]\n");
            return 2;
        }
    }
    (void)printf("replay: guira_interleave --seed %" PRIu64 " --rounds %" PRIu64 "\n", seed,
                 rounds);
    uint64_t violations = 0;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        violations += torture(&tables[i], seed + i, rounds);
    }
    violations += !all_hooks_passed();
    (void)printf("%s: %" PRIu64 " violations\n", violations == 0 ? "PASS" : "FAIL", violations);
    return violations == 0 ? 0 : 1;
}
