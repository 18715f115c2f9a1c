/*
 * The slow reference; see the header.
 */
#include "reference.h"

#include <stdlib.h>

/* The high word of a product, and ceil(a * 2^64 / b) for a below b. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 ref_wide;

static uint64_t ref_high(uint64_t a, uint64_t b) {
    return (uint64_t)((ref_wide)a * b >> 64);
}

static uint64_t ref_fraction(uint64_t a, uint64_t b) {
    return (uint64_t)((((ref_wide)a << 64) + b - 1) / b);
}
#else
/* As one learns it at school, bit by bit. */
static uint64_t ref_high(uint64_t a, uint64_t b) {
    uint64_t high = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t sum = high + (b >> bit & 1 ? a : 0);
        high = sum >> 1 | (uint64_t)(sum < high) << 63;
    }
    return high;
}

static uint64_t ref_fraction(uint64_t a, uint64_t b) {
    uint64_t quotient = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        bool carry = a >> 63;
        a <<= 1;
        bool fits = carry || a >= b;
        a -= fits ? b : 0;
        quotient = quotient << 1 | fits;
    }
    return quotient + (a > 0);
}
#endif

bool ref_shape(uint64_t buckets, uint32_t tag_bits, uint32_t window, struct ref_shape *out) {
    if (buckets < 2 || tag_bits < 4 || tag_bits > 32 || window < 1 || window > 64 / tag_bits) {
        return false;
    }
    struct ref_shape s = {.M = buckets, .f = tag_bits, .k = 64 / tag_bits, .w = window};
    s.P = window == s.k ? 1 : s.k;
    s.O = window == s.k ? 1 : window;
    uint64_t top = 0; /* the largest Q whose largest tag is below 2^f: 1 + (2Q - 1)O + O - 1 */
    while (top < (UINT64_C(1) << tag_bits) && (top + 1) * 2 * s.O < (UINT64_C(1) << tag_bits)) {
        top = tag_bits > 16 ? ((UINT64_C(1) << tag_bits) - 1) / 2 / s.O : top + 1;
    }
    s.Q = top;
    if (s.Q == 0 || s.M > UINT64_MAX / s.P / s.Q) {
        return false;
    }
    s.U = s.M * s.P * s.Q;
    *out = s;
    return true;
}

uint64_t ref_element(const struct ref_shape *s, uint64_t hash) {
    return ref_high(hash, s->U);
}

uint64_t ref_hash_of(const struct ref_shape *s, uint64_t element) {
    return ref_fraction(element, s->U);
}

static uint64_t ref_mix(uint64_t z) {
    z ^= z >> 30;
    z *= UINT64_C(0xbf58476d1ce4e5b9);
    z ^= z >> 27;
    z *= UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* How many buckets and lanes side 1 is ahead of side 0. */
static void ref_shift(const struct ref_shape *s, uint64_t fingerprint, uint64_t *buckets,
                      uint32_t *lanes) {
    uint64_t mixed = ref_mix(fingerprint + UINT64_C(0x9e3779b97f4a7c15));
    *buckets = 1 + ref_high(mixed, s->M - 1);
    *lanes = (uint32_t)ref_high(mixed * (s->M - 1), s->P);
}

unsigned ref_slots(const struct ref_shape *s, uint64_t element,
                   struct ref_slot out[REF_MAX_SLOTS]) {
    uint64_t fingerprint = element % s->Q;
    uint64_t bucket = element / s->Q / s->P;
    uint64_t lane = element / s->Q % s->P;
    uint64_t ahead;
    uint32_t lanes;
    ref_shift(s, fingerprint, &ahead, &lanes);
    unsigned n = 0;
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < s->w; i++) {
            uint64_t offset = s->O == 1 ? 0 : i;
            out[n++] = (struct ref_slot){
                .bucket = (bucket + side * ahead) % s->M,
                .slot = (uint32_t)(((lane + (uint64_t)side * lanes) % s->P + i) % s->k),
                .tag = 1 + (fingerprint * 2 + side) * s->O + offset,
            };
        }
    }
    return n;
}

