#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"
#include "state.h"
#include "view_now.h"

enum { MOST_NESTED = 2 };

static const char *const hook_names[HOOK_KINDS] = {
    [HOOK_COUNTERS_READ] = "COUNTERS_READ", [HOOK_HOME_READ] = "HOME_READ",
    [HOOK_WORDS_READ] = "WORDS_READ",       [HOOK_SLOT_CHOSEN] = "SLOT_CHOSEN",
    [HOOK_PATH_FOUND] = "PATH_FOUND",       [HOOK_LOCKED] = "LOCKED",
    [HOOK_MOVE_FILLED] = "MOVE_FILLED",     [HOOK_ANNOUNCED] = "ANNOUNCED",
    [HOOK_MOVE_DONE] = "MOVE_DONE",         [HOOK_WAITING] = "WAITING",
    [HOOK_UNLOCKING] = "UNLOCKING",         [HOOK_VIEW_READ] = "VIEW_READ",
    [HOOK_VIEW_CHANGES] = "VIEW_CHANGES",
};

static const char *const call_names[] = {
    [CALL_CONTAINS] = "contains",
    [CALL_INSERT] = "insert",
    [CALL_REMOVE] = "remove",
};

struct running {
    unsigned number; /* in the scene */
    enum call call;
    uint64_t hash;
    struct view view;    /* that it works under, as far as it has told */
    unsigned words_read; /* in this look */
    enum hook told;      /* the last one */
};

static struct {
    struct guira *filter;
    bool silent;
    struct state last;
    const char *key[MOST_KEYS];
    unsigned keys;
    unsigned calls;
    struct running running[MOST_NESTED];
    unsigned depth;
    struct {
        bool wanted;
        enum hook at;
        enum call call;
        const char *key;
        unsigned answer;
    } meanwhile;
} scene;

static bool first_scene = true;

void give_up(const char *why) {
    (void)fprintf(stderr, "guira_record: %s\n", why);
    exit(2);
}

const struct table *table_filled(const struct guira *f) {
    return view_unhooked(f).to;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static uint64_t hash_of(const char *key) {
    return guira_hash(scene.filter, key, strlen(key));
}

static uint64_t number_of(const char *key) {
    const struct geometry *g = &table_of_level(scene.filter, 0)->geometry;
    return element_number(g, element_of_hash(g, hash_of(key)));
}

static void add_key(const char *key) {
    for (unsigned i = 0; i < scene.keys; i++) {
        if (strcmp(scene.key[i], key) == 0) {
            return;
        }
    }
    if (scene.keys == MOST_KEYS) {
        give_up("too many keys");
    }
    scene.key[scene.keys++] = key;
}

const char *key_of_element(uint64_t number) {
    for (unsigned i = 0; i < scene.keys; i++) {
        if (number_of(scene.key[i]) == number) {
            return scene.key[i];
        }
    }
    return NULL;
}

/* Its element, and for each level both places, bucket and lane, and the fingerprint. */
static void print_key(const char *key) {
    uint64_t number = number_of(key);
    (void)printf("{\"key\":\"%s\",\"x\":%" PRIu64 ",\"at\":[", key, number);
    for (uint32_t level = 0; level < levels_of(scene.filter); level++) {
        const struct geometry *g = &table_of_level(scene.filter, level)->geometry;
        struct element e = element_in(g, number);
        struct place away = place_of(g, e, 1);
        (void)printf("%s[%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 "]",
                     level > 0 ? "," : "", e.home.bucket, e.home.lane, away.bucket, away.lane,
                     e.fingerprint);
    }
    (void)printf("]}");
}

/* ---- What a call looks at -------------------------------------------------------------------- */

static struct running *current(void) {
    return &scene.running[scene.depth - 1];
}

/* A set of slots of one bucket; returns the separator for what follows. */
static const char *print_slots(const struct table *t, uint64_t bucket, uint64_t set,
                               const char *separator) {
    for (; set != 0; set &= set - 1) {
        (void)printf("%s[%" PRIu32 ",%" PRIu64 ",%u]", separator, level_of(scene.filter, t), bucket,
                     lowest_bit(set) / t->geometry.shape.tag_bits);
        separator = ",";
    }
    return separator;
}

