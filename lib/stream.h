/*
 * Where the bytes of a filter come from and go to: a user's callback, or a file descriptor behind
 * the same kind of callback.
 */
#ifndef GUIRA_LIB_STREAM_H
#define GUIRA_LIB_STREAM_H

#include <stdbool.h>

#include "guira/file.h"

struct sink {
    guira_writer writer;
    void *context;
    enum guira_status failure; /* what it means that the writer fails */
};

struct source {
    guira_reader reader;
    void *context;
    enum guira_status failure; /* what it means that the reader fails, or gives too much */
    bool is_counted;           /* it is known beforehand how many bytes there are: */
    uint64_t available;
    bool ends_with_filter; /* no byte may follow */
};

/* GUIRA_OK or the sink's failure. */
enum guira_status guira__sink_write(const struct sink *sink, const void *bytes, size_t length);

/* Reads up to `length` bytes, fewer only at the end; *got says how many. GUIRA_OK or the source's
 * failure. */
enum guira_status guira__source_read(const struct source *source, void *bytes, size_t length,
                                     size_t *got);

/* Reads exactly that many: GUIRA_TRUNCATED if the data end before. */
enum guira_status guira__source_read_all(const struct source *source, void *bytes, size_t length);

/* To and from the position of a file descriptor; the number must stay where it is as long as the
 * sink or the source is used. More may follow what is read. */
struct sink guira__sink_of_fd(int *fd);
enum guira_status guira__source_of_fd(int *fd, struct source *out);

/* A descriptor of a file that is to be read; -1, and errno says why, if there is none. A named pipe
 * is there when somebody writes to it: that may be waited for. */
int guira__open(const char *path, bool waits);

/* errno stays as it is. */
void guira__close(int fd);

#endif
