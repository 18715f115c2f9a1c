/*
 * For mistakes in the explorer or its programs, such as a limit that is too small: say so and stop.
 */
#ifndef GUIRA_EXPLORE_FAIL_H
#define GUIRA_EXPLORE_FAIL_H

#include <stdio.h>
#include <stdlib.h>

#define explore_fail(...)                                                                          \
    (fprintf(stderr, "explore: " __VA_ARGS__), fputc('\n', stderr), exit(EXIT_FAILURE))

#endif
