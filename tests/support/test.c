/*
 * Seeds, scale, and failing with a message.
 */
#include "test.h"

#define DEFAULT_SEED UINT64_C(20251130)

#if defined(__SANITIZE_THREAD__)
#define SLOWDOWN 20
#elif defined(__SANITIZE_ADDRESS__)
#define SLOWDOWN 4
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOWDOWN 20
#elif __has_feature(address_sanitizer)
#define SLOWDOWN 4
#endif
#endif
#ifndef SLOWDOWN
#define SLOWDOWN 1
#endif

uint64_t test_seed(void) {
    const char *text = getenv("GUIRA_TEST_SEED");
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 0) : DEFAULT_SEED;
}

int announce_seed(void **state) {
    (void)state;
    print_message("GUIRA_TEST_SEED=%llu\n", (unsigned long long)test_seed());
    return 0;
}

bool test_is_long(void) {
    const char *text = getenv("GUIRA_TEST_LONG");
    return text != NULL && strcmp(text, "1") == 0;
}

bool test_is_slow(void) {
    return SLOWDOWN > 1;
}

uint64_t scaled(uint64_t work) {
    uint64_t less = work / SLOWDOWN;
    return less == 0 ? 1 : less;
}

void require_failed(const char *condition, const char *file, int line, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("not true: %s\n%s\nreplay with GUIRA_TEST_SEED=%llu\n", condition, text,
                (unsigned long long)test_seed());
    _fail(file, line);
}

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct rng rng_stream(uint64_t number) {
    return (struct rng){mix(test_seed()) ^ mix(number + UINT64_C(0x5851f42d4c957f2d))};
}

uint64_t rng_next(struct rng *rng) {
    rng->state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(rng->state);
}

uint64_t rng_below(struct rng *rng, uint64_t bound) {
    return rng_next(rng) % bound;
}

bool rng_chance(struct rng *rng, double probability) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53 < probability;
}

uint64_t scrambled(uint64_t i) {
    return mix(i + UINT64_C(0x9e3779b97f4a7c15));
}
