/*
 * Histories as files.
 *
 * Lines: what guira_history writes with --export and reads with --check. A line that begins with
 * "#" and an empty one mean nothing. The first other line names the format:
 *
 *     history 1
 *
 * Each element is declared before it is used; they are numbered from 0 in that order. Its capacity
 * is the most copies there can be, 2 * window, and copies is how many were there at first:
 *
 *     element NUMBER CAPACITY COPIES
 *
 * All other lines are operations, in any order, with times in nanoseconds of one clock:
 *
 *     THREAD CALL ELEMENT RESULT CALLED RETURNED
 *
 *     CALL            RESULT
 *     contains        true false
 *     insert          OK FULL LIMIT
 *     insert_unique   OK FULL EXISTS
 *     remove          OK NOT_FOUND
 *     count           0 ... CAPACITY
 *
 * EDN: one map a line for each call and each return, in the order of time, as Jepsen writes its
 * history.edn and Knossos reads it; [key value] is how Jepsen marks what belongs to one of many
 * independent objects:
 *
 *     {:index 4, :time 1200, :process 0, :type :invoke, :f :insert, :value [7 nil]}
 *     {:index 6, :time 1350, :process 0, :type :ok, :f :insert, :value [7 :ok]}
 *
 * :f is :contains, :insert, :insert-unique, :remove or :count. The value of a return is true or
 * false, a number for :count, or :ok, :limit, :exists, :not-found. FULL is written as
 * {:type :fail ... [7 :full]}, the usual word for what did not take place, as it may happen at any
 * time and changes nothing. Comments at the top give the capacity of each element. Copies that were
 * there at first are inserts before all else. Where readings of the clock are equal calls come
 * before returns. A process does one thing at a time, so where a thread's intervals touch or
 * (widened) overlap, the second gets another process.
 */
#ifndef GUIRA_STRESS_HISTORY_FILES_H
#define GUIRA_STRESS_HISTORY_FILES_H

#include <stdio.h>

#include "history.h"

/* Write the head of the file; declare the elements of a history; write its operations, a part at a
 * time, each part later than the one before. Errors show in ferror. */
void lines_begin(FILE *out);
void lines_declare(FILE *out, const struct history *history);
void lines_write(FILE *out, const struct history *history);

struct edn {
    FILE *out;
    uint64_t index; /* of the next event */
};

void edn_declare(struct edn *edn, const struct history *history);
void edn_write(struct edn *edn, const struct history *history);

/* Read a history of lines. On an error it is reported to stderr with its line, and false. */
bool lines_read(FILE *in, const char *name, struct history *history);
void history_free(struct history *history);

#endif
