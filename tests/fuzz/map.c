/*
 * Fuzz target: the bytes are a file that is mapped. Verified, it must be accepted or refused as a
 * load of it is, with the same status. Unverified, all that can be asked must be safe, whatever the
 * words are; and what verifies must say what the load said.
 */
#define _GNU_SOURCE /* memfd_create */

#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

#include "guira/guira.h"

#include "fuzz.h"

enum { KEYS = 64, PATH_ROOM = 64 };

static void make_file(const uint8_t *data, size_t size, int *fd, char path[PATH_ROOM]) {
    *fd = memfd_create("fuzz", MFD_CLOEXEC);
    fuzz_require(*fd >= 0, "memfd_create");
    fuzz_require(write(*fd, data, size) == (ssize_t)size, "write");
    (void)snprintf(path, PATH_ROOM, "/proc/self/fd/%d", *fd);
}

static bool go_on(void *context, uint64_t element, unsigned multiplicity) {
    const struct guira *filter = context;
    (void)element;
    (void)multiplicity;
    return filter != NULL;
}

static int take(void *context, const void *bytes, size_t length) {
    (void)bytes;
    *(uint64_t *)context += length;
    return 0;
}

/* Look-ups are defined for any words: single calls and batches answer alike. */
static void look_up(const struct guira *filter, uint64_t key) {
    uint64_t keys[KEYS];
    bool found[KEYS];
    unsigned copies[KEYS];
    for (uint64_t i = 0; i < KEYS; i++) {
        keys[i] = (key + i) * UINT64_C(0x9e3779b97f4a7c15);
    }
    fuzz_require(guira_contains_batch(filter, guira_keys_uniform(keys, KEYS), found) == GUIRA_OK,
                 "contains");
    fuzz_require(guira_count_batch(filter, guira_keys_uniform(keys, KEYS), copies) == GUIRA_OK,
                 "count");
    for (unsigned i = 0; i < KEYS; i++) {
        fuzz_require(found[i] == guira_contains_uniform(filter, keys[i]), "key %u", i);
        fuzz_require(copies[i] == guira_count_uniform(filter, keys[i]), "key %u", i);
        fuzz_require(found[i] == (copies[i] > 0), "key %u", i);
    }
}

static void change(struct guira *filter) {
    uint64_t keys[] = {1, 2};
    enum guira_status results[2];
    fuzz_require(guira_insert_u64(filter, 1) == GUIRA_READ_ONLY, "insert");
    fuzz_require(guira_insert_unique(filter, "key", 3) == GUIRA_READ_ONLY, "insert_unique");
    fuzz_require(guira_remove_uniform(filter, 1) == GUIRA_READ_ONLY, "remove");
    fuzz_require(guira_clear(filter) == GUIRA_READ_ONLY, "clear");
    fuzz_require(guira_insert_batch(filter, guira_keys_u64(keys, 2), results) == GUIRA_PARTIAL &&
                     results[0] == GUIRA_READ_ONLY && results[1] == GUIRA_READ_ONLY,
                 "insert_batch");
}

/* All that must look at the words first, and so must say what a load says. */
static void require_verdict(struct guira *filter, enum guira_status should) {
    uint64_t bytes = 0;
    enum guira_status saved = guira_save(filter, NULL, take, &bytes);
    fuzz_require(saved == should, "save: %d, should be %d", (int)saved, (int)should);
    enum guira_status checked = guira_check(filter, NULL);
    fuzz_require(checked == should, "check: %d, should be %d", (int)checked, (int)should);
    enum guira_status visited = guira_visit(filter, go_on, filter);
    fuzz_require(visited == should, "visit: %d, should be %d", (int)visited, (int)should);
    enum guira_status verified = guira_verify(filter);
    fuzz_require(verified == should, "verify: %d, should be %d", (int)verified, (int)should);
    fuzz_require(bytes == (should == GUIRA_OK ? guira_saved_size(filter) : 0), "bytes");
}

static bool is_of_words(enum guira_status status) {
    return status == GUIRA_OK || status == GUIRA_BAD_CHECKSUM || status == GUIRA_IMPOSSIBLE_TAG ||
           status == GUIRA_WRONG_COUNT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd;
    char path[PATH_ROOM];
    make_file(data, size, &fd, path);
    struct guira *filter = NULL;
    enum guira_status loaded = guira_load_file(NULL, path, &filter);
    guira_destroy(filter);
    filter = NULL;

    enum guira_status mapped = guira_map_file(NULL, path, &filter);
    fuzz_require(mapped == loaded, "map: %d, load: %d", (int)mapped, (int)loaded);
    if (mapped == GUIRA_OK) {
        look_up(filter, size);
        change(filter);
        require_verdict(filter, GUIRA_OK);
    }
    guira_destroy(filter);
    filter = NULL;

    mapped = guira_map_file(&(struct guira_load_options){.unverified = true}, path, &filter);
    fuzz_require(mapped == (is_of_words(loaded) ? GUIRA_OK : loaded), "map: %d, load: %d",
                 (int)mapped, (int)loaded);
    if (mapped == GUIRA_OK) {
        look_up(filter, size);
        change(filter);
        require_verdict(filter, loaded);
        look_up(filter, 0);
    }
    guira_destroy(filter);
    (void)close(fd);
    return 0;
}
