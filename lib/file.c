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

enum guira_status guira_save_file(const struct guira *filter,
                                  const struct guira_save_options *options, const char *path) {
    if (filter == NULL || path == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct replacement replacement;
    enum guira_status status = guira__replace_begin(path, &replacement);
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

enum guira_status guira_load_fd(const struct guira_load_options *options, int fd,
                                struct guira **out) {
    if (out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct load load;
    struct source source;
    enum guira_status status = guira__load_options(options, &load);
    if (status == GUIRA_OK) {
        status = guira__source_of_fd(&fd, &source);
    }
    return status == GUIRA_OK ? guira__load(&source, &load, out) : status;
}

enum guira_status guira_load_file(const struct guira_load_options *options, const char *path,
                                  struct guira **out) {
    if (path == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct load load;
    struct opened_file file;
    enum guira_status status = guira__load_options(options, &load);
    if (status == GUIRA_OK) {
        status = guira__open_file(path, &file);
    }
    if (status == GUIRA_OK) {
        status = guira__load(&file.source, &load, out);
        guira__close_file(&file);
    }
    return status;
}
