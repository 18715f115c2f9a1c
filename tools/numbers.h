/* Numbers as people write and read them; no locale has a part in it. */
#ifndef GUIRA_TOOLS_NUMBERS_H
#define GUIRA_TOOLS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

enum { NUMBER_ROOM = 40 };

/* Digits, then perhaps k, M, G or T: thousands, millions ... False if it is anything else. */
bool read_number(const char *text, uint64_t *number);

/* As digits, or 0x and hexadecimal ones. */
bool read_seed(const char *text, uint64_t *seed);

/* 0.01, 1e-3 or 1%; above 0 and below 1. */
bool read_rate(const char *text, double *rate);

/* 1234567 is "1,234,567". */
const char *grouped(uint64_t number, char room[NUMBER_ROOM]);

/* 12345678 is "12.3 M". */
const char *rounded(double number, char room[NUMBER_ROOM]);

/* A rate, in percent. */
const char *percent(double rate, char room[NUMBER_ROOM]);

#endif
