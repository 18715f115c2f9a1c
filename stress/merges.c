/*
 * All threads merge small filters into one at its maximum load. A thread holds the keys in its
 * small filter, so it knows what the large one must hold of them after a merge that fits, and
 * after one that does not. In the end the table must hold the sum of all.
 *
 * Now and then it is the other way: what a thread gets out of the large filter must have its keys.
 */
#include <inttypes.h>
#include <stdio.h>

#include "oracle.h"
#include "scenario.h"

enum {
    MOST_HELD = 600, /* keys in a small filter: more than a block of the library */
    USUALLY_HELD = 40,
    MOST_COPIES = 2,
    DEALS_PER_LARGE = 4,
    MERGES_PER_WAY_BACK = 16,
    MOST_RUNS = 100
};

struct merges {
    struct oracle keys;
    struct guira_options options; /* of the small filters */
    uint64_t most_held;           /* keys by one thread, so that the others find some */
    unsigned limit;               /* the most copies of a key */
    _Atomic uint64_t merged;
    _Atomic uint64_t refused;
    _Atomic uint64_t back;
};

struct hand {
    struct owned_key *key[MOST_HELD];
    unsigned added[MOST_HELD]; /* copies in the small filter */
    size_t holds;
};

/* Hold keys, and put them into the small filter. */
static void deal(struct worker *w, struct merges *m, struct guira *small, struct hand *hand) {
    hand->holds = 0;
    bool large = random_below(w, DEALS_PER_LARGE) == 0;
    uint64_t most = large || m->most_held < USUALLY_HELD ? m->most_held : USUALLY_HELD;
    for (uint64_t tries = 1 + random_below(w, most); tries > 0; tries--) {
        struct owned_key *key = take_key(&m->keys, w);
        if (key == NULL) {
            continue;
        }
        /* Three keys that are there twice may be in each other's way, though there is room. */
        unsigned added = 0;
        for (uint64_t copies = 1 + random_below(w, MOST_COPIES); copies > 0; copies--) {
            enum guira_status status = guira_insert_uniform(small, key->hash);
            REQUIRE(w->team, status == GUIRA_OK || status == GUIRA_FULL, "insert: %s",
                    guira_status_text(status));
            added += status == GUIRA_OK;
        }
        hand->key[hand->holds] = key;
        hand->added[hand->holds++] = added;
    }
}

static void require_copies(struct team *team, const struct guira *filter, const struct hand *hand,
                           const char *when) {
    for (size_t i = 0; i < hand->holds; i++) {
        unsigned copies = guira_count_uniform(filter, hand->key[i]->hash);
        REQUIRE(team, copies == hand->key[i]->copies, "%u copies %s, not %u", copies, when,
                hand->key[i]->copies);
    }
}

static void take_note(const struct hand *hand, bool unique) {
    for (size_t i = 0; i < hand->holds; i++) {
        struct owned_key *key = hand->key[i];
        key->copies += unique ? key->copies == 0 && hand->added[i] > 0 : hand->added[i];
    }
}

static bool exceeds_limit(const struct merges *m, const struct hand *hand) {
    for (size_t i = 0; i < hand->holds; i++) {
        if (hand->key[i]->copies + hand->added[i] > m->limit) {
            return true;
        }
    }
    return false;
}

static void merge(struct worker *w, struct merges *m, struct guira *small,
                  const struct hand *hand) {
    bool unique = random_below(w, 4) == 0;
    enum guira_status status =
        unique ? guira_merge_unique(w->team->filter, small) : guira_merge(w->team->filter, small);
    bool too_many = !unique && exceeds_limit(m, hand);
    REQUIRE(w->team, status == GUIRA_FULL || status == (too_many ? GUIRA_LIMIT : GUIRA_OK),
            "merge: %s", guira_status_text(status));
    if (status == GUIRA_OK) {
        take_note(hand, unique);
    }
    atomic_fetch_add(status == GUIRA_OK ? &m->merged : &m->refused, 1);
    require_copies(w->team, w->team->filter, hand,
                   status == GUIRA_OK ? "after a merge" : "after a merge that did not fit");
}

