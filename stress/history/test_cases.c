/*
 * Histories made by hand, of each kind of call, and what is right to say of them. In each, element
 * 0 has the capacity and the copies at first that the case says.
 */
#include "test.h"

#include "files.h"
#include "partition.h"

struct test_case {
    const char *name;
    bool linearizable;
    const char *capacity_and_copies;
    const char *operations; /* of element 0 */
};

static const struct test_case cases[] = {
    {"nothing happens", true, "4 0", ""},
    {"absent is not found", true, "4 0", "0 contains 0 false 0 1\n"},
    {"absent is found", false, "4 0", "0 contains 0 true 0 1\n"},
    {"present is found", true, "4 1", "0 contains 0 true 0 1\n"},
    {"present is missed", false, "4 1", "0 contains 0 false 0 1\n"},
    {"found after insert", true, "4 0", "0 insert 0 OK 0 1\n1 contains 0 true 2 3\n"},
    {"missed after insert", false, "4 0", "0 insert 0 OK 0 1\n1 contains 0 false 2 3\n"},
    {"missed beside insert", true, "4 0", "0 insert 0 OK 0 5\n1 contains 0 false 2 3\n"},
    {"found beside insert", true, "4 0", "0 insert 0 OK 0 5\n1 contains 0 true 2 3\n"},
    {"found, then missed, beside one insert", false, "4 0",
     "0 insert 0 OK 0 9\n1 contains 0 true 2 3\n1 contains 0 false 4 5\n"},
    {"missed, then found, beside one insert", true, "4 0",
     "0 insert 0 OK 0 9\n1 contains 0 false 2 3\n2 contains 0 true 4 5\n"},
    {"missed when insert returns just then", true, "4 0",
     "0 insert 0 OK 0 5\n1 contains 0 false 5 6\n"},
    {"missed a moment after insert returned", false, "4 0",
     "0 insert 0 OK 0 5\n1 contains 0 false 6 7\n"},
    {"missed beside remove and insert of the only copy", true, "4 1",
     "0 remove 0 OK 0 3\n0 insert 0 OK 4 7\n1 contains 0 false 1 6\n"},
    {"missed beside insert and remove of a second copy", false, "4 1",
     "0 insert 0 OK 0 3\n0 remove 0 OK 4 7\n1 contains 0 false 1 6\n"},
    {"limit below capacity", false, "2 1", "0 insert 0 LIMIT 0 1\n"},
    {"limit at capacity", true, "2 2", "0 insert 0 LIMIT 0 1\n"},
    {"limit beside the insert that reaches it", true, "2 1",
     "0 insert 0 OK 0 5\n1 insert 0 LIMIT 2 3\n"},
    {"limit after a remove", false, "2 2", "0 remove 0 OK 0 1\n1 insert 0 LIMIT 2 3\n"},
    {"more than the capacity", false, "2 0",
     "0 insert 0 OK 0 9\n1 insert 0 OK 0 9\n2 insert 0 OK 0 9\n"},
    {"more than the capacity, with a remove between", true, "2 0",
     "0 insert 0 OK 0 9\n1 insert 0 OK 0 9\n2 insert 0 OK 0 9\n3 remove 0 OK 3 4\n"},
    {"full at any time", true, "2 1", "0 insert 0 FULL 0 1\n1 insert_unique 0 FULL 0 1\n"},
    {"full that left a copy behind", false, "2 0", "0 insert 0 FULL 0 1\n1 count 0 1 2 3\n"},
    {"full that lost a copy", false, "2 1", "0 insert 0 FULL 0 1\n1 contains 0 false 2 3\n"},
    {"remove takes one of two", true, "4 2", "0 remove 0 OK 0 1\n0 count 0 1 2 3\n"},
    {"remove takes two at once", false, "4 2", "0 remove 0 OK 0 1\n0 count 0 0 2 3\n"},
    {"one copy removed by two", false, "4 1", "0 remove 0 OK 0 5\n1 remove 0 OK 0 5\n"},
    {"one copy removed by one of two", true, "4 1",
     "0 remove 0 OK 0 5\n1 remove 0 NOT_FOUND 0 5\n"},
    {"a removed copy is not found before", false, "4 1",
     "1 remove 0 NOT_FOUND 0 1\n0 remove 0 OK 2 3\n"},
    {"remove finds nothing while copies come and go", true, "4 1",
     "0 insert 0 OK 0 9\n1 remove 0 OK 1 3\n2 remove 0 NOT_FOUND 4 5\n3 contains 0 true 2 4\n"
     "3 count 0 1 6 7\n"},
    {"remove finds nothing though one copy always stays", false, "4 2",
     "0 insert 0 OK 0 9\n1 remove 0 OK 1 3\n2 remove 0 NOT_FOUND 4 5\n"},
    {"removed before it was inserted", false, "4 0", "0 remove 0 OK 0 1\n1 insert 0 OK 2 3\n"},
    {"removed beside its insert", true, "4 0", "0 remove 0 OK 0 5\n1 insert 0 OK 2 3\n"},
    {"count sees a move's two copies", false, "4 1", "0 count 0 2 0 1\n"},
    {"count between", true, "4 1", "0 insert 0 OK 0 9\n1 count 0 1 2 3\n2 count 0 2 4 5\n"},
    {"count goes back", false, "4 1", "0 insert 0 OK 0 9\n1 count 0 2 2 3\n2 count 0 1 4 5\n"},
    {"count past the capacity", false, "2 2", "0 count 0 3 0 1\n"},
    {"two are first", false, "4 0", "0 insert_unique 0 OK 0 5\n1 insert_unique 0 OK 0 5\n"},
    {"one is first", true, "4 0", "0 insert_unique 0 OK 0 5\n1 insert_unique 0 EXISTS 0 5\n"},
    {"nobody is first", false, "4 0",
     "0 insert_unique 0 EXISTS 0 5\n1 insert_unique 0 EXISTS 0 5\n"},
    {"first again after a remove", true, "4 0",
     "0 insert_unique 0 OK 0 1\n1 remove 0 OK 2 3\n0 insert_unique 0 OK 4 5\n"},
    {"first although it is there", false, "4 1", "0 insert_unique 0 OK 0 1\n"},
    {"two are first with a remove between", true, "4 0",
     "0 insert_unique 0 OK 0 9\n1 insert_unique 0 OK 0 9\n2 remove 0 OK 4 5\n"},
    {"exists beside an insert", true, "4 0", "0 insert 0 OK 0 5\n1 insert_unique 0 EXISTS 0 5\n"},
    {"first and then an insert, the other way it would exist", true, "4 0",
     "0 insert 0 OK 0 5\n1 insert_unique 0 OK 0 5\n2 count 0 2 6 7\n"},
    {"a contradiction only in the middle of an overlap", false, "1 0",
     "0 insert 0 OK 0 20\n1 remove 0 OK 1 19\n2 contains 0 true 2 3\n2 contains 0 false 4 5\n"
     "2 contains 0 true 6 7\n"},
    {"a result that the call does not have", false, "4 1", "0 remove 0 FULL 0 1\n"},
};

enum { CASES = sizeof cases / sizeof cases[0] };

void test_hand_made_histories(struct checker *checker) {
    for (size_t i = 0; i < CASES; i++) {
        const struct test_case *c = &cases[i];
        char lines[1024];
        (void)snprintf(lines, sizeof lines, "element 0 %s\n%s", c->capacity_and_copies,
                       c->operations);
        struct history h = history_of(lines);
        struct findings f = history_check(&h, checker);
        EXPECT((f.violated == 0) == c->linearizable && f.undecided == 0, "%s: said to be %s",
               c->name, f.violated == 0 ? "linearizable" : "not");
        history_free(&h);
    }
    (void)printf("%d hand-made histories\n", CASES);
}