static uint64_t matches_at(const struct table *t, const struct candidates *c, unsigned side) {
    return matching_slots(&t->geometry, search_word(t, c->bucket[side]), c->pattern[side]);
}

/* That the words of an element on some sides were read, and the slots in them that match. */
static void print_reads(const struct table *t, const struct candidates *c, unsigned first,
                        unsigned last) {
    const char *separator = ",\"reads\":[";
    for (unsigned side = first; side <= last; side++) {
        (void)printf("%s[%" PRIu32 ",%" PRIu64 "]", separator, level_of(scene.filter, t),
                     c->bucket[side]);
        separator = ",";
    }
    (void)printf("],\"match\":[");
    separator = "";
    for (unsigned side = first; side <= last; side++) {
        separator = print_slots(t, c->bucket[side], matches_at(t, c, side), separator);
    }
    (void)printf("]");
}

static void print_words_read(struct running *r, const struct sites *s) {
    if (r->view.from == NULL) {
        print_reads(r->view.to, &s->now, 1, 1);
    } else if (r->words_read++ == 0) {
        print_reads(r->view.from, &s->before, 0, 1);
    } else {
        print_reads(r->view.to, &s->now, 0, 1);
    }
}

/* The stripes whose counters a look reads. */
static void print_stripes(const struct view *v, const struct sites *s) {
    struct stripe_set set = stripes_at(v, s);
    (void)printf(",\"stripes\":[");
    for (uint32_t i = 0; i < set.size; i++) {
        (void)printf("%s%" PRIu32, i > 0 ? "," : "", set.stripe[i]);
    }
    (void)printf("]");
}

/* The slot that a call has in mind before it has locked: the lowest that serves, at home if any. */
static void print_chosen(const struct running *r, const struct candidates *c) {
    const struct table *t = r->view.to;
    const struct geometry *g = &t->geometry;
    uint64_t set = 0;
    unsigned side = 0;
    for (unsigned i = 0; i < 2 && set == 0; i++) {
        side = i;
        set = r->call == CALL_INSERT ? empty_slots(g, search_word(t, c->bucket[i]), c->pattern[i])
                                     : matches_at(t, c, i);
    }
    (void)printf(",\"chosen\":[");
    (void)print_slots(t, c->bucket[side], set & (~set + 1), "");
    (void)printf("]");
}

