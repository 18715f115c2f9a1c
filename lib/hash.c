/*
 * Hashing of byte strings. xxHash is compiled into this file, so that neither users of the library
 * nor its other files need xxHash's header or library.
 */
#include "hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#if XXH_VERSION_NUMBER < 800
#error "xxHash 0.8.0 or newer is needed: XXH3 gave other numbers before"
#endif

struct hashing guira__hashing(uint64_t seed, const struct guira_hash_function *user) {
    return (struct hashing){
        .seed = seed,
        .round = {mix_bits(seed + GOLDEN), mix_bits(seed + 2 * GOLDEN)},
        .user = *user,
    };
}

uint32_t guira__hash_identity(const struct hashing *hashing) {
    return hashing->user.function != NULL ? hashing->user.identity : GUIRA_HASH_XXH3_64;
}

uint64_t guira__hash_bytes(const struct hashing *hashing, const void *key, size_t length) {
    if (hashing->user.function != NULL) {
        uint64_t raw = hashing->user.function(hashing->user.context, key, length, hashing->seed);
        return finalise(hashing, raw);
    }
    /* An empty key may come without an address, and some C libraries' memcpy minds. */
    return XXH3_64bits_withSeed(length > 0 ? key : "", length, hashing->seed);
}
