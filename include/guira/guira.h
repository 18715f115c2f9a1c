/*
 * guira: one cuckoo filter shared by many threads.
 *
 * A filter is a multiset of elements. A key's hash, 64 bits, is mapped to an element x, an integer
 * in [0, U); guira_get_info tells U. All that the calls do is defined on that multiset:
 *
 *     insert adds one x, remove takes one x away, contains asks whether there is one, and count how
 *     many there are.
 *
 * So a key that was inserted and not removed is always found: there is no false negative, at any
 * moment, whatever other threads do. And with n distinct elements in the filter a key that was
 * never inserted is found with probability n / U exactly (to a relative error of U / 2^64).
 *
 * Keys come in three forms, each with its own name. One filter should be used with one form: the
 * same number as bytes, as a u64 and as a uniform hash is three different keys.
 *
 *     guira_insert(f, key, length)   bytes: any length, 0 too, any alignment; hashed with the seed
 *     guira_insert_u64(f, key)       an integer, sequential ids too; mixed with the seed
 *     guira_insert_uniform(f, hash)  64 bits that are uniform already: made by guira_hash or
 *                                    guira_hash_u64 of a filter with the same seed and hash. Taken
 *                                    as they are: small integers here would all be one element.
 *
 * How the declarations below are labelled:
 *
 *   Threads    what may run at the same time on the same filter
 *   Order      what one thread may conclude about what another did before
 *   Progress   wait-free: ends in a bounded number of steps; lock-free: some call completes however
 *              threads are delayed; blocking: a thread that is descheduled inside a call can delay
 *              this one
 *   Guarantee  what holds for the answer
 *
 * Unless a declaration says otherwise:
 *
 *   Threads    everything but guira_destroy may run at the same time, from any number of threads;
 *              of a filter made with the option single_writer, readers beside one writer: see
 *              there which calls are readers.
 *   Order      the operations on elements are linearizable, all elements and threads together: each
 *              takes effect at one instant inside its call, and these instants are one sequence. A
 *              thread that sees the effect of another's call also sees all that the other thread
 *              wrote to memory before that call.
 *   Progress   wait-free, but for what an allocator or a hash of your own does.
 *   Failures   every status but GUIRA_OK means that the filter holds what it held before. A filter
 *              that is mapped from a file, see file.h, answers GUIRA_READ_ONLY to what would change
 *              it.
 *
 * A signal handler must not use a filter that the thread it interrupts may be using, and a thread
 * must not be cancelled inside a call. errno may change. Inserts, merges and saves need 96 KiB of
 * stack; what a callback needs comes on top. Across fork: see guira_fork_prepare.
 *
 * Sources: the filter, Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo Filter: Practically Better
 * Than Bloom", CoNEXT 2014; search before locking, Fan, Andersen, Kaminsky, "MemC3", NSDI 2013;
 * overlapping windows, Schmitz, Zentgraf, Rahmann, "Smaller and More Flexible Cuckoo Filters",
 * 2025. What is this library's own is argued in docs/design.md and docs/memory-model.md.
 */
#ifndef GUIRA_GUIRA_H
#define GUIRA_GUIRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "file.h"
#include "keys.h"
#include "merge.h"
#include "options.h"
#include "seat.h"
#include "status.h"
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Life ----------------------------------------------------------------------------------- */

/*
 * Make an empty filter.
 *
 * options  what is wanted; read during the call only
 * out      receives the filter; written only on success
 *
 * Returns GUIRA_OK, or the reason: GUIRA_NULL_ARGUMENT, one of GUIRA_BAD_CAPACITY ...
 * GUIRA_TOO_LARGE for what the options ask, GUIRA_NO_MEMORY, GUIRA_NO_ENTROPY, and
 * GUIRA_BAD_ALLOCATOR also when the allocator returned misaligned memory. Nothing is leaked.
 * Choosing a geometry for a capacity and a rate takes some milliseconds, at any size.
 * Threads: any. The filter is handed to other threads by the caller's own means.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_create(const struct guira_options *options,
                                                       struct guira **out);

/*
 * End a filter and give its memory back. NULL is allowed and does nothing.
 *
 * Threads: no other call may run on the filter, now or later.
 */
GUIRA_API void guira_destroy(struct guira *filter);

/*
 * What guira_create would make of these options: geometry, capacity, bytes. Allocates nothing.
 *
 * Returns GUIRA_OK, or what guira_create would say of the options; out is written only on success.
 */
GUIRA_API enum guira_status guira_size_for(const struct guira_options *options,
                                           struct guira_sizing *out);

/* ---- Keys as bytes -------------------------------------------------------------------------- */

