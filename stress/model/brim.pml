/*
 * Two inserts near full that want the same hole. 4 and 5 are to come in; only one of them finds room.
 * Either pushes 1 out of the other's way, so that inserts which hold less than their whole path can
 * undo each other's moves.
 *
 *     bucket        0      1      2      3
 *     may hold     1 4    1 5   2 3 4  2 3 5
 *     at first      1             2      3
 */
#define BUCKETS 4
#define SLOTS 1
#define ITEMS 5
#define CALLS 1
#define NO_READER
#define FULL_SEARCHES 3
hidden byte home[6] = {0, 0, 2, 3, 0, 1};
hidden byte away[6] = {0, 1, 3, 2, 2, 3};
byte word[BUCKETS] = {1, 0, 2, 3};
byte multiset[6] = {0, 1, 1, 1, 0, 0};

#include "protocol.pml"
#include "calls.pml"

inline choose() {
    op = INSERT;
    x = 4 + me
}

#include "actors.pml"
