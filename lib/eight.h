/*
 * Look-ups of many hashes with AVX-512: what is arithmetic is done for eight elements at once.
 * Chosen when a filter is created, if the processor has it.
 *
 * The protocol is look()'s of protocol.h, step by step, for eight elements together: R1 reads the
 * counters of all eight, R2 the words, R3 the counters again. Each read is an atomic load of its
 * own, with the order that look() gives it, so all that is argued there holds for each element
 * between its own reads; the others' only come in between. The counters are summed over the eight:
 * they only grow, so an unchanged sum means that none changed.
 *
 * The words are loaded one by one rather than gathered: a gather of eight takes 11 ns on processors
 * whose microcode guards gathers (against "gather data sampling"), eight loads 3 ns on all
 * (docs/benchmarks.md).
 */
#ifndef GUIRA_LIB_EIGHT_H
#define GUIRA_LIB_EIGHT_H

#include "filter.h"
#include "lookup.h"
#include "system.h"
#ifdef KERNEL_GROWS
#include "growing.h"
#endif

enum {
    EIGHT = 8,
    GROUPS_AHEAD = 6,
    LEAST_IN_EIGHTS = 32 /* with fewer, preparing the windows costs more than it saves */
};

#ifdef GUIRA_X86_64

#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))

typedef __m512i eight;

/* The windows of all lanes, one lane in each part of a vector. */
struct window_vectors {
    eight step, first[2], top;
};

/* Eight elements: struct candidates, turned around. */
struct eight_candidates {
    uint64_t bucket[2][EIGHT];
    uint64_t stripe[2][EIGHT];
    eight tags[2], top[2];
};

static inline WITH_AVX512 eight in_all(uint64_t value) {
    return _mm512_set1_epi64((long long)value);
}

/* next_digit for a base below 2^32. */
static inline WITH_AVX512 eight next_digits(eight *rest, eight base) {
    eight low = _mm512_mul_epu32(*rest, base);
    eight high = _mm512_mul_epu32(_mm512_srli_epi64(*rest, 32), base);
    eight sum = _mm512_add_epi64(high, _mm512_srli_epi64(low, 32));
    *rest = _mm512_mask_blend_epi32(0x5555, _mm512_slli_epi64(sum, 32), low);
    return _mm512_srli_epi64(sum, 32);
}

/* value mod size, for a value below 2 * size. */
static inline WITH_AVX512 eight wrapped(eight value, eight size) {
    return _mm512_min_epu64(value, _mm512_sub_epi64(value, size));
}

static inline WITH_AVX512 eight xorshifted(eight z, unsigned by) {
    return _mm512_xor_epi64(z, _mm512_srli_epi64(z, by));
}

/* mix_bits. */
static inline WITH_AVX512 eight mixed_bits(eight z) {
    z = _mm512_mullo_epi64(xorshifted(z, 30), in_all(MIX_FIRST));
    z = _mm512_mullo_epi64(xorshifted(z, 27), in_all(MIX_SECOND));
    return xorshifted(z, 31);
}

static inline WITH_AVX512 struct window_vectors window_vectors_of(const struct geometry *g) {
    uint64_t row[4][EIGHT] = {{0}};
    for (uint32_t lane = 0; lane < shape_of(g)->lanes; lane++) {
        row[0][lane] = g->window[lane].step;
        row[1][lane] = g->window[lane].first[0];
        row[2][lane] = g->window[lane].first[1];
        row[3][lane] = g->window[lane].top;
    }
    return (struct window_vectors){_mm512_loadu_si512(row[0]),
                                   {_mm512_loadu_si512(row[1]), _mm512_loadu_si512(row[2])},
                                   _mm512_loadu_si512(row[3])};
}

/* candidates_of(element_of_hash()), eight times. */
static inline WITH_AVX512 void eight_candidates_of(const struct table *t,
                                                   const struct window_vectors *windows, eight hash,
                                                   struct eight_candidates *out) {
    const struct geometry *g = &t->geometry;
    __m128i stripe_shift = _mm_cvtsi32_si128((int)t->stripe_shift);
    eight lanes = in_all(shape_of(g)->lanes);
    eight bucket[2];
    eight lane[2] = {in_all(0), in_all(0)};
    bucket[0] = next_digits(&hash, in_all(g->buckets));
    if (shape_of(g)->lanes > 1) {
        lane[0] = next_digits(&hash, lanes);
    }
    eight fingerprint = next_digits(&hash, in_all(g->fingerprints));

    eight shift = mixed_bits(_mm512_add_epi64(fingerprint, in_all(GOLDEN)));
    eight ahead = _mm512_add_epi64(next_digits(&shift, in_all(g->buckets - 1)), in_all(1));
    bucket[1] = wrapped(_mm512_add_epi64(bucket[0], ahead), in_all(g->buckets));
    if (shape_of(g)->lanes > 1) {
        lane[1] = wrapped(_mm512_add_epi64(lane[0], next_digits(&shift, lanes)), lanes);
    }
    for (int side = 0; side < 2; side++) {
        _mm512_storeu_si512(out->bucket[side], bucket[side]);
        _mm512_storeu_si512(out->stripe[side], _mm512_srl_epi64(bucket[side], stripe_shift));
        eight step = _mm512_permutexvar_epi64(lane[side], windows->step);
        eight first = _mm512_permutexvar_epi64(lane[side], windows->first[side]);
        out->tags[side] = _mm512_add_epi64(_mm512_mullo_epi64(fingerprint, step), first);
        out->top[side] = _mm512_permutexvar_epi64(lane[side], windows->top);
    }
}

