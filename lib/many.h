/*
 * What a kernel does with many hashes.
 *
 * They go through a ring of AHEAD items. An item is prepared, which computes where it may be and
 * prefetches what it will touch, AHEAD items before its turn; so the cache misses of AHEAD items
 * overlap. When its turn comes it is done as a single call would do it: the prefetches promise
 * nothing, so correctness does not depend on them.
 */
#ifndef GUIRA_LIB_MANY_H
#define GUIRA_LIB_MANY_H

enum {
    AHEAD = 32,
    FEW = 9 /* fewer are done one by one: the processor overlaps them by itself */
};

#define NOTHING(f, item) ((void)0)

/*
 * void name(filter *f, const uint64_t *hash, size_t n, result_type *result), for the operation
 * `single` on one hash that is also `prepare`, which gives an `item`, then, half the way to its
 * turn, `prepare_more`, and then `finish`.
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses */
#define MANY(name, filter, result_type, single, item, prepare, prepare_more, finish)               \
    static void name(filter *f, const uint64_t *hash, size_t n, result_type *result) {             \
        if (n < FEW) {                                                                             \
            for (size_t i = 0; i < n; i++) {                                                       \
                result[i] = single(f, hash[i]);                                                    \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        item ring[AHEAD];                                                                          \
        for (size_t i = 0; i < n + AHEAD; i++) {                                                   \
            if (i >= AHEAD) {                                                                      \
                result[i - AHEAD] = finish(f, &ring[i % AHEAD]);                                   \
            }                                                                                      \
            if (i < n) {                                                                           \
                ring[i % AHEAD] = prepare(f, hash[i]);                                             \
            }                                                                                      \
            if (i >= AHEAD / 2 && i - AHEAD / 2 < n) {                                             \
                prepare_more(f, &ring[(i - AHEAD / 2) % AHEAD]);                                   \
            }                                                                                      \
        }                                                                                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
