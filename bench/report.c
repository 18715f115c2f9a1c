#include "report.h"

#include <stdio.h>

void report(struct series *series, const struct series *baseline) {
    series->baseline = baseline == series ? NULL : baseline;
    struct spread spread = series_spread(series);
    char slots[16] = "";
    if (series->log2_slots != 0) {
        (void)snprintf(slots, sizeof slots, "2^%u", series->log2_slots);
    }
    (void)printf("%-11s %-4s %-20s %-22s %2u  ", series->experiment, slots, series->operation,
                 series->contender, series->threads);
    if (spread.count == 0) {
        (void)printf("no result\n");
        return;
    }
    (void)printf("%8.2f %s [%.2f %.2f]", spread.median, series->unit, spread.low, spread.high);
    if (series->baseline != NULL) {
        struct spread ratio = series_ratio(series, baseline);
        (void)printf("  %.2f [%.2f %.2f] of %s", ratio.median, ratio.low, ratio.high,
                     baseline->contender);
    }
    (void)putchar('\n');
    (void)fflush(stdout);
}
