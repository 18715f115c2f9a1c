/*
 * guira_explore: the protocol of lib/protocol.h under all that C11 allows.
 *
 *     guira_explore litmus             the explorer's own tests
 *     guira_explore protocol [NAME]    programs that must not fail
 *     guira_explore families           all programs of some kinds, which must not fail
 *     guira_explore mutants [NAME]     mutants that programs must kill
 *
 * NAME restricts to programs or mutants whose name contains it, and shows the first failing run of
 * each; an empty NAME shows all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

int main(int argc, char **argv) {
    const char *suite = argc > 1 ? argv[1] : "";
    const char *only = argc > 2 ? argv[2] : NULL;
    bool good = false;
    if (strcmp(suite, "litmus") == 0) {
        good = suite_litmus();
    } else if (strcmp(suite, "protocol") == 0) {
        good = suite_protocol(only);
    } else if (strcmp(suite, "families") == 0) {
        good = suite_families();
    } else if (strcmp(suite, "mutants") == 0) {
        good = suite_mutants(only);
    } else {
        (void)fprintf(stderr, "usage: guira_explore litmus | protocol [NAME] | families | "
                              "mutants [NAME]\n");
        return 2;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