static void print_look(enum hook point, struct running *r) {
    struct sites s = sites_of(&r->view, r->hash);
    switch (point) {
    case HOOK_COUNTERS_READ:
        r->words_read = 0;
        print_stripes(&r->view, &s);
        break;
    case HOOK_HOME_READ:
        print_reads(r->view.to, &s.now, 0, 0);
        break;
    case HOOK_WORDS_READ:
        print_words_read(r, &s);
        break;
    case HOOK_SLOT_CHOSEN:
        print_chosen(r, &s.now);
        break;
    default:
        break;
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* The beginning of an event that follows another one, up to what it is. */
static const char *event_start(void) {
    static char start[24];
    (void)snprintf(start, sizeof start, ",{\"call\":%u", current()->number);
    return start;
}

static void print_changes(void) {
    struct state now;
    state_read(scene.filter, &now);
    state_print_changes(scene.filter, &scene.last, &now);
    scene.last = now;
}

static void interrupt(enum hook point) {
    if (scene.meanwhile.wanted && scene.meanwhile.at == point) {
        scene.meanwhile.wanted = false;
        scene_call(scene.meanwhile.call, scene.meanwhile.key, scene.meanwhile.answer);
    }
}

/* Whether the call has read the view and done nothing since, and nothing is new. */
static bool is_repeated(struct running *r) {
    struct view v = view_unhooked(scene.filter);
    bool repeated = r->told == HOOK_VIEW_READ && v.word == r->view.word;
    r->view = v;
    return repeated;
}

void guira__hook(enum hook point) {
    if (scene.silent || scene.depth == 0) {
        return;
    }
    struct running *r = current();
    if (point == HOOK_PATH_FOUND) {
        search_print(scene.filter, r->hash, event_start());
    }
    if (point == HOOK_VIEW_READ && is_repeated(r)) {
        return;
    }
    r->told = point;
    (void)printf("%s,\"at\":\"%s\"", event_start(), hook_names[point]);
    print_look(point, r);
    print_changes();
    (void)printf("}");
    interrupt(point);
}

void scene_call(enum call call, const char *key, unsigned answer) {
    add_key(key);
    unsigned number = scene.calls++;
    scene.running[scene.depth++] =
        (struct running){number, call, hash_of(key), view_unhooked(scene.filter), 0, HOOK_KINDS};
    (void)printf("%s\n{\"call\":%u,\"at\":\"CALL\",\"verb\":\"%s\",\"key\":\"%s\"}",
                 number > 0 ? "," : "", number, call_names[call], key);
    unsigned given = call_one(scene.filter, call, current()->hash);
    if (given != answer || scene.meanwhile.wanted) {
        give_up("a call went another way than its scene says");
    }
    (void)printf("%s,\"at\":\"ANSWER\",\"answer\":\"%s\"", event_start(),
                 call == CALL_CONTAINS ? (given ? "true" : "false")
                                       : guira_status_text((enum guira_status)given));
    print_changes();
    (void)printf("}");
    scene.depth--;
}

void scene_meanwhile(enum hook at, enum call call, const char *key, unsigned answer) {
    scene.meanwhile.wanted = true;
    scene.meanwhile.at = at;
    scene.meanwhile.call = call;
    scene.meanwhile.key = key;
    scene.meanwhile.answer = answer;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

void recording_begin(void) {
    (void)printf("{\"scenes\":[");
}

void recording_end(void) {
    (void)printf("\n]}\n");
}

struct guira *scene_begin(const char *name, const struct guira_options *options) {
    memset(&scene, 0, sizeof scene);
    scene.silent = true;
    if (guira_create(options, &scene.filter) != GUIRA_OK || levels_of(scene.filter) > MOST_LEVELS) {
        give_up("no such filter");
    }
    (void)printf("%s\n{\"name\":\"%s\"", first_scene ? "" : ",", name);
    first_scene = false;
    return scene.filter;
}

void scene_put(const char *key) {
    add_key(key);
    if (guira_insert_uniform(scene.filter, hash_of(key)) != GUIRA_OK) {
        give_up("a key does not fit");
    }
}

/* The shape, and what the filter holds when the scene begins. */
void scene_start(void) {
    const struct guira *f = scene.filter;
    const struct shape *shape = &f->table.geometry.shape;
    (void)printf(",\"tagBits\":%" PRIu32 ",\"slots\":%" PRIu32 ",\"window\":%" PRIu32
                 ",\"stripes\":%" PRIu32 ",\"elements\":%" PRIu64 ",\"levels\":[",
                 shape->tag_bits, shape->slots, shape->window_slots, f->stripes.count,
                 f->table.geometry.universe);
    for (uint32_t level = 0; level < levels_of(f); level++) {
        const struct table *t = table_of_level(f, level);
        (void)printf("%s{\"buckets\":%" PRIu64 ",\"fingerprints\":%" PRIu64
                     ",\"bucketsOfStripe\":%u}",
                     level > 0 ? "," : "", t->geometry.buckets, t->geometry.fingerprints,
                     1u << t->stripe_shift);
    }
    (void)printf("],\n\"start\":{\"at\":\"START\"");
    state_read(f, &scene.last);
    state_print(f, &scene.last);
    (void)printf("},\n\"events\":[");
    scene.silent = false;
}

void scene_end(void) {
    scene.silent = true;
    (void)printf("],\n\"keys\":[");
    for (unsigned i = 0; i < scene.keys; i++) {
        (void)printf("%s", i > 0 ? "," : "");
        print_key(scene.key[i]);
    }
    (void)printf("]}");
    if (guira_check(scene.filter, NULL) != 0) {
        give_up("the table is not sound");
    }
    guira_destroy(scene.filter);
}
