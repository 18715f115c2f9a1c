/*
 * Encoding, decoding and checking a header; see the header.
 */
#include "format.h"

#include <stdbool.h>
#include <string.h>

#include "bytes.h"
#include "checksum.h"
#include "guira/options.h"

#define VERSION 1u

/* Flags. */
#define GROWS 1u

/* Where each number is. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_BUCKETS = 16,
    AT_TAG_BITS = 24,
    AT_WINDOW = 28,
    AT_FINGERPRINTS = 32,
    AT_SEED = 40,
    AT_HASH_IDENTITY = 48,
    AT_FLAGS = 52,
    AT_ITEMS = 56,
    AT_CAPACITY = 64,
    AT_SEARCH_BUDGET = 72,
    AT_ZEROS = 76, /* if no flag is set */
    AT_LEVELS = 76,
    AT_LEVEL = 80,
    AT_FROM = 84,
    AT_ZEROS_IF_GROWS = 88,
    AT_CHECKSUM = 120
};

/* A byte above 127 and both kinds of line end, which a transfer as text would change. */
static const uint8_t magic[MAGIC_BYTES] = {0x89, 'G', 'U', 'I', 'R', 'A', '\r', '\n'};

void guira__header_encode(struct header *header, uint8_t bytes[HEADER_BYTES]) {
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes + AT_MAGIC, magic, sizeof magic);
    put_32(bytes + AT_VERSION, VERSION);
    put_32(bytes + AT_HEADER_BYTES, HEADER_BYTES);
    put_64(bytes + AT_BUCKETS, header->buckets);
    put_32(bytes + AT_TAG_BITS, header->tag_bits);
    put_32(bytes + AT_WINDOW, header->window);
    put_64(bytes + AT_FINGERPRINTS, header->fingerprints);
    put_64(bytes + AT_SEED, header->seed);
    put_32(bytes + AT_HASH_IDENTITY, header->hash_identity);
    put_64(bytes + AT_ITEMS, header->items);
    put_64(bytes + AT_CAPACITY, header->capacity);
    put_32(bytes + AT_SEARCH_BUDGET, header->search_budget);
    if (header->levels > 0) {
        put_32(bytes + AT_FLAGS, GROWS);
        put_32(bytes + AT_LEVELS, header->levels);
        put_32(bytes + AT_LEVEL, header->level);
        put_32(bytes + AT_FROM, header->from);
    }
    header->checksum = guira__checksum(bytes, AT_CHECKSUM, 0);
    put_64(bytes + AT_CHECKSUM, header->checksum);
}

static struct header read_fields(const uint8_t *bytes) {
    return (struct header){
        .buckets = get_64(bytes + AT_BUCKETS),
        .tag_bits = get_32(bytes + AT_TAG_BITS),
        .window = get_32(bytes + AT_WINDOW),
        .fingerprints = get_64(bytes + AT_FINGERPRINTS),
        .seed = get_64(bytes + AT_SEED),
        .hash_identity = get_32(bytes + AT_HASH_IDENTITY),
        .search_budget = get_32(bytes + AT_SEARCH_BUDGET),
        .items = get_64(bytes + AT_ITEMS),
        .capacity = get_64(bytes + AT_CAPACITY),
        .levels = get_32(bytes + AT_LEVELS),
        .level = get_32(bytes + AT_LEVEL),
        .from = get_32(bytes + AT_FROM),
        .checksum = get_64(bytes + AT_CHECKSUM),
    };
}

static bool are_zero(const uint8_t *from, const uint8_t *to) {
    uint8_t bits = 0;
    while (from < to) {
        bits |= *from++;
    }
    return bits == 0;
}

/* Whether n entries can be in that many slots, whose product may exceed 64 bits. */
static bool can_hold(uint64_t buckets, uint32_t slots, uint64_t n) {
    return n == 0 || (n - 1) / slots < buckets;
}

/* Whether there are such levels: each halves the fingerprints, and leaves one at least. */
static bool are_possible_levels(const struct header *h) {
    return h->levels >= 1 && h->levels <= MAX_LEVELS && h->level < h->levels &&
           h->from < h->levels && h->fingerprints != 0 &&
           h->fingerprints % (UINT64_C(1) << (h->levels - 1)) == 0;
}

/* Whether the items can be in the tables, and the capacity in the largest that there may be. That
 * each level has the same elements, fewer than 2^64, bounds the buckets of all. */
static bool is_possible_content(const struct header *h, uint32_t slots) {
    uint64_t filled = h->buckets << h->level;
    uint64_t emptied = h->buckets << h->from;
    uint32_t highest = h->levels > 0 ? h->levels - 1 : 0;
    bool holds_items = can_hold(filled, slots, h->items) ||
                       (h->from != h->level && can_hold(emptied, slots, h->items - filled * slots));
    return holds_items && can_hold(h->buckets << highest, slots, h->capacity);
}

/* Whether there are tables of that shape, on a machine large enough. */
static bool is_possible_geometry(const struct header *h) {
    struct geometry smallest;
    if (guira__geometry(2, h->tag_bits, h->window, &smallest) != GUIRA_OK) {
        return false;
    }
    bool right_fingerprints =
        h->levels > 0 ? are_possible_levels(h) && h->fingerprints <= smallest.fingerprints
                      : h->fingerprints == smallest.fingerprints;
    if (!right_fingerprints) {
        return false;
    }
    uint64_t elements = smallest.shape.lanes * h->fingerprints; /* of a bucket */
    return h->buckets >= 2 && h->buckets <= UINT64_MAX / elements &&
           is_possible_content(h, smallest.shape.slots);
}

static bool is_possible(const struct header *h) {
    return is_possible_geometry(h) && h->seed != 0 && h->hash_identity != 0 &&
           h->search_budget >= 1 && h->search_budget <= GUIRA_MAX_SEARCH_BUDGET;
}

enum guira_status guira__header_decode(const uint8_t bytes[HEADER_BYTES], size_t length,
                                       struct header *out) {
    if (memcmp(bytes, magic, length < sizeof magic ? length : sizeof magic) != 0) {
        return GUIRA_NOT_A_FILTER;
    }
    if (length < HEADER_BYTES) {
        return GUIRA_TRUNCATED;
    }
    /* The checksum is where it is in every version, so what is damaged is not taken for newer. */
    struct header header = read_fields(bytes);
    if (header.checksum != guira__checksum(bytes, AT_CHECKSUM, 0)) {
        return GUIRA_BAD_HEADER;
    }
    uint32_t flags = get_32(bytes + AT_FLAGS);
    if (get_32(bytes + AT_VERSION) != VERSION || (flags & ~GROWS) != 0) {
        return GUIRA_NEWER_FORMAT;
    }
    size_t zeros = flags == GROWS ? AT_ZEROS_IF_GROWS : AT_ZEROS;
    if (get_32(bytes + AT_HEADER_BYTES) != HEADER_BYTES ||
        !are_zero(bytes + zeros, bytes + AT_CHECKSUM) || (flags == GROWS) != (header.levels > 0) ||
        !is_possible(&header)) {
        return GUIRA_IMPOSSIBLE_HEADER;
    }
    *out = header;
    return GUIRA_OK;
}
