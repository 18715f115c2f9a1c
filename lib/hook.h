/*
 * Points inside an operation at which a test may interfere: hold the thread, make another run.
 * Nothing in the product; with GUIRA_TEST_HOOKS the test program defines guira__hook.
 */
#ifndef GUIRA_LIB_HOOK_H
#define GUIRA_LIB_HOOK_H

enum hook {
    HOOK_COUNTERS_READ, /* reader: between R1 and R2 */
    HOOK_HOME_READ,     /* reader: between the two loads of R2 */
    HOOK_WORDS_READ,    /* reader: between R2 and R3 */
    HOOK_SLOT_CHOSEN,   /* insert, remove: a slot was seen without locks; the lock comes next */
    HOOK_PATH_FOUND,    /* insert: between the search and the locks */
    HOOK_LOCKED,        /* writer: one more stripe is locked */
    HOOK_MOVE_FILLED,   /* writer: between W2 and W3 of a move */
    HOOK_ANNOUNCED,     /* writer: between the counter and the clear of W3 */
    HOOK_MOVE_DONE,     /* writer: after W3 of a move */
    HOOK_WAITING,       /* writer: between two tries to take a lock that is held */
    HOOK_UNLOCKING,     /* writer: one more stripe is about to be unlocked */
    HOOK_VIEW_READ,     /* all, where a filter grows: the view is read, nothing was done under it */
    HOOK_VIEW_CHANGES,  /* writer: another view is about to be published */
    HOOK_KINDS
};

#ifdef GUIRA_TEST_HOOKS
void guira__hook(enum hook point);
#define HOOK(point) guira__hook(point)
#else
#define HOOK(point) ((void)0)
#endif

#endif
