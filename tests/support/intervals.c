/*
 * Tails of the binomial distribution; see the header.
 */
#include "intervals.h"

#include <math.h>

#define FIVE_SIGMA 2.87e-7

static double log_term(double hits, double trials, double p) {
    return lgamma(trials + 1) - lgamma(hits + 1) - lgamma(trials - hits + 1) + hits * log(p) +
           (trials - hits) * log1p(-p);
}

/* The chance of so many hits or more (direction 1), or of so many or fewer (-1). */
static double tail(double hits, double trials, double p, int direction) {
    double term = exp(log_term(hits, trials, p));
    double sum = 0;
    while (hits >= 0 && hits <= trials && term > sum * 1e-12) {
        sum += term;
        double odds = p / (1 - p);
        term *=
            direction > 0 ? (trials - hits) / (hits + 1) * odds : hits / (trials - hits + 1) / odds;
        hits += direction;
    }
    return sum;
}

bool believable(uint64_t hits, uint64_t trials, double probability) {
    double mean = (double)trials * probability;
    if (probability <= 0 || probability >= 1) {
        return hits == (probability <= 0 ? 0 : trials);
    }
    return tail((double)hits, (double)trials, probability, (double)hits > mean ? 1 : -1) >
           FIVE_SIGMA;
}
