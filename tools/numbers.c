#include "numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much a suffix multiplies by; 0 if it is none. */
static uint64_t unit(const char *suffix) {
    static const char letters[] = "kMGT";
    uint64_t product = 1;
    if (*suffix == '\0') {
        return product;
    }
    for (const char *letter = letters; *letter != '\0'; letter++) {
        product *= 1000;
        if ((*suffix == *letter || (*suffix == 'K' && *letter == 'k')) && suffix[1] == '\0') {
            return product;
        }
    }
    return 0;
}

/* strtoull alone takes signs and blanks, too. */
static bool begins_with_digit(const char *text) {
    return *text >= '0' && *text <= '9';
}

bool read_number(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    unsigned long long digits = begins_with_digit(text) ? strtoull(text, &end, 10) : 0;
    uint64_t factor = begins_with_digit(text) && errno == 0 ? unit(end) : 0;
    if (factor == 0 || digits > UINT64_MAX / factor) {
        return false;
    }
    *number = digits * factor;
    return true;
}

bool read_seed(const char *text, uint64_t *seed) {
    char *end;
    bool is_hexadecimal = strncmp(text, "0x", 2) == 0;
    const char *digits = is_hexadecimal ? text + 2 : text;
    if (!begins_with_digit(text) || strspn(digits, " +-") != 0) {
        return false;
    }
    errno = 0;
    unsigned long long number = strtoull(text, &end, is_hexadecimal ? 16 : 10);
    *seed = number;
    return errno == 0 && *end == '\0';
}

bool read_rate(const char *text, double *rate) {
    char *end;
    if (!begins_with_digit(text) && *text != '.') {
        return false;
    }
    double number = strtod(text, &end);
    if (strcmp(end, "%") == 0) {
        number /= 100;
        end++;
    }
    *rate = number;
    return *end == '\0' && number > 0 && number < 1;
}

const char *grouped(uint64_t number, char room[NUMBER_ROOM]) {
    char digits[NUMBER_ROOM];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *at = room;
    for (int i = 0; i < count; i++) {
        if (i != 0 && (count - i) % 3 == 0) {
            *at++ = ',';
        }
        *at++ = digits[i];
    }
    *at = '\0';
    return room;
}

const char *rounded(double number, char room[NUMBER_ROOM]) {
    static const char *const units[] = {"", " k", " M", " G", " T", " P", " E"};
    size_t i = 0;
    for (; number >= 999.5 && i + 1 < sizeof units / sizeof *units; i++) {
        number /= 1000;
    }
    int decimals = i == 0 || number >= 99.95 ? 0 : 1;
    (void)snprintf(room, NUMBER_ROOM, "%.*f%s", decimals, number, units[i]);
    return room;
}

const char *percent(double rate, char room[NUMBER_ROOM]) {
    (void)snprintf(room, NUMBER_ROOM, "%.3g %%", 100 * rate);
    return room;
}
