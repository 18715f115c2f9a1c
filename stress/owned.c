#include "owned.h"

enum call draw_call(struct worker *worker) {
    static const enum call eight[8] = {CALL_INSERT, CALL_INSERT, CALL_INSERT_UNIQUE, CALL_REMOVE,
                                       CALL_REMOVE, CALL_COUNT,  CALL_CONTAINS,      CALL_CONTAINS};
    return eight[random_below(worker, 8)];
}

/* FULL is for those that would have added a copy, where there may be no room. */
static bool may_answer_full(const struct rules *rules, const struct owned_key *key,
                            enum call call) {
    unsigned least_refused = call == CALL_INSERT_UNIQUE ? 1 : rules->most_copies;
    return rules->may_be_full && key->copies < least_refused;
}

void judge_answer(struct team *team, const struct rules *rules, struct owned_key *key,
                  enum call call, unsigned answer) {
    const struct operation o = {.call = (uint8_t)call, .result = (uint8_t)answer};
    int copies = specified(&o, (int)key->copies, (int)rules->most_copies);
    bool is_insert = call == CALL_INSERT || call == CALL_INSERT_UNIQUE;
    bool right = answer <= UINT8_MAX && copies != IMPOSSIBLE;
    if (is_insert && answer == GUIRA_FULL) {
        right = may_answer_full(rules, key, call);
    }
    REQUIRE(team, right, "%s at %u copies: %s (%u)", call_name(call), key->copies,
            result_name(call, answer), answer);
    key->copies = right ? (unsigned)copies : key->copies;
}
