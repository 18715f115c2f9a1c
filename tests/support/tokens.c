/*
 * Writers that go through tokens; see the header.
 */
#include "tokens.h"

#include "test.h"

static bool put(struct token_writer *w, unsigned key) {
    enum guira_status status = guira_insert_uniform(w->filter, w->hashes[key]);
    w->copies[key] += status == GUIRA_OK;
    w->wrong += status != GUIRA_OK && status != GUIRA_FULL && status != GUIRA_LIMIT;
    return status == GUIRA_OK;
}

static void take(struct token_writer *w, unsigned key) {
    w->wrong += guira_remove_uniform(w->filter, w->hashes[key]) != GUIRA_OK;
    w->copies[key]--;
}

void tokens_begin(struct token_writer *w) {
    w->at = 0;
    require(put(w, 0), "no room for a token");
}

void *tokens_write(void *context) {
    struct token_writer *w = context;
    for (uint64_t i = 0; !atomic_load(w->stop); i++) {
        unsigned next = (w->at + 1) % TOKENS;
        if (put(w, next)) {
            take(w, w->at);
            w->at = next;
        }
        unsigned loose = TOKENS + (unsigned)(scrambled(i) % LOOSE);
        if (w->copies[loose] > 0) {
            take(w, loose);
        } else {
            (void)put(w, loose);
        }
    }
    return NULL;
}

bool tokens_are_of_one_instant(const struct guira *f, const uint64_t *hashes) {
    unsigned tokens = 0;
    unsigned neighbours = 0;
    for (unsigned i = 0; i < TOKENS; i++) {
        bool here = guira_contains_uniform(f, hashes[i]);
        tokens += here;
        neighbours += here && guira_contains_uniform(f, hashes[(i + 1) % TOKENS]);
    }
    return tokens == 1 || (tokens == 2 && neighbours == 1);
}
