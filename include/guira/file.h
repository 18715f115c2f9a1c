/*
 * Filters in files and streams: save, load, map. docs/format.md describes the format, which is the
 * same on every machine, to the byte.
 *
 *     status = guira_save_file(filter, NULL, "ids.guira");
 *     status = guira_load_file(NULL, "ids.guira", &filter);     a filter of one's own
 *     status = guira_map_file(NULL, "ids.guira", &filter);      read-only, over the file's pages
 *
 * A file brings back all that the filter is: its elements with their copies, geometry, seed,
 * capacity and search budget. What was growing goes on with it; a wish of guira_reserve that still
 * waits is lost. Stripes, statistics and the allocator are not part of it.
 *
 * Nothing in a file is trusted: whatever the bytes are, a load gives a whole filter or a status
 * that says what is wrong. The memory that it uses is bounded: of a regular file by the file's
 * length, in which the holes of a sparse file count; of a stream by some three times what came, and
 * 1 MiB. Where that is not enough, as with files of strangers, set max_table_bytes. The checksums
 * find damage, not forgery: who can write the file decides which elements are in the filter, though
 * nothing else.
 *
 * A file holds the seed as it is. Who can read it can tell which keys are in the filter, and make
 * keys that are taken for others; keep it from those who must not.
 *
 * The labels are those of guira.h; Threads and Order are about the filter. That two calls do not
 * use one descriptor, reader or writer at the same time is the caller's affair. errno tells why
 * after GUIRA_IO_FAILED, and else may have changed.
 */
#ifndef GUIRA_FILE_H
#define GUIRA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "options.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Callbacks must return. An exception or longjmp out of one loses the memory that the call has, and
 * if it saves in place also leaves all locks held.
 */

/*
 * Takes the next `length` bytes of a filter, 1 or more. Returns 0 when it took all of them;
 * anything else ends the save with GUIRA_CALLBACK_FAILED.
 */
typedef int (*guira_writer)(void *context, const void *bytes, size_t length);

/*
 * Gives the next bytes of a filter: at most `length`, which is 1 or more. Returns how many; 0 at
 * the end of the data; a negative number ends the load with GUIRA_CALLBACK_FAILED, and so does one
 * that is larger than length.
 */
typedef ptrdiff_t (*guira_reader)(void *context, void *bytes, size_t length);

/* NULL in its place, or all zero, is the default. */
struct guira_save_options {
    /* Do not copy the table before it is written. That spares memory of the table's size, but
     * writers, and count, wait until the last byte is written, not only while a copy is made.
     * A guira_writer may then make only those calls on this filter that take no lock, as between
     * guira_fork_prepare and guira_fork_release, and not wait for a thread that makes another. */
    bool in_place;

    uint64_t reserved[4]; /* zero */
};

/* NULL in its place, or all zero, is the default. */
struct guira_load_options {
    /* The hash of byte-string keys. It must have the identity that the file names; all zero if
     * that is XXH3, the library's own. */
    struct guira_hash_function hash;

    /* As in guira_options; but with a search_budget of 0 the file's is taken. A mapped filter has
     * one stripe and no locks, as it needs none. */
    uint32_t stripes;
    uint32_t search_budget;
    bool single_writer;

    /* guira_map_file only, ignored by others: do not read the table now. See there. */
    bool unverified;

    /* The most bytes that the table may have, 8 for each bucket, of both if the filter was growing:
     * more is GUIRA_TOO_LARGE, before memory is asked for or the file is mapped. 0: no limit. What
     * the filter grows to is not limited by it. */
    uint64_t max_table_bytes;

    /* Where the filter's memory comes from. All zero: as in guira_options. */
    struct guira_allocator allocator;

    uint64_t reserved[4]; /* zero */
};

/* ---- Save ----------------------------------------------------------------------------------- */

/*
 * How many bytes a save of the filter writes: always the same, however full it is. But if it grows
 * it is for the one or two tables that are in use at one instant inside the call; beside calls that
 * change the filter a save may find others. 0 if filter is NULL.
 */
GUIRA_API uint64_t guira_saved_size(const struct guira *filter);

