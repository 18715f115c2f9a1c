/*
 * Batches beside single calls, with exact answers: half of the threads make batches of keys that
 * they hold, the others single calls on theirs, in the same buckets and at a load where inserts
 * move entries.
 *
 * A key is made in one of the forms that batches take, from its number; its hash is a key of the
 * uniform form. So what comes in a batch of texts may leave in one of hashes, or by a single call.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "growths.h"
#include "owned.h"
#include "scenario.h"

/* Around what the library does in pieces: one by one, eights, a ring of 32, blocks of 256. */
static const size_t small_sizes[] = {0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 40};
static const size_t large_sizes[] = {255, 256, 257, MOST_IN_BATCH};

enum {
    SMALL_SIZES = sizeof small_sizes / sizeof small_sizes[0],
    LARGE_SIZES = sizeof large_sizes / sizeof large_sizes[0],
    BATCHES_PER_LARGE = 8,
    RECORD_LENGTH = 11,
    SHORTEST_TEXT = 8, /* and up to 11 */
    MOST_RUNS = 100
};

struct batches {
    struct oracle keys;
    struct rules rules;
    uint64_t slots;
    uint64_t most_held; /* keys by one thread, so that the others find some */
    _Atomic uint64_t made;
    _Atomic uint64_t keys_in_them;
    _Atomic uint64_t single_calls;
};

/* One thread's, of keys that it holds; a key may be in it many times. */
struct batch {
    enum guira_key_form form;
    struct owned_key *held[MOST_IN_BATCH];
    size_t holds;
    struct owned_key *key[MOST_IN_BATCH];
    size_t size;
    uint64_t number[MOST_IN_BATCH];
    char text[MOST_IN_BATCH * RECORD_LENGTH];
    const void *pointer[MOST_IN_BATCH];
    size_t length[MOST_IN_BATCH];
    union answers answers;
};

/* ---- Keys ----------------------------------------------------------------------------------- */

static enum guira_key_form form_of(uint64_t number) {
    return number % 3 == 0   ? GUIRA_KEYS_U64
           : number % 3 == 1 ? GUIRA_KEYS_RECORDS
                             : GUIRA_KEYS_POINTERS;
}

static size_t text_length(uint64_t number) {
    return form_of(number) == GUIRA_KEYS_RECORDS
               ? RECORD_LENGTH
               : SHORTEST_TEXT + number % (RECORD_LENGTH - SHORTEST_TEXT + 1);
}

static void write_text(uint64_t number, char *text) {
    memset(text, 'g', RECORD_LENGTH);
    memcpy(text, &number, sizeof number);
}

static uint64_t hash_of(const struct guira *filter, uint64_t number) {
    if (form_of(number) == GUIRA_KEYS_U64) {
        return guira_hash_u64(filter, number);
    }
    char text[RECORD_LENGTH];
    write_text(number, text);
    return guira_hash(filter, text, text_length(number));
}

/* ---- A batch -------------------------------------------------------------------------------- */

/* Hold up to so many keys of the batch's form. */
static void hold_keys(struct batch *batch, struct oracle *keys, struct worker *w, uint64_t most) {
    batch->holds = 0;
    for (uint64_t tries = 0; tries < 6 * most && batch->holds < most; tries++) {
        struct owned_key *key = &keys->key[random_below(w, keys->keys)];
        bool fits = batch->form == GUIRA_KEYS_UNIFORM || batch->form == form_of(key->number);
        if (fits && try_key(key)) {
            batch->held[batch->holds++] = key;
        }
    }
}

static void give_keys_back(const struct batch *batch) {
    for (size_t i = 0; i < batch->holds; i++) {
        give_key_back(batch->held[i]);
    }
}

/* Each key that is held once, if there is room, then some of them again. */
static void write_keys(struct batch *batch, struct worker *w, size_t size) {
    batch->size = batch->holds == 0 ? 0 : size;
    for (size_t i = 0; i < batch->size; i++) {
        struct owned_key *key = batch->held[i < batch->holds ? i : random_below(w, batch->holds)];
        batch->key[i] = key;
        batch->number[i] = batch->form == GUIRA_KEYS_UNIFORM ? key->hash : key->number;
        batch->pointer[i] = batch->text + i * RECORD_LENGTH;
        batch->length[i] = text_length(key->number);
        write_text(key->number, batch->text + i * RECORD_LENGTH);
    }
}

static struct guira_keys keys_of(const struct batch *batch) {
    switch (batch->form) {
    case GUIRA_KEYS_U64:
        return guira_keys_u64(batch->number, batch->size);
    case GUIRA_KEYS_UNIFORM:
        return guira_keys_uniform(batch->number, batch->size);
    case GUIRA_KEYS_RECORDS:
        return guira_keys_records(batch->text, RECORD_LENGTH, batch->size);
    default:
        return guira_keys_pointers(batch->pointer, batch->length, batch->size);
    }
}

/* A wrong answer for each key: one that is not written will be noticed. */
static void spoil_answers(struct batch *batch, enum call call) {
    for (size_t i = 0; i < batch->size; i++) {
        if (call == CALL_CONTAINS) {
            batch->answers.found[i] = batch->key[i]->copies == 0;
        } else if (call == CALL_COUNT) {
            batch->answers.copies[i] = batch->key[i]->copies + 1;
        } else {
            batch->answers.status[i] = GUIRA_CORRUPT;
        }
    }
}

