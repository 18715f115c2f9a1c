/*
 * Both writers insert and remove the same element, which may be there twice, at its limit.
 *
 *     bucket        0      1
 *     may hold      1      1
 *     at first      1
 */
#define BUCKETS 2
#define SLOTS 1
#define ITEMS 1
hidden byte home[2] = {0, 0};
hidden byte away[2] = {0, 1};
byte word[BUCKETS] = {1, 0};
byte multiset[2] = {0, 1};

#include "protocol.pml"
#include "calls.pml"

inline choose() {
    if
    :: op = INSERT
    :: op = REMOVE
    fi;
    x = 1
}

inline choose_look() {
    x = 1
}

#include "actors.pml"
