/*
 * insert_unique of 1 by both writers, while 1 is moved and room is made for it: writer 1 also takes 2
 * out and puts it back, which can push 1, or 3, to the next bucket.
 *
 *     bucket        0      1      2
 *     may hold     1 2    1 3    2 3
 *     at first      2             3
 */
#define BUCKETS 3
#define SLOTS 1
#define ITEMS 3
hidden byte home[4] = {0, 0, 0, 2};
hidden byte away[4] = {0, 1, 2, 1};
byte word[BUCKETS] = {2, 0, 3};
byte multiset[4] = {0, 0, 1, 1};

#include "protocol.pml"
#include "calls.pml"

inline choose() {
    if
    :: op = INSERT_UNIQUE; x = 1
    :: me == 1 && multiset[2] == 0 -> op = INSERT; x = 2
    :: me == 1 && multiset[2] == 1 -> op = REMOVE; x = 2
    :: me == 0 && multiset[1] == 1 -> op = REMOVE; x = 1
    fi
}

inline choose_look() {
    if
    :: x = 1
    :: x = 3
    fi
}

#include "actors.pml"