/*
 * Add one copy of the key.
 *
 * key      `length` bytes at any alignment; NULL only when length is 0
 * length   bytes, 0 or more
 *
 * Returns GUIRA_OK, the key is in the filter once more; GUIRA_LIMIT, all 2 * window slots that this
 * element can use hold it already; GUIRA_FULL, no room was found within the search budget (insert
 * the same or another key later, or use a larger filter; nothing was lost); GUIRA_NULL_ARGUMENT. A
 * filter that grows answers GUIRA_FULL where it cannot or must not grow (docs/growth.md), and
 * GUIRA_NO_MEMORY or GUIRA_BAD_ALLOCATOR if it had to, and got no memory; later inserts try again.
 * GUIRA_FULL is never the outcome of a lost race: while other threads move entries about, the call
 * searches again, and gives up only after whole searches that failed. The promise of room, see
 * guira_capacity, is for distinct keys: further copies of a key compete for the same few slots, so
 * one may be refused with GUIRA_FULL or GUIRA_LIMIT at any load.
 * Progress: blocking; locks are held for one slot, or for one path of at most 11 slots. While a
 * filter grows each call that changes it also moves the entries of up to eight buckets, in the
 * same manner, but those that stay in one stripe under one lock; the call that starts a growth asks
 * for memory, and has the new table zeroed if it does not come from the system's pages.
 * Guarantee: after GUIRA_OK, contains is true until as many removes as inserts of this element.
 */
GUIRA_API enum guira_status guira_insert(struct guira *filter, const void *key, size_t length);

/*
 * Add the key unless its element is there already. As guira_insert, but returns GUIRA_EXISTS when
 * the element is there, put there by this key or, with the false-positive rate, by another. Of any
 * number of threads that do this with one absent key exactly one hears GUIRA_OK.
 *
 * Do not mix it with guira_remove: two keys that share an element share the one entry, so removing
 * one of them removes both. Filters that remove keys use guira_insert.
 */
GUIRA_API enum guira_status guira_insert_unique(struct guira *filter, const void *key,
                                                size_t length);

/*
 * Is the key in the filter?
 *
 * Returns true for every key that is there; for others true with probability n / U. False if an
 * argument is NULL that must not be.
 * Progress: lock-free, whatever writers do, descheduled in the middle of a change or not; it begins
 * again only if a change to the same part of the table was completed meanwhile. A true answer needs
 * one pass: two reads of the table, four while the filter grows. A growth that starts or ends
 * counts as a change to every part.
 * Guarantee: never false for a key that is there during the whole call.
 */
GUIRA_API bool guira_contains(const struct guira *filter, const void *key, size_t length);

/*
 * Take one copy of the key away.
 *
 * Returns GUIRA_OK; GUIRA_NOT_FOUND, no copy was there; GUIRA_NULL_ARGUMENT.
 * Remove only keys that you inserted. If a key was never inserted but its element is there, put
 * there by another key (probability n / U), its entry is taken away and that other key is lost.
 * Removing an absent key whose element is absent too changes nothing.
 * Progress: blocking; a lock is held for one slot. GUIRA_NOT_FOUND is usually found lock-free. Of a
 * filter that grows see guira_insert.
 */
GUIRA_API enum guira_status guira_remove(struct guira *filter, const void *key, size_t length);

/*
 * How many copies of the key's element are in the filter: 0 to 2 * window (at most 32). 0 also if
 * an argument is NULL that must not be. Exact at one instant inside the call.
 * Progress: blocking; two locks are held for two reads, while the filter grows three for four.
 */
GUIRA_API unsigned guira_count(const struct guira *filter, const void *key, size_t length);

/* ---- Keys as integers: as above, but `key` is a 64-bit integer, each its own key ------------- */

GUIRA_API enum guira_status guira_insert_u64(struct guira *filter, uint64_t key);
GUIRA_API enum guira_status guira_insert_unique_u64(struct guira *filter, uint64_t key);
GUIRA_API bool guira_contains_u64(const struct guira *filter, uint64_t key);
GUIRA_API enum guira_status guira_remove_u64(struct guira *filter, uint64_t key);
GUIRA_API unsigned guira_count_u64(const struct guira *filter, uint64_t key);

/* ---- Hashes made beforehand: as above, but `hash` must be uniform, see the top --------------- */

/*
 * The uniform hash of a key: guira_insert_uniform(f, guira_hash(f, key, length)) is
 * guira_insert(f, key, length), and so with the other calls. Hashes may be carried to any filter
 * that has the same seed and hash identity. 0 if an argument is NULL that must not be.
 */
