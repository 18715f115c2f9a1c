/*
 * Locking several stripes, or all.
 */
#include "stripe.h"

void guira__stripe_set_add(struct stripe_set *set, uint64_t number) {
    uint32_t stripe = (uint32_t)number; /* there are fewer than 2^32 */
    uint32_t at = set->size;
    while (at > 0 && set->stripe[at - 1] > stripe) {
        at--;
    }
    if (at > 0 && set->stripe[at - 1] == stripe) {
        return;
    }
    for (uint32_t i = set->size; i > at; i--) {
        set->stripe[i] = set->stripe[i - 1];
    }
    set->stripe[at] = stripe;
    set->size++;
}

void guira__stripe_set_lock(const struct stripes *stripes, const struct stripe_set *set) {
    for (uint32_t i = 0; i < set->size; i++) {
        stripe_lock(stripes, stripe_at(stripes, set->stripe[i]));
    }
}

void guira__stripe_set_unlock(const struct stripes *stripes, const struct stripe_set *set) {
    for (uint32_t i = set->size; i > 0; i--) {
        stripe_unlock(stripes, stripe_at(stripes, set->stripe[i - 1]));
    }
}

void guira__lock_all(const struct stripes *stripes) {
    if (stripes->unlocked) {
        return;
    }
    for (uint32_t i = 0; i < stripes->count; i++) {
        (void)lock_take_unannounced(&stripes->all[i].lock);
    }
}

void guira__unlock_all(const struct stripes *stripes) {
    if (stripes->unlocked) {
        return;
    }
    for (uint32_t i = stripes->count; i > 0; i--) {
        lock_release_unannounced(&stripes->all[i - 1].lock);
    }
}

uint64_t guira__item_sum(const struct stripes *stripes) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < stripes->count; i++) {
        /* relaxed: a statistic, exact only when the caller has ordered all writers before */
        sum += word_load(&stripes->all[i].items, memory_order_relaxed);
    }
    return sum;
}
