/*
 * The version of guira: the one place that states it. CMake, pkg-config and the library read it
 * from here.
 */
#ifndef GUIRA_VERSION_H
#define GUIRA_VERSION_H

/* Its parts. */
#define GUIRA_VERSION_MAJOR 1
#define GUIRA_VERSION_MINOR 0
#define GUIRA_VERSION_PATCH 0
#define GUIRA_VERSION_STRING "1.0.0"

/* One number that grows with every release: 1000000 * major + 1000 * minor + patch. */
#define GUIRA_VERSION_NUMBER                                                                       \
    (1000000 * GUIRA_VERSION_MAJOR + 1000 * GUIRA_VERSION_MINOR + GUIRA_VERSION_PATCH)

#endif