static inline WITH_AVX512 void prepare_eight(const struct table *t,
                                             const struct window_vectors *windows,
                                             const uint64_t *hash, struct eight_candidates *out) {
    eight_candidates_of(t, windows, _mm512_loadu_si512(hash), out);
    for (int i = 0; i < EIGHT; i++) {
        __builtin_prefetch(&t->words[out->bucket[0][i]]);
        __builtin_prefetch(&t->words[out->bucket[1][i]]);
    }
}

/* Which of eight words have a matching slot: matching_slots. */
static inline WITH_AVX512 unsigned
matching(const struct geometry *g, const struct eight_candidates *c, eight word, int side) {
    eight below_top = in_all(shape_of(g)->below_top);
    eight differing = _mm512_xor_epi64(word, c->tags[side]);
    eight carried = _mm512_add_epi64(_mm512_and_epi64(differing, below_top), below_top);
    eight used = _mm512_or_epi64(carried, differing);
    eight match = _mm512_andnot_epi64(used, c->top[side]);
    return _mm512_test_epi64_mask(match, match);
}

static inline WITH_AVX512 eight words_at(const atomic_word *words, const uint64_t bucket[EIGHT]) {
#define AT(i) (long long)word_load(&words[bucket[i]], ORDER_WORD_READ) /* R2, E2 and E3 observes */
    return _mm512_set_epi64(AT(7), AT(6), AT(5), AT(4), AT(3), AT(2), AT(1), AT(0));
#undef AT
}

/* look(), eight times: which elements were seen. *clear says whether the others surely were not
 * there; if not, each has to be looked for again. */
static inline WITH_AVX512 unsigned look_eight(const struct table *t,
                                              const struct eight_candidates *c, bool *clear) {
    const atomic_word *counter = t->removals;
    const atomic_word *words = t->words;
    uint64_t before = 0;
    for (int i = 0; i < EIGHT; i++) {
        before += word_load(&counter[c->stripe[0][i]], ORDER_COUNTER_BEFORE); /* R1, E1 observes */
        before += word_load(&counter[c->stripe[1][i]], ORDER_COUNTER_BEFORE); /* R1, E1 observes */
    }
    eight home = words_at(words, c->bucket[0]);
    eight away = words_at(words, c->bucket[1]);
    unsigned seen = matching(&t->geometry, c, home, 0) | matching(&t->geometry, c, away, 1);
    *clear = true;
    if (seen != 0xff) {
        uint64_t after = 0;
        for (int i = 0; i < EIGHT; i++) {
            /* R3, relaxed: as in look() */
            after += word_load(&counter[c->stripe[0][i]], ORDER_COUNTER_AFTER);
            after += word_load(&counter[c->stripe[1][i]], ORDER_COUNTER_AFTER); /* relaxed: same */
        }
        *clear = after == before;
    }
    return seen;
}

static inline WITH_AVX512 void finish_eight(const struct guira *f, const struct view *v,
                                            const uint64_t *hash, const struct eight_candidates *c,
                                            bool *result) {
    bool clear;
    unsigned seen = look_eight(v->to, c, &clear);
    clear = clear && (seen == 0xff || view_stands(f, v));
    _mm_storel_epi64((__m128i *)(void *)result, _mm_maskz_set1_epi8((__mmask16)seen, 1));
    for (int i = 0; i < EIGHT && !clear; i++) {
        result[i] = result[i] || contains_again(f, hash[i]);
    }
}

/* contains_many for whole eights, where guira__fits_eights says so and one table is in use; returns
 * how many it did. */
static inline WITH_AVX512 size_t contains_in_eights(const struct guira *f, const uint64_t *hash,
                                                    size_t n, bool *result) {
    const struct view v = view_now(f);
    if (n < LEAST_IN_EIGHTS || v.from != NULL) {
        return 0;
    }
    size_t groups = n / EIGHT;
    struct window_vectors windows = window_vectors_of(&v.to->geometry);
    struct eight_candidates ring[GROUPS_AHEAD];
    for (size_t i = 0; i < groups + GROUPS_AHEAD; i++) {
        struct eight_candidates *c = &ring[i % GROUPS_AHEAD];
        if (i >= GROUPS_AHEAD) {
            size_t first = (i - GROUPS_AHEAD) * EIGHT;
            finish_eight(f, &v, hash + first, c, result + first);
        }
        if (i < groups) {
            prepare_eight(v.to, &windows, hash + i * EIGHT, c);
        }
    }
    return groups * EIGHT;
}

#else

static inline size_t contains_in_eights(const struct guira *f, const uint64_t *hash, size_t n,
                                        bool *result) {
    (void)f;
    (void)hash;
    (void)n;
    (void)result;
    return 0;
}

#endif

#endif
