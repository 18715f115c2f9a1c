/*
 * What is measured, behind one interface: a filter, a table, or bare memory.
 *
 * An operation takes an array of keys and returns for how many of them it succeeded, so this
 * interface is crossed once for hundreds of keys. Inside, a target goes key by key through the
 * calls that its users would make, or in batches if that is what it stands for. Keys are 64-bit
 * integers, or records of wish.key_bytes bytes.
 */
#ifndef GUIRA_BENCH_TARGET_H
#define GUIRA_BENCH_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wish {
    unsigned log2_slots;
    double rate;        /* of false positives, for targets that come in several geometries */
    unsigned key_bytes; /* 0: integers */
    unsigned batch;     /* keys that targets with batches take at once; 0: as many as may be */
    uint64_t seed;
};

typedef size_t (*target_call)(void *table, const void *keys, size_t count);

struct target {
    const char *name;
    void *(*create)(const struct wish *wish);
    void (*destroy)(void *table);
    void (*clear)(void *table);
    target_call lookup;                  /* how many were found */
    target_call insert;                  /* how many went in; stops at the first that does not */
    target_call remove;                  /* how many were there; NULL: cannot remove */
    target_call fill;                    /* like insert, the fastest way there is; NULL: insert */
    bool fill_shared;                    /* threads may fill at once */
    uint64_t (*size)(const void *table); /* how many keys are there; NULL: does not know */
    double design; /* the load, of the slots wished for, that it is made for; 0: guira's own */
    double rate;   /* of false positives at most, at any load; 0: a little above the one wished */
    unsigned granule; /* keys that it takes in one call */
    bool shared;      /* threads may do all the rest at once */
};

extern const struct target target_guira;
extern const struct target target_guira_batch;
extern const struct target target_guira_scalar;
extern const struct target target_guira_single_writer;
extern const struct target target_guira_records;
extern const struct target target_textbook;
extern const struct target target_textbook_mutex;
extern const struct target target_textbook_rwlock;
extern const struct target target_libcuckoo;
extern const struct target target_libbloom;
extern const struct target target_libbloom_mutex;
extern const struct target target_blocked_bloom;
extern const struct target target_line;
extern const struct target target_two_lines;
extern const struct target target_line_prefetched;
extern const struct target target_two_lines_prefetched;

#ifdef __cplusplus
}
#endif

#endif
