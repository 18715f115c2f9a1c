/*
 * What filters of a million items cost, as the Markdown table of README.md. Nothing is allocated:
 * guira_size_for answers.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <guira/guira.h>

#define ITEMS 1000000

static double bits_per_item(uint64_t bytes) {
    return 8.0 * (double)bytes / ITEMS;
}

int main(void) {
    static const double rates[] = {0.05, 0.03, 0.01, 0.005, 0.002, 0.001, 0.0001, 0.00001, 1e-6};
    printf("| rate asked for | rate at 10^6 items | tag bits | window | load | bits per item "
           "| compact | optimal Bloom |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct guira_options options = {.capacity = ITEMS, .false_positive_rate = rates[i]};
        struct guira_options wish = options;
        wish.compact = true;
        struct guira_sizing usual;
        struct guira_sizing compact;
        enum guira_status status = guira_size_for(&options, &usual);
        if (status == GUIRA_OK) {
            status = guira_size_for(&wish, &compact);
        }
        if (status != GUIRA_OK) {
            fprintf(stderr, "%s\n", guira_status_text(status));
            return 1;
        }
        double slots = (double)usual.buckets * usual.slots_per_bucket;
        printf("| %g %% | %.3g %% | %u | %u | %.2f | %.1f | %.1f | %.1f |\n", 100 * rates[i],
               100 * usual.rate_at_capacity, usual.tag_bits, usual.window, ITEMS / slots,
               bits_per_item(usual.table_bytes), bits_per_item(compact.table_bytes),
               log2(1 / rates[i]) / log(2));
    }
    return 0;
}