GUIRA_API uint64_t guira_hash(const struct guira *filter, const void *key, size_t length);
GUIRA_API uint64_t guira_hash_u64(const struct guira *filter, uint64_t key);

GUIRA_API enum guira_status guira_insert_uniform(struct guira *filter, uint64_t hash);
GUIRA_API enum guira_status guira_insert_unique_uniform(struct guira *filter, uint64_t hash);
GUIRA_API bool guira_contains_uniform(const struct guira *filter, uint64_t hash);
GUIRA_API enum guira_status guira_remove_uniform(struct guira *filter, uint64_t hash);
GUIRA_API unsigned guira_count_uniform(const struct guira *filter, uint64_t hash);

/* ---- Many keys at once ----------------------------------------------------------------------- */

/*
 * A batch does for each of its keys what the single call does, faster: the cache misses of many
 * keys overlap. Where a filter exceeds the processor's caches that is worth a factor.
 *
 * keys     made by guira_keys_u64, _uniform, _records or _pointers; any number, 0 too. Equal keys
 *          may be among them
 * results  one for each key, at the same index; written for all keys unless the call is refused. It
 *          must not overlap the keys, which nobody may change during the call
 *
 * Returns for insert, insert_unique and remove GUIRA_OK if every result is GUIRA_OK, and
 * GUIRA_PARTIAL if not; for contains and count GUIRA_OK, whatever was found. A key that is NULL
 * where it must not be gets what the single call answers (false, 0, or GUIRA_NULL_ARGUMENT), and
 * makes it GUIRA_PARTIAL for all. GUIRA_NULL_ARGUMENT if filter is NULL, or if there are keys and
 * results or what keys point to is NULL; GUIRA_BAD_KEYS if keys are of no form, or longer than
 * memory: then nothing was done.
 * Order: each key is an operation of its own, which takes effect at its own instant inside the
 * call: in the order of the keys, but for contains and count, whose order is not defined. A batch
 * is not one step, to nobody.
 * Progress, Guarantee: for each key as in the single call. A look-up may also begin again because
 * of a change near one of the few keys beside it. A key that fails changes nothing, and the others
 * are done.
 * These are inline functions; batch.h tells of what the library exports for them.
 */
static inline enum guira_status guira_contains_batch(const struct guira *filter,
                                                     struct guira_keys keys, bool *results);
static inline enum guira_status guira_count_batch(const struct guira *filter,
                                                  struct guira_keys keys, unsigned *results);
static inline enum guira_status guira_insert_batch(struct guira *filter, struct guira_keys keys,
                                                   enum guira_status *results);
static inline enum guira_status
guira_insert_unique_batch(struct guira *filter, struct guira_keys keys, enum guira_status *results);
static inline enum guira_status guira_remove_batch(struct guira *filter, struct guira_keys keys,
                                                   enum guira_status *results);

/* ---- The whole filter ----------------------------------------------------------------------- */

/*
 * The number of entries: inserts that succeeded less removes that succeeded. Exact when no writer
 * runs; beside writers it may miss or include what overlaps the call, and never wraps.
 * 0 if filter is NULL. Reads one number a stripe.
 */
GUIRA_API uint64_t guira_size(const struct guira *filter);

/*
 * How many distinct keys fit, but for the chance of failing: the capacity that was asked for, or
 * with explicit geometry the largest for which the promise is known to hold (it may be 0 there). Of
 * a filter that grows it is what fits when it has grown. More may fit, less surely. 0 if filter is
 * NULL.
 */
GUIRA_API uint64_t guira_capacity(const struct guira *filter);

/*
 * Have a filter that grows begin to grow now, to where so many keys have room, instead of step by
 * step while they are inserted. The work is done by the calls that change the filter; while two
 * tables are in use a larger wish waits until the older one is empty, and is given up if there is
 * no memory then.
 *
 * items  distinct keys, 0 or more; a smaller number than before takes nothing back
 *
 * Returns GUIRA_OK; GUIRA_TOO_LARGE if that is more than guira_capacity; GUIRA_NO_MEMORY or
 * GUIRA_BAD_ALLOCATOR if there was no table to be had; GUIRA_READ_ONLY; GUIRA_NULL_ARGUMENT. A
 * filter that does not grow has room for its capacity from the beginning: GUIRA_OK.
 * Progress: blocking; no stripe is locked. Takes the time of one allocation.
 */
GUIRA_API enum guira_status guira_reserve(struct guira *filter, uint64_t items);

