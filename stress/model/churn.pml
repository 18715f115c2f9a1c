/*
 * Moves both ways. 1, 2 and 3 stay for ever in a chain of buckets that has one slot more than they
 * need. 4 comes and goes at one end of it, 5 at the other; the one that comes in pushes the others
 * towards the other end, along paths of one, two and three moves.
 *
 *     bucket        0      1      2      3
 *     may hold     1 4   1 2 4  2 3 5   3 5
 *     at first      1      2      3
 */
#define BUCKETS 4
#define SLOTS 1
#define ITEMS 5
hidden byte home[6] = {0, 0, 1, 2, 0, 3};
hidden byte away[6] = {0, 1, 2, 3, 1, 2};
byte word[BUCKETS] = {1, 2, 3, 0};
byte multiset[6] = {0, 1, 1, 1, 0, 0};

#include "protocol.pml"
#include "calls.pml"

inline choose() {
    op = (again -> INSERT : REMOVE);
    x = 4 + me
}

inline choose_look() {
    if
#ifndef STALL
    :: x = 1
#endif
    :: x = 2
    :: x = 4
    fi
}

#include "actors.pml"
