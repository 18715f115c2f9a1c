/*
 * What a call can answer. 0 is success; every other outcome and every rejection has a number of its
 * own, which keeps its meaning for ever: numbers are added, never reused.
 */
#ifndef GUIRA_STATUS_H
#define GUIRA_STATUS_H

/* Every answer of a call; guira_status_text says it in English. */
enum guira_status {
    GUIRA_OK = 0, /* done */

    /* Expected outcomes of a correct call. The filter is as it was before the call; after a batch
     * it is so for each key whose own result is not GUIRA_OK. */
    GUIRA_FULL = 1,      /* insert: no way to make room was found within the search budget */
    GUIRA_LIMIT = 2,     /* insert: every slot that this element can use already holds it */
    GUIRA_EXISTS = 3,    /* insert_unique: the element is there already */
    GUIRA_NOT_FOUND = 4, /* remove: the element is not there */
    GUIRA_STOPPED = 5,   /* visit: the visitor asked to stop */
    GUIRA_PARTIAL = 6,   /* a batch: not every key's own result is GUIRA_OK */

    /* The system could not help. No filter was created or changed and nothing is leaked; what a
     * save had written already stays written, see file.h. */
    GUIRA_NO_MEMORY = 16,       /* an allocation failed; insert: there is no room without it */
    GUIRA_NO_ENTROPY = 17,      /* the operating system gave no random seed */
    GUIRA_IO_FAILED = 18,       /* a call on a file failed; errno says why */
    GUIRA_CALLBACK_FAILED = 19, /* the reader or the writer failed, or gave more than was asked */

    /* The table breaks an invariant: memory was overwritten, a filter without locks was changed
     * during a call that must not overlap changes, or this library has a fault. */
    GUIRA_CORRUPT = 24,

    /* Rejected arguments. Nothing was created or changed. */
    GUIRA_NULL_ARGUMENT = 32, /* a pointer that must not be null is null */
    GUIRA_BAD_CAPACITY = 33,  /* it is 0 without explicit geometry, or above max_capacity */
    GUIRA_BAD_RATE = 34,      /* the false-positive rate is not inside (0, 1), or NaN */
    GUIRA_BAD_FAILURE_CHANCE =
        35,                  /* the chance of failing is below the least, not below 1, or NaN */
    GUIRA_BAD_GEOMETRY = 36, /* no table has these buckets, tag bits and window */
    GUIRA_BAD_STRIPES = 37,  /* more than GUIRA_MAX_STRIPES stripes */
    GUIRA_BAD_SEARCH_BUDGET = 38, /* more than GUIRA_MAX_SEARCH_BUDGET nodes */
    GUIRA_BAD_HASH = 39,          /* a hash function without identity, or the reverse */
    GUIRA_BAD_ALLOCATOR = 40,     /* one hook without the other, or misaligned memory */
    GUIRA_BAD_RESERVED = 41,      /* a reserved option is not zero */
    GUIRA_CONFLICT = 42,  /* explicit geometry with capacity, rate, ...; a filter that has a seat */
    GUIRA_TOO_LARGE = 43, /* past addresses, 64-bit elements, or max_table_bytes */
    GUIRA_BAD_KEYS = 44,  /* keys of a batch that are of no form, or longer than memory */

    /* Filters, or a filter and its file, that do not fit together. Nothing was changed. */
    GUIRA_READ_ONLY = 48,      /* a mapped filter cannot be changed */
    GUIRA_OTHER_HASH = 49,     /* not the same hash function for keys that are bytes */
    GUIRA_OTHER_SEED = 50,     /* not the same seed */
    GUIRA_OTHER_UNIVERSE = 51, /* not as many different elements */

    /* What was read is no filter, or none that this library can use. Nothing was created. */
    GUIRA_NOT_A_FILTER = 64, /* it begins otherwise than filters do */
    GUIRA_NEWER_FORMAT = 65, /* of a version, or with a flag, that this library does not know */
    GUIRA_BAD_HEADER = 66,   /* the header does not fit its checksum */
    GUIRA_IMPOSSIBLE_HEADER = 67, /* the header fits its checksum, but no filter is like that */
    GUIRA_TRUNCATED = 68,         /* it ends too early */
    GUIRA_TRAILING_BYTES = 69,    /* the file goes on after the filter */
    GUIRA_BAD_CHECKSUM = 70,      /* the table does not fit its checksum */
    GUIRA_IMPOSSIBLE_TAG = 71,    /* the table holds what no key can have put there */
    GUIRA_WRONG_COUNT = 72        /* the table holds more or fewer entries than the header says */
};

#endif