/*
 * Have a filter that grew begin to go back to half its buckets, if its keys would fill them less
 * than half; else, and while two tables are in use, nothing is done. As with growth, the work is
 * done by the calls that change the filter. Several levels take several calls, each after the last
 * one's work: guira_get_info tells.
 *
 * Returns GUIRA_OK, also if nothing was to be done; GUIRA_NO_MEMORY or GUIRA_BAD_ALLOCATOR if there
 * was no table to be had; GUIRA_READ_ONLY; GUIRA_NULL_ARGUMENT.
 * Entries that find no room in the smaller table, as many copies of few keys may, stay where they
 * are: then both tables stay in use, and inserts that find no room answer GUIRA_FULL, until some
 * leave.
 * Progress: as guira_reserve.
 */
GUIRA_API enum guira_status guira_shrink(struct guira *filter);

/*
 * Remove everything.
 *
 * Returns GUIRA_OK, GUIRA_NULL_ARGUMENT, or GUIRA_READ_ONLY if the filter is mapped.
 * Order: to count and to calls that change the filter it is one step. To look-ups beside it, and to
 * what answers without locks (GUIRA_NOT_FOUND, GUIRA_EXISTS), elements go one by one.
 * Progress: blocking; all locks are held for a pass over the table. What has grown keeps its size.
 */
GUIRA_API enum guira_status guira_clear(struct guira *filter);

/*
 * Geometry, seed, bytes, load, rate and statistics of the filter.
 *
 * Returns GUIRA_OK or GUIRA_NULL_ARGUMENT; out is written only on success.
 * Order: beside writers the numbers need not belong to one instant.
 */
GUIRA_API enum guira_status guira_get_info(const struct guira *filter, struct guira_info *out);

/*
 * The element, in [0, U), that a uniform hash means in this filter. 0 if filter is NULL.
 */
GUIRA_API uint64_t guira_element(const struct guira *filter, uint64_t hash);

/* Called with each distinct element and its multiplicity (1 or more); false ends the visit. */
typedef bool (*guira_visitor)(void *context, uint64_t element, unsigned multiplicity);

/*
 * Call the visitor once for each distinct element, in no particular order. No lock is held: the
 * visitor may call anything on the filter but guira_destroy.
 *
 * Returns GUIRA_OK, GUIRA_STOPPED if the visitor returned false, GUIRA_NULL_ARGUMENT; of a mapped
 * filter that was not verified also what guira_verify returns.
 * Order: exact while no writer runs. Beside writers an element that comes, goes or is moved
 * meanwhile may be reported twice or not at all; one of which no copy does is reported once. A
 * filter that grows moves them all. What goes from table to table is met where it goes to, so it
 * may be reported once in each; what is moved inside one, to make room, may be missed as ever.
 * Progress: time proportional to the table, or to those that come meanwhile.
 */
GUIRA_API enum guira_status guira_visit(const struct guira *filter, guira_visitor visitor,
                                        void *context);

/*
 * Walk the whole table, or both while the filter grows, and verify every invariant that
 * docs/design.md numbers.
 *
 * invariant  receives the number of the first one found broken, 0 if none; may be NULL
 *
 * Returns GUIRA_OK, GUIRA_CORRUPT, GUIRA_NULL_ARGUMENT; of a mapped filter that was not verified
 * also what guira_verify returns, and then invariant is not written.
 * Order: what it sees is the table at one instant.
 * Progress: blocking; all locks are held for a pass over the table. Readers do not wait.
 */
GUIRA_API enum guira_status guira_check(const struct guira *filter, unsigned *invariant);

/*
 * Around fork, in a process whose other threads may be inside calls: guira_fork_prepare before
 * fork, and guira_fork_release after it, in the parent and in the child (pthread_atfork takes
 * wrappers of both). Then parent and child have a whole filter each. Without them the child may
 * only call contains, the simple questions (size, capacity, info, hash, element, visit) and
 * destroy.
 *
 * Threads: the thread that prepares is the one that releases. In between it may only make the calls
 * that take no lock (contains, size, capacity, get_info, hash, element, visit); any other, a second
 * prepare too, would wait for itself for ever. So in the child. NULL is allowed and does nothing.
 * Progress: blocking; prepare takes all locks, so writers wait until the release.
 */
GUIRA_API void guira_fork_prepare(struct guira *filter);
GUIRA_API void guira_fork_release(struct guira *filter);

/* A short English description of a status, never NULL, for any value at all. */
GUIRA_API const char *guira_status_text(enum guira_status status);

/* The version of the library that runs, which may be newer than the header compiled against:
 * GUIRA_VERSION_NUMBER there. */
GUIRA_API unsigned guira_version_number(void);
GUIRA_API const char *guira_version_text(void);

#ifdef __cplusplus
}
#endif

#include "batch.h"

#endif
