/*
 * guira_followed: a look-up that is followed by its worst enemy never gives up and is never wrong.
 *
 * The only entry of an element moves away just before the reader loads the bucket that it is in,
 * again and again, as if other threads' inserts did it: at each look it stands first away, then at
 * home. Each look is unclear; when the moves end, after many, the answer must be "there".
 */
#include <stdio.h>

#include "filter.h"

enum { UNCLEAR_LOOKS = 1000 };

static struct guira *filter;
static struct candidates where;
static unsigned looks; /* so far; 0: nothing moves */

static uint64_t slot_on(unsigned side) {
    return lowest_slot_mask(&filter->table.geometry, where.pattern[side].top);
}

static void move_to(unsigned side) {
    const struct table *t = &filter->table;
    fill_for_move(t, where.bucket[side], where.pattern[side].tags & slot_on(side));
    empty_after_move(t, where.bucket[1 - side], slot_on(1 - side));
}

void guira__hook(enum hook point) {
    if (looks == 0 || looks > UNCLEAR_LOOKS) {
        return;
    }
    if (point == HOOK_COUNTERS_READ && looks > 1) {
        move_to(1); /* away from home, which is read next */
    } else if (point == HOOK_HOME_READ) {
        move_to(0); /* back, before away is read */
        looks++;
    }
}

int main(void) {
    const struct guira_options options = {.buckets = 8, .tag_bits = 12, .window = 2, .seed = 1};
    const uint64_t hash = UINT64_C(0x0123456789abcdef);
    if (guira_create(&options, &filter) != GUIRA_OK ||
        guira_insert_uniform(filter, hash) != GUIRA_OK) {
        return 2;
    }
    const struct geometry *g = &filter->table.geometry;
    where = candidates_of(g, element_of_hash(g, hash));
    move_to(1);
    looks = 1;
    bool there = guira_contains_uniform(filter, hash);
    struct guira_info info;
    (void)guira_get_info(filter, &info);
    bool right = there && info.reader_retries == UNCLEAR_LOOKS && guira_check(filter, NULL) == 0;
    (void)printf("%s: there %d after %llu unclear looks\n", right ? "PASS" : "FAIL", there,
                 (unsigned long long)info.reader_retries);
    guira_destroy(filter);
    return right ? 0 : 1;
}
