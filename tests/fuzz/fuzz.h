/*
 * What all fuzz targets share: failing, and reading an input as a list of numbers.
 */
#ifndef GUIRA_FUZZ_FUZZ_H
#define GUIRA_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What libFuzzer calls, and in other builds replay.c; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, by which libFuzzer knows that it found something. */
#define fuzz_require(condition, ...)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: not true: %s: ", __FILE__, __LINE__, #condition);        \
            (void)fprintf(stderr, __VA_ARGS__);                                                    \
            (void)fputc('\n', stderr);                                                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct input {
    const uint8_t *at;
    size_t left;
};

/* The next byte; 0 once there is none. */
static inline unsigned take_8(struct input *in) {
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

static inline unsigned take_16(struct input *in) {
    unsigned low = take_8(in);
    return low | take_8(in) << 8;
}

#endif
