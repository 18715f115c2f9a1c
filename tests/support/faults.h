/*
 * The system's calls on files, wrapped by the linker (WRAP in CMakeLists.txt): each can be counted,
 * made to fail, interrupted, cut short, or be the process's last. Of those that succeed close and
 * unlinkat change errno, as they may. While `faults.on` is false all are as ever.
 */
#ifndef GUIRA_TESTS_FAULTS_H
#define GUIRA_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

enum call {
    CALL_OPEN,
    CALL_OPENAT,
    CALL_READ,
    CALL_WRITE,
    CALL_FSYNC,
    CALL_CLOSE,
    CALL_RENAMEAT,
    CALL_UNLINKAT,
    CALL_FSTAT,
    CALL_FSTATAT,
    CALL_FCHMOD,
    CALL_LSEEK,
    CALL_MMAP,
    CALL_GETENTROPY,
    CALL_KINDS
};

struct faults {
    bool on;
    unsigned calls[CALL_KINDS];
    enum call kind;      /* of the call that fails */
    unsigned fail_at;    /* which of them, from 1; 0: none */
    bool and_after;      /* all after it fail too */
    int error;           /* its errno */
    bool kills;          /* instead the process is killed, before the call does anything */
    bool interrupted;    /* every second open, read, write and fsync fails with EINTR */
    bool counts_nothing; /* write returns 0 */
    bool same_entropy;   /* getentropy gives bytes of 0x11 */
    size_t most;         /* bytes that one read or write moves; 0: all */

    unsigned flushes_before_rename;
};

extern struct faults faults;

/* From here on, what `plan` says. */
void faults_begin(struct faults plan);
void faults_end(void);

const char *name_of_call(enum call kind);

#endif
