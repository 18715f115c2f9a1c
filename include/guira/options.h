/*
 * What a filter is made from. In the structs to be filled in zero means the default, so
 *
 *     struct guira_options options = {.capacity = 1000000, .false_positive_rate = 0.01};
 *
 * is complete.
 */
#ifndef GUIRA_OPTIONS_H
#define GUIRA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds of the options and their defaults; see the members. */
#define GUIRA_MAX_STRIPES 65536u
#define GUIRA_NO_MAXIMUM UINT64_MAX
#define GUIRA_MAX_SEARCH_BUDGET 4096u
#define GUIRA_DEFAULT_SEARCH_BUDGET 2000u
#define GUIRA_DEFAULT_FAILURE_CHANCE 1e-5
#define GUIRA_MIN_FAILURE_CHANCE 1e-6

/* Identities of the hash functions that come with the library. A user's own hash has an identity
 * from GUIRA_HASH_FIRST_USER up; it says which function made the keys of a filter. */
#define GUIRA_HASH_XXH3_64 1u
#define GUIRA_HASH_FIRST_USER 1024u

/*
 * A hash for byte-string keys. Equal bytes must give equal results for the life of the filter; the
 * function must be callable from many threads at once. It is called with no lock held. Its result
 * is passed through a seeded bijective finaliser, so good bits anywhere in the result are enough.
 * With a keyed function (SipHash, say) a filter withstands adversaries who choose keys; the default
 * hash does not withstand one who knows the seed.
 */
struct guira_hash_function {
    /* The hash of `length` bytes. */
    uint64_t (*function)(void *context, const void *key, size_t length, uint64_t seed);
    void *context;     /* handed to it */
    uint32_t identity; /* GUIRA_HASH_FIRST_USER or more; 0 when function is NULL */
};

/*
 * Where memory comes from. allocate returns `size` bytes aligned to `alignment` (a power of two, at
 * most 64), or NULL; release gets the same size and alignment back. The library calls them only
 * from calls that create, end, save, load, map, clone or merge a filter; of a filter that grows
 * allocate also from calls that change it, and release for its tables at its end only. Then a lock
 * is held that other calls wait for if they too want to start a growth, so allocate must not change
 * that filter; no lock is held otherwise.
 * Both NULL: the C library, and from 2 MiB on the system's pages, zeroed on first use, with huge
 * pages advised.
 */
struct guira_allocator {
    /* Memory of that size and alignment, or NULL. */
    void *(*allocate)(void *context, size_t size, size_t alignment);
    /* Takes it back. */
    void (*release)(void *context, void *memory, size_t size, size_t alignment);
    void *context; /* handed to both */
};

/* What guira_create makes a filter from. */
struct guira_options {
    /*
     * How many distinct keys must fit, 1 or more, and the false-positive rate, inside (0, 1), that
     * must hold when so many are there. The table is the smallest that keeps both promises
     * (docs/sizing.md). Tags end at 32 bits: below a rate of some 1e-9 the table grows as 1 / rate,
     * so ask guira_size_for first.
     */
    uint64_t capacity;
    double false_positive_rate;

    /*
     * How many distinct keys must fit once the filter has grown; 0, or the capacity: it does not
     * grow. Then `capacity` is what it begins with, and false_positive_rate must hold at
     * max_capacity; before, the rate is lower, as it is items / U at every moment. Memory follows
     * the items, but each doubling needs a bit more of each tag. GUIRA_NO_MAXIMUM: as far as tags
     * of 32 bits keep the rate. With explicit geometry: as many doublings as hold so many keys, or
     * as the tags allow; windows of one slot cannot grow. docs/growth.md tells how it works and
     * what it costs.
     */
    uint64_t max_capacity;

    /* The chance, GUIRA_MIN_FAILURE_CHANCE or more and below 1, that a fill with `capacity`
     * distinct keys fails, over random seeds. 0: GUIRA_DEFAULT_FAILURE_CHANCE. */
    double failure_chance;

    /* Spend less memory where that costs only speed: inserts near capacity search longer. Changes
     * something only for rates that are best served by windows of two slots (docs/sizing.md). */
    bool compact;