/*
 * Hand the filter to a writer, byte for byte.
 *
 * options  read during the call only
 * writer   called again and again with the next bytes, until it has had all of them, see
 *          guira_saved_size, or refuses
 *
 * Returns GUIRA_OK; GUIRA_CALLBACK_FAILED; GUIRA_NO_MEMORY, or GUIRA_BAD_ALLOCATOR, for the copy
 * of the table; GUIRA_NULL_ARGUMENT; GUIRA_BAD_RESERVED; GUIRA_CORRUPT if the copy has not as many
 * entries as were counted, and then nothing was written; for a mapped filter that was not verified
 * also what guira_verify returns. What was written before a failure is no filter.
 * Threads: any; of a filter made with single_writer no call that changes it may run meanwhile.
 * If one does, GUIRA_CORRUPT notices it of most copies; with in_place nothing does.
 * Order: what is saved is the filter at one instant inside the call.
 * Progress: blocking; all locks are held for one copy of the table, or with in_place until the
 * writer had the last byte, see there. Readers never wait.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_save(const struct guira *filter,
                                                     const struct guira_save_options *options,
                                                     guira_writer writer, void *context);

/*
 * Likewise, to a file descriptor, from its position on. Nothing is flushed to the disk (fsync).
 *
 * fd  blocking: one that would have to wait and does not (EAGAIN) is GUIRA_IO_FAILED
 *
 * Returns what guira_save does, but GUIRA_IO_FAILED in place of GUIRA_CALLBACK_FAILED; then the
 * position is after what was written, which can be any part of the filter. A pipe or socket that
 * nobody reads any more raises SIGPIPE, as always, unless the program ignores it.
 */
GUIRA_API GUIRA_CHECKED enum guira_status
guira_save_fd(const struct guira *filter, const struct guira_save_options *options, int fd);

/*
 * Save to a file, which takes the place of what is there in one step: whoever opens the path, at
 * any time, also after a crash, finds the old file whole or the new one whole. Filters that are
 * mapped from the old file keep it.
 *
 * path  names a regular file or nothing; its folder must be readable and writable. A new file gets
 *       the permissions of the one it replaces, or 0666 less the umask; owner, group and access
 *       control lists are not kept. A symbolic link to a file, or to nothing, is replaced, not
 *       what it points to, by a file with that one's permissions. Anything else that is there is
 *       refused: GUIRA_IO_FAILED, errno EISDIR for a folder, EINVAL for the rest. A file that is
 *       itself protected from writing is replaced, by one that is protected likewise
 *
 * Returns what guira_save_fd does, and GUIRA_NO_ENTROPY. After a failure the path is what it was
 * before; with one exception: if all is written but flushing the folder fails, the status is
 * GUIRA_IO_FAILED and the path may name the new file. Nothing else is left behind, but for a file
 * .guira-* beside the path if the process or the machine stops meanwhile, or unlink fails. Wrong
 * options, and a mapped filter that does not verify, are found before the disk is touched.
 * Threads: as guira_save; any number of savers of one path, in any processes: the last to finish is
 * what stays.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_save_file(const struct guira *filter,
                                                          const struct guira_save_options *options,
                                                          const char *path);

/* ---- Load ----------------------------------------------------------------------------------- */

