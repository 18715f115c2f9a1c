/*
 * guira_record: prints the recording that docs/picture.html plays, scene by scene. Which keys a
 * scene takes is found out by asking the library: the first bird of a list that does what the scene
 * is about.
 */
#include <stdio.h>
#include <string.h>

#include "lookup.h"
#include "path.h"
#include "recorder.h"

static const char *const birds[] = {
    "ani",     "auk",    "bittern", "booby",   "bulbul", "canary", "condor",  "coot",    "crake",
    "crane",   "crow",   "curlew",  "dipper",  "dodo",   "dove",   "drongo",  "duck",    "dunlin",
    "eagle",   "egret",  "eider",   "emu",     "falcon", "finch",  "gannet",  "goose",   "grebe",
    "guira",   "gull",   "hawk",    "heron",   "hoopoe", "ibis",   "jackdaw", "jay",     "kea",
    "kestrel", "kite",   "kiwi",    "lapwing", "lark",   "linnet", "lory",    "macaw",   "magpie",
    "martin",  "merlin", "moa",     "myna",    "noddy",  "oriole", "osprey",  "ostrich", "ouzel",
    "owl",     "parrot", "pewee",   "petrel",  "pipit",  "plover", "puffin",  "quail",   "rail",
    "raven",   "rhea",   "robin",   "rook",    "ruff",   "serin",  "shrike",  "siskin",  "skua",
    "snipe",   "stint",  "stork",   "swan",    "swift",  "tern",   "thrush",  "tit",     "toucan",
    "turaco",  "vireo",  "wagtail", "weaver",  "wren"};

enum { BIRDS = sizeof birds / sizeof birds[0], MOST_EGGS = 100000 };

/* Eight buckets of six slots of ten bits, of which an element may use two in each of two buckets:
 * a picture has room for them, and a fingerprint is two hexadecimal digits. */
static const struct guira_options eight_buckets = {
    .buckets = 8, .tag_bits = 10, .window = 2, .stripes = 4, .seed = 1};
static const struct guira_options four_that_double = {
    .buckets = 4, .tag_bits = 10, .window = 2, .stripes = 4, .max_capacity = 20, .seed = 1};

static struct guira *filter;
static bool taken[BIRDS];

/* ---- Choosing keys --------------------------------------------------------------------------- */

/* What is asked about a key that is not in the filter, or about one that is. */
typedef bool (*question)(const struct table *t, struct element e);

static struct element element_of(const char *key) {
    return element_of_hash(&table_filled(filter)->geometry, guira_hash(filter, key, strlen(key)));
}

static bool is_there(const char *key) {
    return guira_contains(filter, key, strlen(key));
}

/* The first bird that was taken, or was not and is not there, of which that is true. */
static const char *first_bird(bool of_taken, question is_true) {
    for (unsigned i = 0; i < BIRDS; i++) {
        if (taken[i] == of_taken && is_there(birds[i]) == of_taken &&
            is_true(table_filled(filter), element_of(birds[i]))) {
            taken[i] = true;
            return birds[i];
        }
    }
    return NULL;
}

static bool any(const struct table *t, struct element e) {
    (void)t;
    (void)e;
    return true;
}

static uint64_t room_on(const struct table *t, struct element e, unsigned side) {
    struct candidates c = candidates_of(&t->geometry, e);
    return empty_slots(&t->geometry, search_word(t, c.bucket[side]), c.pattern[side]);
}

static bool has_room_at_home(const struct table *t, struct element e) {
    return room_on(t, e, 0) != 0;
}

static bool has_room_only_away(const struct table *t, struct element e) {
    return room_on(t, e, 0) == 0 && room_on(t, e, 1) != 0;
}

static bool has_no_room_at_home(const struct table *t, struct element e) {
    return room_on(t, e, 0) == 0;
}

static bool is_at_home(const struct table *t, struct element e) {
    struct candidates c = candidates_of(&t->geometry, e);
    return look(t, &c) == SEEN_AT_HOME;
}

static bool is_away(const struct table *t, struct element e) {
    struct candidates c = candidates_of(&t->geometry, e);
    return look(t, &c) == SEEN_AWAY;
}

static bool path_to_room(const struct table *t, struct element e, struct path *path) {
    uint64_t nodes = 0;
    return room_on(t, e, 0) == 0 && room_on(t, e, 1) == 0 &&
           find_path(t, e, GUIRA_DEFAULT_SEARCH_BUDGET, path, &nodes);
}

static bool needs_three_moves(const struct table *t, struct element e) {
    struct path path;
    return path_to_room(t, e, &path) && path.length == 3;
}

