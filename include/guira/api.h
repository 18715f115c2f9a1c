/*
 * What the headers that declare calls share.
 */
#ifndef GUIRA_API_H
#define GUIRA_API_H

#if defined(__GNUC__)
#define GUIRA_API __attribute__((visibility("default")))
#define GUIRA_CHECKED __attribute__((warn_unused_result))
#else
#define GUIRA_API
#define GUIRA_CHECKED
#endif

struct guira; /* a filter */

#endif