    /*
     * Instead of capacity and rate, for those who know: the number of buckets (2 or more), the
     * width of a tag (4 to 32 bits; a bucket has k = 64 / tag_bits slots) and how many consecutive
     * slots of a bucket a key may use (1 to k, less where the tag has no bit left for a
     * fingerprint). All three or none; compact must be off then. guira_capacity is 0 where nothing
     * can be promised, as with windows of one slot.
     */
    uint64_t buckets;
    uint32_t tag_bits;
    uint32_t window;

    /* Seed of the hash. 0: drawn from the operating system, never 0. guira_get_info tells it. */
    uint64_t seed;

    /* Hash of byte-string keys. All zero: XXH3, 64 bits, with the seed. */
    struct guira_hash_function hash;

    /* Parts of the table with a lock of their own, 1 to GUIRA_MAX_STRIPES, rounded so that each
     * covers the same power of two of buckets, so there may be fewer than asked for. 0: chosen from
     * processors and size. A filter that grows keeps their number. */
    uint32_t stripes;

    /* How many entries one search for room tries to move, 1 to GUIRA_MAX_SEARCH_BUDGET.
     * 0: GUIRA_DEFAULT_SEARCH_BUDGET. With less than that the promise of capacity is void. */
    uint32_t search_budget;

    /* No locks at all. The caller sees to it that a call that changes the filter, guira_reserve,
     * guira_shrink, a batch or merge into it too, overlaps no other such call, and no count, check,
     * save, clone, merge from it or fork call. Readers (contains, visit, what tells about the
     * filter) may overlap it freely. */
    bool single_writer;

    /* Where memory comes from. All zero: from the C library and the system. */
    struct guira_allocator allocator;

    uint64_t reserved[4]; /* zero */
};

/* A geometry and what it costs: the answer of guira_size_for. With default stripes the number of
 * stripes, and with it allocated_bytes, depends on the processors of this machine. Of a filter that
 * grows it is what it begins with; but capacity and rate_at_capacity are those of the end. */
struct guira_sizing {
    uint64_t capacity;         /* distinct keys that fit, but for the chance of failing */
    uint64_t buckets;          /* M */
    uint32_t tag_bits;         /* f */
    uint32_t slots_per_bucket; /* k */
    uint32_t window;           /* w */
    uint32_t stripes;          /* locks */
    uint32_t doublings;        /* how often the table can double in all; 0: it does not grow */
    uint32_t doubled;          /* how often it has, or is about to */
    uint64_t universe;         /* U: different elements; the rate is items / U */
    double rate_at_capacity;   /* capacity / U */
    uint64_t table_bytes;      /* of the buckets alone: 8 each, rounded up to lines or pages */
    uint64_t allocated_bytes;  /* of everything guira_create asks an allocator for */
    uint64_t reserved[4];      /* 0 */
};

/* A filter at one moment: the answer of guira_get_info. Counters start at 0 with the filter. */
struct guira_info {
    /* What it is now. While the filter grows buckets are those of the table that is filled,
     * table_bytes those of both. allocated_bytes are all that its allocator has given: also
     * left_bytes, and not the bytes of a mapped file. */
    struct guira_sizing sizing;
    bool is_growing;        /* two tables are in use; entries go from the one to the other */
    uint64_t left_bytes;    /* of tables that are no longer in use: only addresses, where they
                          * were the system's pages; an allocator's memory, until guira_destroy */
    uint64_t seed;          /* of the hash; never 0 */
    uint32_t hash_identity; /* of the function for keys that are bytes */
    uint32_t search_budget; /* as in guira_options, and so the next */
    bool single_writer;     /* no locks are taken */
    bool read_only;         /* mapped from a file, whose bytes table_bytes are; single_writer too */
    uint64_t slots;         /* k * M */
    uint64_t items;         /* as guira_size */
    double load;            /* items / slots */
    double rate;           /* items / U: the false-positive rate now, and less if elements repeat */
    uint64_t searches;     /* for paths that make room; an insert may need several */
    uint64_t nodes;        /* entries that those searches tried to move */
    uint64_t moves;        /* entries moved to their other slots to make room */
    uint64_t full_inserts; /* inserts that ended in GUIRA_FULL */
    uint64_t lost_races;   /* paths that another thread changed first; they were searched again */
    uint64_t reader_retries; /* look-ups that began again since something left their stripes, or, in
                              * a batch, those of a key beside them */
    uint64_t lock_waits;     /* times that a stripe's lock was found taken by another thread */
    uint64_t reserved[8];    /* 0 */
};

#endif
