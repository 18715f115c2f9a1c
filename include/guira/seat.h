/*
 * A seat: one filter at a time has it and serves, and another can take its place while threads look
 * keys up: one that was built aside, with another seed, other options or another capacity, from the
 * keys' own store. guira.h includes this and explains the labels; docs/embedding.md shows a rebuild
 * from its beginning to a change of mind.
 *
 * Readers do not register and are never waited for. So a filter that had the seat must not be
 * destroyed as long as a reader may be late: guira_seat_retire gives its memory back and leaves the
 * rest to the end of the seat.
 */
#ifndef GUIRA_SEAT_H
#define GUIRA_SEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct guira_seat;

/*
 * Make a seat, whose memory is of the first filter's allocator.
 *
 * first  the filter that serves from now on; it belongs to the seat
 * out    receives the seat; written only on success
 *
 * Returns GUIRA_OK, GUIRA_NULL_ARGUMENT, GUIRA_NO_MEMORY, or GUIRA_BAD_ALLOCATOR if the allocator
 * returned misaligned memory; then the filter is the caller's as before.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_seat_create(struct guira *first,
                                                            struct guira_seat **out);

/*
 * End a seat, the filter that has it, and all that were retired. NULL does nothing.
 *
 * Threads: no other call may run on the seat or these filters, now or later.
 */
GUIRA_API void guira_seat_destroy(struct guira_seat *seat);

/*
 * The filter that serves. NULL if seat is NULL.
 *
 * Another may take its place at once, so ask again for each key or batch, and after a look-up that
 * found nothing look again unless the answer is still the same filter, as guira_seat_contains does.
 * To write, see guira_seat_replace.
 * Order: acquires what the thread did before that put the filter there.
 */
GUIRA_API struct guira *guira_seat_filter(const struct guira_seat *seat);

/*
 * Is the key in the filter that serves? As guira_contains and guira_contains_u64.
 *
 * Progress: lock-free; it begins again if the filter was replaced meanwhile.
 * Guarantee: never false for a key that is, during the whole call, in every filter that serves.
 */
GUIRA_API bool guira_seat_contains(const struct guira_seat *seat, const void *key, size_t length);
GUIRA_API bool guira_seat_contains_u64(const struct guira_seat *seat, uint64_t key);

/*
 * Let another filter serve, in one step: readers see the one or the other, and never neither.
 *
 * next  the filter that serves from now on; it belongs to the seat. It may be one that served
 *       before and was not retired, provided that since then no key has left it that was to be
 *       found in the seat: readers that are late may be asking it all the time
 * old   receives the filter that served, which is the caller's again: to go back to, to write to,
 *       or to retire. It must not be destroyed, unless no reader can be in a call that began before
 *
 * Returns GUIRA_OK; GUIRA_NULL_ARGUMENT, or GUIRA_CONFLICT if `next` serves already or was
 * retired, and then nothing was done.
 * Writers that are to lose nothing write to both filters, from before the keys' store is read for
 * the new one until none of them can still hold the old: see docs/embedding.md.
 * Threads: any.
 * Order: one step, in one order with all look-ups and changes.
 */
GUIRA_API GUIRA_CHECKED enum guira_status
guira_seat_replace(struct guira_seat *seat, struct guira *next, struct guira **old);

/*
 * Give back the memory of a filter that had the seat: the pages of its tables go to the system at
 * once, its addresses and what came from an allocator of yours or the C library at the seat's end.
 * It belongs to the seat and must not be used again. Readers that are late find it empty or as
 * it was; who finds nothing looks in the one that serves. A filter that never had the seat is taken
 * in the same way, but guira_destroy, once nobody uses it, gives back all of it.
 *
 * Returns GUIRA_OK, GUIRA_NULL_ARGUMENT, or GUIRA_CONFLICT if the filter serves or was retired.
 * Threads: any; no thread may write to the filter any more.
 */
GUIRA_API enum guira_status guira_seat_retire(struct guira_seat *seat, struct guira *old);

#ifdef __cplusplus
}
#endif

#endif