uint64_t ref_element_at(const struct ref_shape *s, uint64_t bucket, uint32_t slot, uint64_t tag) {
    uint64_t offset = (tag - 1) % s->O;
    uint64_t side = (tag - 1) / s->O % 2;
    uint64_t fingerprint = (tag - 1) / s->O / 2;
    uint64_t lane = s->P == 1 ? 0 : (slot + s->k - offset) % s->k;
    if (side == 1) {
        uint64_t ahead;
        uint32_t lanes;
        ref_shift(s, fingerprint, &ahead, &lanes);
        bucket = (bucket + s->M - ahead) % s->M;
        lane = (lane + s->P - lanes) % s->P;
    }
    return (bucket * s->P + lane) * s->Q + fingerprint;
}

uint64_t ref_tag(const struct ref_shape *s, const atomic_word *words, uint64_t bucket,
                 uint32_t slot) {
    uint64_t word = word_load(&words[bucket], memory_order_relaxed);
    return word >> (slot * s->f) & ((UINT64_C(1) << s->f) - 1);
}

unsigned ref_empty(const struct ref_shape *s, const atomic_word *words, uint64_t element) {
    struct ref_slot slot[REF_MAX_SLOTS];
    unsigned n = ref_slots(s, element, slot);
    unsigned empty = 0;
    for (unsigned i = 0; i < n; i++) {
        empty += ref_tag(s, words, slot[i].bucket, slot[i].slot) == 0;
    }
    return empty;
}

unsigned ref_copies(const struct ref_shape *s, const atomic_word *words, uint64_t element) {
    struct ref_slot slot[REF_MAX_SLOTS];
    unsigned n = ref_slots(s, element, slot);
    unsigned copies = 0;
    for (unsigned i = 0; i < n; i++) {
        copies += ref_tag(s, words, slot[i].bucket, slot[i].slot) == slot[i].tag;
    }
    return copies;
}

struct frontier {
    uint64_t *queue; /* slot numbers */
    uint64_t size;
    uint8_t *seen;
};

/* Adds the element's slots; true if one of them is empty. */
static bool spread(const struct ref_shape *s, const atomic_word *words, uint64_t element,
                   struct frontier *f) {
    struct ref_slot slot[REF_MAX_SLOTS];
    unsigned n = ref_slots(s, element, slot);
    for (unsigned i = 0; i < n; i++) {
        uint64_t number = slot[i].bucket * s->k + slot[i].slot;
        if (f->seen[number]) {
            continue;
        }
        if (ref_tag(s, words, slot[i].bucket, slot[i].slot) == 0) {
            return true;
        }
        f->seen[number] = 1;
        f->queue[f->size++] = number;
    }
    return false;
}

int ref_moves_to_room(const struct ref_shape *s, const atomic_word *words, uint64_t element,
                      int limit) {
    struct frontier f = {.queue = malloc((size_t)(s->M * s->k) * sizeof(uint64_t)),
                         .seen = calloc((size_t)(s->M * s->k), 1)};
    if (f.queue == NULL || f.seen == NULL) {
        abort();
    }
    int moves = 0;
    bool found = spread(s, words, element, &f);
    uint64_t next = 0;
    while (!found && moves < limit && next < f.size) {
        moves++;
        for (uint64_t level_end = f.size; next < level_end && !found; next++) {
            uint64_t bucket = f.queue[next] / s->k;
            uint32_t slot = (uint32_t)(f.queue[next] % s->k);
            uint64_t tag = ref_tag(s, words, bucket, slot);
            found = spread(s, words, ref_element_at(s, bucket, slot, tag), &f);
        }
    }
    free(f.queue);
    free(f.seen);
    return found ? moves : -1;
}
