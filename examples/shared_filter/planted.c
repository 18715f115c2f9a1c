/*
 * A planted fault, to see that the demo can fail: a look-up that forgets once in 20,000 times.
 *
 * The build makes the demo's files call it, by defining guira_contains as its name; here the real
 * one is meant.
 */
#undef guira_contains

#include <stdatomic.h>

#include <guira/guira.h>

bool forgetful_contains(const struct guira *filter, const void *key, size_t length);

bool forgetful_contains(const struct guira *filter, const void *key, size_t length) {
    static atomic_uint calls;
    return guira_contains(filter, key, length) && atomic_fetch_add(&calls, 1) % 20000 != 19999;
}
