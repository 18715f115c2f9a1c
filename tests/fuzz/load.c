/*
 * Fuzz target: the bytes are a file, given to guira_load some at a time. Whatever they are, the
 * load fails with a status of loads and leaves nothing, having asked for little memory; or it gives
 * a sound filter that took just its own bytes and is saved as these.
 */
#include <string.h>

#include "guira/guira.h"

#include "fuzz.h"
#include "meter.h"

/* The file, and what was taken of it. */
struct file {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    uint32_t pace; /* the generator of how many bytes come at once */
};

static ptrdiff_t read_on(void *context, void *bytes, size_t length) {
    struct file *file = context;
    size_t left = file->size - file->at;
    file->pace = file->pace * 1664525 + 1013904223;
    size_t most = 1 + (file->pace >> 24);
    size_t given = length < most ? length : most;
    given = given < left ? given : left;
    memcpy(bytes, file->bytes + file->at, given);
    file->at += given;
    return (ptrdiff_t)given;
}

/* A writer that compares. */
static int compare(void *context, const void *bytes, size_t length) {
    struct file *file = context;
    fuzz_require(length <= file->size - file->at, "%zu more bytes", length);
    fuzz_require(memcmp(file->bytes + file->at, bytes, length) == 0, "saved otherwise");
    file->at += length;
    return 0;
}

static uint64_t user_hash(void *context, const void *key, size_t length, uint64_t seed) {
    (void)context;
    (void)key;
    return seed + length;
}

/* The hash that the header asks for, if it is a user's. */
static struct guira_hash_function hash_for(const struct file *file) {
    enum { AT_HASH_IDENTITY = 48 };
    struct guira_hash_function none = {0};
    if (file->size < AT_HASH_IDENTITY + 4) {
        return none;
    }
    const uint8_t *at = file->bytes + AT_HASH_IDENTITY;
    uint32_t identity =
        at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return identity < GUIRA_HASH_FIRST_USER
               ? none
               : (struct guira_hash_function){.function = user_hash, .identity = identity};
}

static bool is_of_loads(enum guira_status status) {
    return status >= GUIRA_NOT_A_FILTER && status <= GUIRA_WRONG_COUNT &&
           status != GUIRA_TRAILING_BYTES;
}

static bool add_up(void *context, uint64_t element, unsigned multiplicity) {
    (void)element;
    *(uint64_t *)context += multiplicity;
    return true;
}

static void require_right(const struct guira *filter, const struct file *read) {
    uint64_t visited = 0;
    unsigned invariant = 0;
    fuzz_require(guira_check(filter, &invariant) == GUIRA_OK, "invariant %u", invariant);
    fuzz_require(guira_visit(filter, add_up, &visited) == GUIRA_OK, "visit");
    fuzz_require(guira_size(filter) == visited, "size");
    fuzz_require(read->at == guira_saved_size(filter), "%zu bytes taken", read->at);
    struct file same = {.bytes = read->bytes, .size = read->at};
    fuzz_require(guira_save(filter, NULL, compare, &same) == GUIRA_OK, "save");
    fuzz_require(same.at == same.size, "%zu bytes saved", same.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* What a load promises, see guira/file.h. */
    struct meter meter = {.limit = 3 * size + (1 << 20)};
    struct file file = {.bytes = data, .size = size, .pace = (uint32_t)size};
    struct guira_load_options options = {.hash = hash_for(&file), .allocator = metered(&meter)};
    struct guira *filter = NULL;
    enum guira_status status = guira_load(&options, read_on, &file, &filter);
    if (status == GUIRA_OK) {
        require_right(filter, &file);
        guira_destroy(filter);
    } else {
        /* A user's hash with which the file is not hashed, or memory: nothing else is possible. */
        bool other = status == GUIRA_OTHER_HASH || status == GUIRA_TOO_LARGE;
        fuzz_require(is_of_loads(status) || other, "%d", (int)status);
        fuzz_require(filter == NULL, "written after a failure");
    }
    fuzz_require(meter.live == 0, "%zu bytes are lost", meter.live);
    return 0;
}
