/*
 * Two slots a bucket: entries share words, paths branch, and both inserts push others to the same end.
 *
 *     bucket         0          1         2
 *     may hold    1 2 5 6  1 2 3 4 5 6   3 4
 *     at first      1 2        3 4
 */
#define BUCKETS 3
#define SLOTS 2
#define ITEMS 6
hidden byte home[7] = {0, 0, 0, 1, 2, 0, 1};
hidden byte away[7] = {0, 1, 1, 2, 1, 1, 0};
byte word[BUCKETS] = {17, 35, 0}; /* 1 + 8 * 2, 3 + 8 * 4 */
byte multiset[7] = {0, 1, 1, 1, 1, 0, 0};

#include "protocol.pml"
#include "calls.pml"

inline choose() {
    op = (again -> INSERT : REMOVE);
    x = 5 + me
}

inline choose_look() {
    if
    :: x = 1
    :: x = 3
    :: x = 5
    fi
}

#include "actors.pml"
