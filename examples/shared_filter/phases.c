/*
 * The main phases: insert, look up, look up what is absent, churn. In each, every thread of a crew
 * works on its own slice of the words, and all of them on the one filter.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "crew.h"
#include "demo.h"
#include "report.h"

/* With fewer probes than this a rate would hardly be measured. */
#define FEWEST_PROBES 100000u

/* How much of a word an absent key repeats; words may be a megabyte long. */
#define PROBE_PREFIX 48u

/* A writer takes so many words out at once: with several gone, others move into their slots. */
#define CHURN_BATCH 4096u

static bool no_threads(void) {
    fputs("shared_filter: the system gives no more threads or memory\n", stderr);
    return false;
}

void demo_verify(struct demo *demo, uint64_t size) {
    unsigned invariant = 0;
    enum guira_status status = guira_check(demo->filter, &invariant);
    if (status != GUIRA_OK) {
        printf("           the table breaks invariant %u: %s\n", invariant,
               guira_status_text(status));
        demo->invariants_hold = FAIL;
    }
    if (guira_size(demo->filter) != size) {
        printf("           the size is %s, and should be %s\n", grouped(guira_size(demo->filter)).s,
               grouped(size).s);
        demo->counts_exact = FAIL;
    }
}

/* ---- Insert, look up ------------------------------------------------------------------------ */

static struct tally insert_slice(void *shared, unsigned member, unsigned size) {
    const struct demo *demo = shared;
    struct slice slice = slice_of(demo->words.count, member, size);
    struct tally tally = {.ok = 0};
    for (uint64_t i = slice.first; i < slice.end; i++) {
        const struct word *word = &demo->words.all[i];
        tally_status(&tally, guira_insert(demo->filter, word->bytes, word->length));
    }
    return tally;
}

static bool count_element(void *context, uint64_t element, unsigned multiplicity) {
    uint64_t *elements = context;
    (void)element;
    (void)multiplicity;
    ++*elements;
    return true;
}

bool demo_insert(struct demo *demo) {
    struct tally total;
    double seconds;
    uint64_t words = demo->words.count;
    if (!crew_run(demo->threads, insert_slice, demo, &total, &seconds)) {
        return no_threads();
    }
    report_phase("insert", words, seconds, "%s word%s in, %s refused", grouped(total.ok).s,
                 plural(total.ok), grouped(words - total.ok).s);
    demo->all_fit = total.ok == words ? PASS : FAIL;
    demo_verify(demo, total.ok);
    return guira_visit(demo->filter, count_element, &demo->elements) == GUIRA_OK &&
           guira_get_info(demo->filter, &demo->full) == GUIRA_OK;
}

static struct tally look_up_slice(void *shared, unsigned member, unsigned size) {
    const struct demo *demo = shared;
    struct slice slice = slice_of(demo->words.count, member, size);
    struct tally tally = {.ok = 0};
    for (uint64_t i = slice.first; i < slice.end; i++) {
        const struct word *word = &demo->words.all[i];
        tally.found += guira_contains(demo->filter, word->bytes, word->length);
    }
    return tally;
}

bool demo_look_up(struct demo *demo) {
    struct tally total;
    double seconds;
    uint64_t words = demo->words.count;
    if (!crew_run(demo->threads, look_up_slice, demo, &total, &seconds)) {
        return no_threads();
    }
    demo->missing = words - total.found;
    report_phase("look up", words, seconds, "%s word%s found, %s missing", grouped(total.found).s,
                 plural(total.found), grouped(demo->missing).s);
    demo->none_missing = demo->missing == 0 ? PASS : FAIL;
    return true;
}

/* ---- Look up what is absent ----------------------------------------------------------------- */

/* The beginning of a word, a newline, a number. No line contains a newline, so it is no word of any
 * file, and no two are equal. */
static size_t absent_key(const struct demo *demo, uint64_t number, unsigned char *key) {
    const struct word *word = &demo->words.all[number % demo->words.count];
    size_t length = word->length < PROBE_PREFIX ? word->length : PROBE_PREFIX;
    memcpy(key, word->bytes, length);
    key[length++] = '\n';
    memcpy(key + length, &number, sizeof number);
    return length + sizeof number;
}

static struct tally look_up_absent(void *shared, unsigned member, unsigned size) {
    const struct demo *demo = shared;
    struct slice slice = slice_of(demo->probes, member, size);
    struct tally tally = {.ok = 0};
    for (uint64_t i = slice.first; i < slice.end; i++) {
        unsigned char key[PROBE_PREFIX + 1 + sizeof i];
        tally.found += guira_contains(demo->filter, key, absent_key(demo, i, key));
    }
    return tally;
}