/* The keys take effect in their order, so an answer depends on the same key's earlier ones. */
static void judge_batch(struct team *team, const struct rules *rules, const struct batch *batch,
                        enum call call, enum guira_status status) {
    bool all_ok = true;
    for (size_t i = 0; i < batch->size; i++) {
        unsigned answer = answer_of(&batch->answers, call, i);
        judge_answer(team, rules, batch->key[i], call, answer);
        all_ok &= call == CALL_CONTAINS || call == CALL_COUNT || answer == GUIRA_OK;
    }
    REQUIRE(team, status == (all_ok ? GUIRA_OK : GUIRA_PARTIAL), "%s of %zu keys in form %d: %s",
            call_name(call), batch->size, (int)batch->form, guira_status_text(status));
}

/* A call that keeps the table at loads where some inserts move entries and few are refused. */
static enum call draw_call_by_load(const struct batches *b, struct worker *w) {
    enum call call = draw_call(w);
    bool has_room = guira_size(w->team->filter) < b->slots * (60 + random_below(w, 31)) / 100;
    if (call == CALL_REMOVE) {
        return has_room ? CALL_INSERT : CALL_REMOVE;
    }
    bool inserts = call == CALL_INSERT || call == CALL_INSERT_UNIQUE;
    return inserts && !has_room ? CALL_REMOVE : call;
}

static size_t draw_size(struct worker *w) {
    return random_below(w, BATCHES_PER_LARGE) == 0 ? large_sizes[random_below(w, LARGE_SIZES)]
                                                   : small_sizes[random_below(w, SMALL_SIZES)];
}

/* How many different keys to hold for a batch of that size: as many as may be, in one of four
 * fewer, so that they come several times. */
static uint64_t draw_keys(const struct batches *b, struct worker *w, size_t size) {
    uint64_t most = size < b->most_held ? size : b->most_held;
    return size > 0 && random_below(w, 4) == 0 ? 1 + random_below(w, most) : most;
}

static void make_batches(struct worker *w) {
    struct batches *b = w->team->context;
    struct batch batch;
    while (go_on(w, "calling on a batch of keys of its own")) {
        size_t size = draw_size(w);
        batch.form = (enum guira_key_form)(GUIRA_KEYS_U64 + random_below(w, 4));
        hold_keys(&batch, &b->keys, w, draw_keys(b, w, size));
        write_keys(&batch, w, size);
        enum call call = draw_call_by_load(b, w);
        spoil_answers(&batch, call);
        enum guira_status status =
            call_many(w->team->filter, call, keys_of(&batch), &batch.answers);
        judge_batch(w->team, &b->rules, &batch, call, status);
        give_keys_back(&batch);
        atomic_fetch_add_explicit(&b->made, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&b->keys_in_them, batch.size, memory_order_relaxed);
    }
}

/* ---- The scenario --------------------------------------------------------------------------- */

static void make_single_calls(struct worker *w) {
    struct batches *b = w->team->context;
    while (go_on(w, "calling on a key of its own")) {
        struct owned_key *key = take_key(&b->keys, w);
        if (key != NULL) {
            enum call call = draw_call_by_load(b, w);
            unsigned answer = call_one(w->team->filter, call, key->hash);
            judge_answer(w->team, &b->rules, key, call, answer);
            give_key_back(key);
            atomic_fetch_add_explicit(&b->single_calls, 1, memory_order_relaxed);
        }
    }
}

static void work(struct worker *w) {
    if (w->index % 2 == 0) {
        make_batches(w);
    } else {
        make_single_calls(w);
    }
}

/* Seven keys of ten, all over the table. */
static void fill(struct batches *b, struct team *team) {
    for (uint64_t i = 0; i < b->keys.keys; i++) {
        if (i % 10 < 7) {
            struct owned_key *key = &b->keys.key[i];
            judge_answer(team, &b->rules, key, CALL_INSERT,
                         call_one(team->filter, CALL_INSERT, key->hash));
        }
    }
}

void scenario_batches(struct team *team) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    const struct key_maker maker = {.hash_of = hash_of};
    uint64_t slots = most_slots(team->filter);
    struct batches b = {.keys = oracle_create_with(team->filter, slots, team->seed, &maker),
                        .rules = {.most_copies = 2 * info.sizing.window, .may_be_full = true},
                        .slots = slots};
    b.most_held = b.keys.keys / team->threads + 1;
    team->context = &b;
    if (team->options.max_capacity == 0) { /* else the threads fill it, as it grows */
        fill(&b, team);
    }
    uint64_t before = entries_moved(team->filter);
    uint64_t moves = 0;
    for (int i = 0; i < MOST_RUNS && moves == 0 && (i == 0 || team->options.max_capacity == 0);
         i++) {
        team_run(team, work);
        moves = entries_moved(team->filter) - before;
    }
    REQUIRE(team, moves > 0 || team->options.max_capacity > 0,
            "nothing moved: the run proves little");
    (void)snprintf(team->remark, sizeof team->remark,
                   "%" PRIu64 " batches of %" PRIu64 " keys, %" PRIu64 " single calls; %" PRIu64
                   " moves meanwhile",
                   atomic_load(&b.made), atomic_load(&b.keys_in_them), atomic_load(&b.single_calls),
                   moves);
    oracle_compare(&b.keys, team);
    oracle_destroy(&b.keys);
    team->context = NULL;
}