/* Whose entry an insert would take home from its other bucket; NULL if none. */
static const char *who_comes_home(const struct table *t, struct element e) {
    struct path path;
    if (!path_to_room(t, e, &path) || path.length > 2) {
        return NULL;
    }
    for (uint32_t i = 0; i < path.length; i++) {
        const struct hop *hop = &path.hop[i];
        struct entry entry = entry_of_tag(&t->geometry, hop->tag);
        if (entry.side == 1 && path.hop[i + 1].bucket != hop->bucket) {
            struct element moved = element_of_entry(&t->geometry, hop->bucket, hop->slot, entry);
            return key_of_element(element_number(&t->geometry, moved));
        }
    }
    return NULL;
}

static bool takes_one_home(const struct table *t, struct element e) {
    return who_comes_home(t, e) != NULL;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

static void begin(const char *name, const struct guira_options *options) {
    memset(taken, 0, sizeof taken);
    filter = scene_begin(name, options);
}

static const char *found(const char *key) {
    if (key == NULL) {
        give_up("no bird does what the scene is about");
    }
    return key;
}

static void put_birds(unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        scene_put(found(first_bird(false, any)));
    }
}

/* Fill the filter until it has a bird of which that is true, which is returned. */
static const char *fill_until(question is_true) {
    const char *bird = first_bird(false, is_true);
    while (bird == NULL) {
        put_birds(1);
        bird = first_bird(false, is_true);
    }
    return bird;
}

static void insert_with_room(void) {
    begin("room", &eight_buckets);
    put_birds(22);
    const char *home = found(first_bird(false, has_room_at_home));
    const char *away = found(first_bird(false, has_room_only_away));
    scene_start();
    scene_call(CALL_INSERT, home, GUIRA_OK);
    scene_call(CALL_INSERT, away, GUIRA_OK);
    scene_end();
}

static void insert_with_moves(void) {
    begin("moves", &eight_buckets);
    const char *bird = fill_until(needs_three_moves);
    scene_start();
    scene_call(CALL_INSERT, bird, GUIRA_OK);
    scene_end();
}

/* A key that was never inserted, and is found: an egg in a stranger's nest. */
static const char *first_egg_found(void) {
    static char egg[16];
    for (unsigned i = 1; i < MOST_EGGS; i++) {
        (void)snprintf(egg, sizeof egg, "egg %u", i);
        if (is_there(egg)) {
            return egg;
        }
    }
    return NULL;
}

static void look_up(void) {
    begin("look", &eight_buckets);
    put_birds(30);
    const char *home = found(first_bird(true, is_at_home));
    const char *away = found(first_bird(true, is_away));
    const char *absent = found(first_bird(false, any));
    const char *egg = found(first_egg_found());
    scene_start();
    scene_call(CALL_CONTAINS, home, true);
    scene_call(CALL_CONTAINS, away, true);
    scene_call(CALL_CONTAINS, absent, false);
    scene_call(CALL_CONTAINS, egg, true);
    scene_end();
}

static void remove_one(void) {
    begin("remove", &eight_buckets);
    put_birds(26);
    const char *bird = found(first_bird(true, is_away));
    scene_start();
    scene_call(CALL_REMOVE, bird, GUIRA_OK);
    scene_call(CALL_CONTAINS, bird, false);
    scene_call(CALL_REMOVE, bird, GUIRA_NOT_FOUND);
    scene_end();
}

/* Between the reader's two loads, of home and of away, its entry moves from away to home. */
static void reader_crosses_move(void) {
    begin("crossing", &eight_buckets);
    const char *writer = fill_until(takes_one_home);
    const char *reader = who_comes_home(table_filled(filter), element_of(writer));
    scene_start();
    scene_meanwhile(HOOK_HOME_READ, CALL_INSERT, writer, GUIRA_OK);
    scene_call(CALL_CONTAINS, reader, true);
    scene_end();
}

static bool is_growing(void) {
    struct guira_info info;
    (void)guira_get_info(filter, &info);
    return info.is_growing;
}

/* The insert that finds its home full in a crowded table begins it; each change does a share. */
static void growth(void) {
    begin("growth", &four_that_double);
    put_birds(14);
    const char *beginner = found(first_bird(false, has_no_room_at_home));
    const char *reader = found(first_bird(true, is_at_home));
    const char *leaver = found(first_bird(true, is_away));
    scene_start();
    scene_call(CALL_INSERT, beginner, GUIRA_OK);
    scene_call(CALL_CONTAINS, reader, true);
    scene_call(CALL_REMOVE, leaver, GUIRA_OK);
    scene_call(CALL_CONTAINS, found(first_bird(false, any)), false);
    while (is_growing()) {
        scene_call(CALL_INSERT, found(first_bird(false, any)), GUIRA_OK);
    }
    scene_call(CALL_CONTAINS, reader, true);
    scene_end();
}

int main(void) {
    recording_begin();
    insert_with_room();
    insert_with_moves();
    look_up();
    remove_one();
    reader_crosses_move();
    growth();
    recording_end();
    return 0;
}