/*
 * Make a filter from what a reader gives.
 *
 * options  read during the call only
 * reader   called again and again for the next bytes; it is never asked for a byte after the
 *          filter's last one, so more data may follow
 * out      receives the filter; written only on success
 *
 * Returns GUIRA_OK, or the first in this order that is true:
 *   GUIRA_NULL_ARGUMENT, GUIRA_BAD_STRIPES, GUIRA_BAD_SEARCH_BUDGET, GUIRA_BAD_HASH,
 *   GUIRA_BAD_ALLOCATOR, GUIRA_BAD_RESERVED   of the arguments; nothing was read
 *   GUIRA_NOT_A_FILTER       the first 8 bytes, or as many as there are, are not a filter's
 *   GUIRA_TRUNCATED          they end before the header does
 *   GUIRA_BAD_HEADER         the header is damaged
 *   GUIRA_NEWER_FORMAT       they are of a version that this library does not know
 *   GUIRA_IMPOSSIBLE_HEADER  the header is not damaged, but there is no such filter
 *   GUIRA_OTHER_HASH         its byte-string keys are hashed by another function than the one given
 *   GUIRA_TOO_LARGE          it exceeds max_table_bytes, or this machine's addresses, in which the
 *                            largest table that it can grow to must have room
 *   GUIRA_TRUNCATED          the data end before the filter does
 *   GUIRA_BAD_CHECKSUM       the table is damaged
 *   GUIRA_IMPOSSIBLE_TAG     the table holds what no key can have put there
 *   GUIRA_WRONG_COUNT        the table holds more or fewer entries than the header says
 * and whenever it happens GUIRA_CALLBACK_FAILED, if the reader fails; GUIRA_NO_MEMORY, or
 * GUIRA_BAD_ALLOCATOR if the allocator returned misaligned memory.
 * Threads: any. The filter is handed to other threads by the caller's own means.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_load(const struct guira_load_options *options,
                                                     guira_reader reader, void *context,
                                                     struct guira **out);

/*
 * Likewise, from a file descriptor's position on, up to the filter's last byte and no further.
 *
 * fd  of a file, or of a pipe or a stream socket that blocks: one that would have to wait and does
 *     not, or has waited for too long (EAGAIN), is GUIRA_IO_FAILED. Short reads and signals (EINTR)
 *     are gone on with. Sockets that keep the bounds of messages would lose bytes
 *
 * Returns what guira_load does, but GUIRA_IO_FAILED in place of GUIRA_CALLBACK_FAILED. After
 * GUIRA_OK, and what is found when all was read (GUIRA_BAD_CHECKSUM, GUIRA_IMPOSSIBLE_TAG,
 * GUIRA_WRONG_COUNT), the position is after the filter; after another failure it is somewhere
 * before its end. It waits for 8 bytes before it judges any, and then for a header of 128. Of a
 * regular file that is too short GUIRA_TRUNCATED is found before memory is asked for.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_load_fd(const struct guira_load_options *options,
                                                        int fd, struct guira **out);

/*
 * Likewise, from a file, which must hold the filter and nothing else. A named pipe is waited for
 * and read to its end.
 *
 * Returns what guira_load_fd does, and GUIRA_TRAILING_BYTES if bytes follow.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_load_file(const struct guira_load_options *options,
                                                          const char *path, struct guira **out);

/* ---- Map ------------------------------------------------------------------------------------ */

/*
 * Make a read-only filter over the pages of a file. All processes that map the file share its
 * memory, which the system can take back and read again; nothing is copied. The file must be a
 * regular one, and nobody may write to it or make it shorter while it is mapped; replacing it, by
 * guira_save_file or rename, is allowed: the filter keeps the old one.
 *
 * Without the option `unverified` the whole file is read once, to check it as guira_load does.
 * With it only the header is, and the call takes the same short time at any size. Then contains
 * and count answer by whatever the table holds: safe with any bytes, but if the file is damaged
 * keys may be missed. visit, check, save, clone and merge verify it first; size and information
 * tell what the header says.
 *
 * Returns what guira_load_file does. Insert, insert_unique, remove, clear and merging into the
 * filter return GUIRA_READ_ONLY; in a batch each key does, and the batch GUIRA_PARTIAL. Of what is
 * no regular file it returns GUIRA_IO_FAILED with ENODEV, without waiting.
 * Threads: as of any filter; nothing waits.
 * On machines that are not little-endian or have no 64-bit addresses the filter is loaded, not
 * mapped, into memory of its own, and is read-only all the same.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_map_file(const struct guira_load_options *options,
                                                         const char *path, struct guira **out);

/*
 * Read the whole table of a mapped filter and check it, as guira_map_file does without the option
 * `unverified`, now or again. A filter that is not mapped was checked when it was loaded: GUIRA_OK.
 *
 * Returns GUIRA_OK, GUIRA_BAD_CHECKSUM, GUIRA_IMPOSSIBLE_TAG, GUIRA_WRONG_COUNT,
 * GUIRA_NULL_ARGUMENT.
 * Progress: time proportional to the table.
 */
GUIRA_API GUIRA_CHECKED enum guira_status guira_verify(const struct guira *filter);

#ifdef __cplusplus
}
#endif

#endif
