/*
 * Saving to and loading from file descriptors and paths.
 */
#include "load.h"
#include "replace.h"
#include "save.h"

enum guira_status guira_save_fd(const struct guira *filter,
                                const struct guira_save_options *options, int fd) {
    struct sink sink = guira__sink_of_fd(&fd);
    return guira__save(filter, options, &sink);
}

/* What can be refused is refused before the disk is touched. */
enum guira_status guira_save_file(const struct guira *filter,
                                  const struct guira_save_options *options, const char *path) {
    if (filter == NULL || path == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    enum guira_status status = guira__save_check(filter, options);
    struct replacement replacement;
    if (status == GUIRA_OK) {
        status = guira__replace_begin(path, &replacement);
    }
    if (status != GUIRA_OK) {
        return status;
    }
    status = guira_save_fd(filter, options, replacement.file);
    if (status != GUIRA_OK) {
        guira__replace_abandon(&replacement);
        return status;
    }
    return guira__replace_finish(&replacement);
}

static enum guira_status load_from(int fd, bool ends_with_filter, struct recipe *recipe,
                                   struct guira **out) {
    struct source source;
    enum guira_status status = guira__source_of_fd(&fd, &source);
    if (status != GUIRA_OK) {
        return status;
    }
    source.ends_with_filter = ends_with_filter;
    return guira__load(&source, recipe, out);
}

enum guira_status guira_load_fd(const struct guira_load_options *options, int fd,
                                struct guira **out) {
    if (out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct recipe recipe;
    enum guira_status status = guira__load_options(options, &recipe);
    return status == GUIRA_OK ? load_from(fd, false, &recipe, out) : status;
}

enum guira_status guira_load_file(const struct guira_load_options *options, const char *path,
                                  struct guira **out) {
    if (path == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct recipe recipe;
    enum guira_status status = guira__load_options(options, &recipe);
    if (status != GUIRA_OK) {
        return status;
    }
    int fd = guira__open(path, true);
    if (fd < 0) {
        return GUIRA_IO_FAILED;
    }
    status = load_from(fd, true, &recipe, out);
    guira__close(fd);
    return status;
}