bool demo_absent(struct demo *demo) {
    struct tally total;
    double seconds;
    uint64_t words = demo->words.count;
    demo->probes = words < FEWEST_PROBES ? FEWEST_PROBES : words;
    if (!crew_run(demo->threads, look_up_absent, demo, &total, &seconds)) {
        return no_threads();
    }
    demo->false_positives = total.found;
    double predicted = (double)demo->elements / (double)demo->full.sizing.universe;
    struct interval shown = wilson(total.found, demo->probes, 2.576);
    report_phase("absent", demo->probes, seconds, "%s other keys looked up, %s found",
                 grouped(demo->probes).s, grouped(total.found).s);
    printf("           measured %.4f %%, 99 %% interval %.4f to %.4f %%\n"
           "           predicted n / U = %s / %s = %.4f %%\n",
           100 * (double)total.found / (double)demo->probes, 100 * shown.low, 100 * shown.high,
           grouped(demo->elements).s, grouped(demo->full.sizing.universe).s, 100 * predicted);

    /* A 99 % interval would fail a good filter once in 100 runs. This one: once in a million. */
    struct interval judged = wilson(total.found, demo->probes, 4.9);
    demo->rate_predicted = judged.low <= predicted && predicted <= judged.high ? PASS : FAIL;
    demo->rate_kept = predicted <= DEMO_RATE ? PASS : FAIL;
    return true;
}

/* ---- Churn: the odd words come and go, the even ones must be found all the time -------------- */

struct churn {
    const struct demo *demo;
    unsigned writers; /* the first members of the crew; the others read */
    atomic_bool stop;
    atomic_uint_fast64_t writes;
};

static struct tally write_odd_words(struct churn *churn, unsigned member) {
    const struct demo *demo = churn->demo;
    struct slice slice = slice_of(demo->words.count / 2, member, churn->writers);
    struct tally tally = {.ok = 0};
    uint64_t writes = 0;
    uint64_t at = slice.first;
    while (slice.first < slice.end && !atomic_load(&churn->stop)) {
        uint64_t end = slice.end - at < CHURN_BATCH ? slice.end : at + CHURN_BATCH;
        for (uint64_t i = at; i < end; i++) {
            const struct word *word = &demo->words.all[2 * i + 1];
            tally_status(&tally, guira_remove(demo->filter, word->bytes, word->length));
        }
        for (uint64_t i = at; i < end; i++) {
            const struct word *word = &demo->words.all[2 * i + 1];
            tally_status(&tally, guira_insert(demo->filter, word->bytes, word->length));
        }
        writes += 2 * (end - at);
        at = end == slice.end ? slice.first : end;
    }
    atomic_fetch_add(&churn->writes, writes);
    return tally;
}

static struct tally read_even_words(struct churn *churn, unsigned member, unsigned size) {
    const struct demo *demo = churn->demo;
    uint64_t even = (demo->words.count + 1) / 2;
    struct tally tally = {.ok = 0};
    /* Each reader goes round all of them; they begin apart. */
    uint64_t i = slice_of(even, member - churn->writers, size - churn->writers).first % even;
    while (!atomic_load_explicit(&churn->stop, memory_order_relaxed)) {
        const struct word *word = &demo->words.all[2 * i];
        if (guira_contains(demo->filter, word->bytes, word->length)) {
            tally.found++;
        } else {
            tally.missed++;
        }
        i = i + 1 == even ? 0 : i + 1;
    }
    return tally;
}

static struct tally churn_member(void *shared, unsigned member, unsigned size) {
    struct churn *churn = shared;
    return member < churn->writers ? write_odd_words(churn, member)
                                   : read_even_words(churn, member, size);
}

static void judge_churn(struct demo *demo, const struct churn *churn, const struct tally *total) {
    uint64_t failed = atomic_load(&churn->writes) - total->ok;
    demo->churn_lookups = total->found + total->missed;
    demo->churn_missed = total->missed;
    demo->none_missed = total->missed == 0 ? PASS : FAIL;
    if (failed > 0) {
        printf("           %s removes or inserts failed: %s full, %s limit, %s other\n",
               grouped(failed).s, grouped(total->full).s, grouped(total->limit).s,
               grouped(total->wrong).s);
        demo->all_fit = FAIL;
    }
}

bool demo_churn(struct demo *demo) {
    struct churn churn = {.demo = demo};
    atomic_init(&churn.stop, false);
    atomic_init(&churn.writes, 0);
    /* One of each at least, however few threads were asked for; one word has no other half. */
    unsigned crew = demo->threads < 2 ? 2 : demo->threads;
    churn.writers = demo->words.count < 2 ? 0 : crew / 2;
    struct tally total;
    double seconds;
    if (!crew_run_for(crew, churn_member, &churn, DEMO_CHURN_SECONDS, &churn.stop, &total,
                      &seconds)) {
        return no_threads();
    }
    uint64_t writes = atomic_load(&churn.writes);
    struct guira_info after;
    if (guira_get_info(demo->filter, &after) != GUIRA_OK) {
        return false;
    }
    unsigned readers = crew - churn.writers;
    if (churn.writers > 0) {
        report_phase("churn", writes, seconds, "%u writer%s removed and reinserted half the words",
                     churn.writers, plural(churn.writers));
    } else {
        printf("  churn    one word has no other half that could come and go\n");
    }
    report_phase("", total.found + total.missed, seconds,
                 "%u reader%s looked up the rest, %s missed", readers, plural(readers),
                 grouped(total.missed).s);
    printf("           meanwhile %s entries were moved to make room\n",
           grouped(after.moves - demo->full.moves).s);
    judge_churn(demo, &churn, &total);
    if (demo->all_fit == PASS) {
        demo_verify(demo, demo->words.count);
    }
    return true;
}
