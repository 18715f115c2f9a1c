/*
 * What the units of the headers test offer one another.
 */
#ifndef GUIRA_TESTS_HEADERS_UNITS_H
#define GUIRA_TESTS_HEADERS_UNITS_H

#include <guira/guira.h>

#ifdef __cplusplus
extern "C" {
#endif

enum guira_status second_insert(struct guira *filter, uint64_t key);
size_t second_options_size(void);
size_t second_info_size(void);
bool third_contains(const struct guira *filter, uint64_t key);
size_t third_info_size(void);

#ifdef __cplusplus
}
#endif

#endif
