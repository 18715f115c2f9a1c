/*
 * An allocator with a meter; see the header.
 */
#include "meter.h"

#include <string.h>

#include "fuzz.h"

static void *allocate(void *context, size_t size, size_t alignment) {
    struct meter *meter = context;
    if (meter->fail_in > 0 && --meter->fail_in == 0) {
        meter->has_failed = true;
        return NULL;
    }
    fuzz_require(meter->limit == 0 || size <= meter->limit - meter->live,
                 "%zu bytes, %zu live, limit %zu", size, meter->live, meter->limit);
    void *memory = aligned_alloc(alignment, size);
    if (memory == NULL) {
        return NULL;
    }
    memset(memory, 0xff, size); /* nobody may count on zeros */
    meter->live += size;
    return memory;
}

static void release(void *context, void *memory, size_t size, size_t alignment) {
    (void)alignment;
    struct meter *meter = context;
    fuzz_require(size <= meter->live, "%zu bytes of %zu", size, meter->live);
    meter->live -= size;
    free(memory);
}

struct guira_allocator metered(struct meter *meter) {
    return (struct guira_allocator){allocate, release, meter};
}