/* The other way, into an empty filter. */
static void merge_back(struct worker *w, struct merges *m, struct guira *small,
                       const struct hand *hand) {
    (void)guira_clear(small);
    enum guira_status status = guira_merge(small, w->team->filter);
    REQUIRE(w->team, status == GUIRA_OK || status == GUIRA_FULL, "merge: %s",
            guira_status_text(status));
    REQUIRE(w->team, guira_check(small, NULL) == GUIRA_OK, "what came back is corrupt");
    if (status == GUIRA_OK) {
        require_copies(w->team, small, hand, "come back");
        atomic_fetch_add(&m->back, 1);
    } else {
        REQUIRE(w->team, guira_size(small) == 0, "a merge that did not fit left something");
    }
}

/* Make room: all copies of every other key that is held. */
static void make_room(struct team *team, const struct hand *hand) {
    for (size_t i = 0; i < hand->holds; i += 2) {
        struct owned_key *key = hand->key[i];
        while (key->copies > 0) {
            enum guira_status status = guira_remove_uniform(team->filter, key->hash);
            REQUIRE(team, status == GUIRA_OK, "remove: %s", guira_status_text(status));
            key->copies--;
        }
    }
}

static void work(struct worker *w) {
    struct merges *m = w->team->context;
    struct guira *small = NULL;
    enum guira_status status = guira_create(&m->options, &small);
    REQUIRE(w->team, status == GUIRA_OK, "create: %s", guira_status_text(status));
    while (status == GUIRA_OK && go_on(w, "merging")) {
        struct hand hand;
        deal(w, m, small, &hand);
        merge(w, m, small, &hand);
        if (random_below(w, MERGES_PER_WAY_BACK) == 0) {
            merge_back(w, m, small, &hand);
        }
        if (random_below(w, 2) == 0) {
            make_room(w->team, &hand);
        }
        (void)guira_clear(small);
        for (size_t i = 0; i < hand.holds; i++) {
            give_key_back(hand.key[i]);
        }
    }
    guira_destroy(small);
}

/* Keys until there is no room, some of them several times. */
static void fill(struct team *team, struct merges *m) {
    struct worker chance = {.random = ~team->seed};
    enum guira_status status = GUIRA_OK;
    for (uint64_t i = 0; i < 8 * m->keys.keys && status != GUIRA_FULL; i++) {
        struct owned_key *key = &m->keys.key[random_below(&chance, m->keys.keys)];
        status = guira_insert_uniform(team->filter, key->hash);
        key->copies += status == GUIRA_OK;
    }
    REQUIRE(team, status == GUIRA_FULL, "the table never got full");
}

void scenario_merges(struct team *team) {
    struct guira_info info;
    (void)guira_get_info(team->filter, &info);
    struct merges m = {.keys = oracle_create(team->filter, info.slots, team->seed),
                       .options = {.buckets = info.sizing.buckets,
                                   .tag_bits = info.sizing.tag_bits,
                                   .window = info.sizing.window,
                                   .seed = info.seed,
                                   .single_writer = true},
                       .limit = 2 * info.sizing.window};
    uint64_t share = m.keys.keys / (2 * (uint64_t)team->threads) + 1;
    m.most_held = share < MOST_HELD ? share : MOST_HELD;
    team->context = &m;
    fill(team, &m);
    for (int i = 0; i < MOST_RUNS && (m.merged == 0 || m.refused == 0); i++) {
        team_run(team, work);
    }
    REQUIRE(team, m.merged > 0 && m.refused > 0, "all merges fitted, or none: it proves little");
    (void)snprintf(team->remark, sizeof team->remark,
                   "%" PRIu64 " merges, %" PRIu64 " that did not fit, %" PRIu64 " back", m.merged,
                   m.refused, m.back);
    oracle_compare(&m.keys, team);
    oracle_destroy(&m.keys);
    team->context = NULL;
}
