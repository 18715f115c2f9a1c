/*
 * The last phases: second copies and removals, counted exactly.
 *
 * What "exactly" means: a filter is a multiset of elements, and two words may share an element. So
 * the demo keeps its own list of elements, one entry a copy of a word, and after the calls the
 * filter must agree with the list: in every count, in the size, and in what a visit reports.
 */
#include <stdio.h>
#include <stdlib.h>

#include "crew.h"
#include "demo.h"
#include "list.h"
#include "report.h"

struct copies {
    struct demo *demo;
    unsigned char *of_word; /* how many copies of each word are in the filter */
    struct list expected;
};

static bool no_memory(void) {
    fputs("shared_filter: the system gives no more threads or memory\n", stderr);
    return false;
}

/* ---- The calls ------------------------------------------------------------------------------ */

/* Remove the odd words; insert every fourth word once more. */
static struct tally change_slice(void *shared, unsigned member, unsigned size) {
    struct copies *copies = shared;
    const struct demo *demo = copies->demo;
    struct slice slice = slice_of(demo->words.count, member, size);
    struct tally tally = {.ok = 0};
    for (uint64_t i = slice.first; i < slice.end; i++) {
        const struct word *word = &demo->words.all[i];
        copies->of_word[i] = 1;
        enum guira_status status = GUIRA_OK;
        if (i % 2 == 1) {
            status = guira_remove(demo->filter, word->bytes, word->length);
            copies->of_word[i] = 0;
        } else if (i % 4 == 0) {
            /* Second copies are promised no room, so a refusal is no fault, if it is the truth. */
            status = guira_insert(demo->filter, word->bytes, word->length);
            copies->of_word[i] = status == GUIRA_OK ? 2 : 1;
        }
        tally_status(&tally, status);
    }
    return tally;
}

static struct tally remove_slice(void *shared, unsigned member, unsigned size) {
    struct copies *copies = shared;
    const struct demo *demo = copies->demo;
    struct slice slice = slice_of(demo->words.count, member, size);
    struct tally tally = {.ok = 0};
    for (uint64_t i = slice.first; i < slice.end; i++) {
        const struct word *word = &demo->words.all[i];
        for (; copies->of_word[i] > 0; copies->of_word[i]--) {
            tally_status(&tally, guira_remove(demo->filter, word->bytes, word->length));
        }
    }
    return tally;
}

/* ---- The list that they must agree with ------------------------------------------------------ */

static uint64_t element_of(const struct demo *demo, uint64_t word) {
    const struct word *w = &demo->words.all[word];
    return guira_element(demo->filter, guira_hash(demo->filter, w->bytes, w->length));
}

static bool make_expected(struct copies *copies) {
    const struct demo *demo = copies->demo;
    struct list *list = &copies->expected;
    if (!list_make(list, 2 * demo->words.count, demo->full.sizing.universe)) {
        return false;
    }
    for (uint64_t i = 0; i < demo->words.count; i++) {
        if (copies->of_word[i] > 0) {
            (void)list_append(list, element_of(demo, i), copies->of_word[i]); /* at most 2 */
        }
    }
    return list_sort(list);
}

/* A count that is exact is tallied as found. */
static struct tally count_slice(void *shared, unsigned member, unsigned size) {
    const struct copies *copies = shared;
    const struct demo *demo = copies->demo;
    struct slice slice = slice_of(demo->words.count, member, size);
    struct tally tally = {.ok = 0};
    for (uint64_t i = slice.first; i < slice.end; i++) {
        const struct word *word = &demo->words.all[i];
        unsigned count = guira_count(demo->filter, word->bytes, word->length);
        tally.found += count == list_copies(&copies->expected, element_of(demo, i));
    }
    return tally;
}

static bool append(void *context, uint64_t element, unsigned multiplicity) {
    return list_append(context, element, multiplicity);
}

/* Whether a visit reports each expected element with its multiplicity, and nothing else. */
static bool visit_agrees(const struct copies *copies, bool *agrees) {
    const struct list *expected = &copies->expected;
    struct list seen;
    if (!list_make(&seen, expected->count, expected->universe)) {
        return false;
    }
    enum guira_status status = guira_visit(copies->demo->filter, append, &seen);
    bool sorted = list_sort(&seen);
    *agrees = status == GUIRA_OK && sorted && lists_equal(&seen, expected);
    list_free(&seen);
    return sorted;
}

/* ---- The phases ----------------------------------------------------------------------------- */

static void judge(struct demo *demo, bool exact) {
    if (!exact) {
        demo->counts_exact = FAIL;
    }
}

static bool change_and_count(struct copies *copies) {
    struct demo *demo = copies->demo;
    uint64_t words = demo->words.count;
    uint64_t removed = words / 2;
    uint64_t again = (words + 3) / 4;
    struct tally total;
    double seconds;
    if (!crew_run(demo->threads, change_slice, copies, &total, &seconds)) {
        return no_memory();
    }
    report_phase("copies", removed + again, seconds, "%s words removed, %s inserted once more",
                 grouped(removed).s, grouped(again).s);
    if (total.full + total.limit > 0) {
        printf("           %s of these refused, as second copies may be: %s LIMIT, %s FULL\n",
               grouped(total.full + total.limit).s, grouped(total.limit).s, grouped(total.full).s);
    }
    judge(demo, total.wrong == 0);

    if (!make_expected(copies)) {
        return no_memory();
    }
    demo_verify(demo, copies->expected.count);
    if (!crew_run(demo->threads, count_slice, copies, &total, &seconds)) {
        return no_memory();
    }
    report_phase("count", words, seconds, "%s word%s counted, %s wrong", grouped(words).s,
                 plural(words), grouped(words - total.found).s);
    judge(demo, total.found == words);

    bool agrees = false;
    if (!visit_agrees(copies, &agrees)) {
        return no_memory();
    }
    printf("           a walk over the table finds %s the %s expected entries\n",
           agrees ? "exactly" : "NOT", grouped(copies->expected.count).s);
    judge(demo, agrees);
    return true;
}

static bool remove_all(struct copies *copies) {
    struct demo *demo = copies->demo;
    struct tally total;
    double seconds;
    if (!crew_run(demo->threads, remove_slice, copies, &total, &seconds)) {
        return no_memory();
    }
    report_phase("remove", copies->expected.count, seconds, "%s copies removed, %s left",
                 grouped(total.ok).s, grouped(guira_size(demo->filter)).s);
    judge(demo, total.ok == copies->expected.count);
    demo_verify(demo, 0);
    return true;
}

bool demo_copies(struct demo *demo) {
    struct copies copies = {.demo = demo};
    copies.of_word = calloc(demo->words.count, 1);
    bool ran =
        copies.of_word != NULL ? change_and_count(&copies) && remove_all(&copies) : no_memory();
    free(copies.of_word);
    list_free(&copies.expected);
    return ran;
}

/* In the empty filter one word fits as often as it has slots; after that the answer is LIMIT. */
bool demo_limit(struct demo *demo) {
    const struct word *word = &demo->words.all[0];
    unsigned most = 2 * demo->full.sizing.window;
    unsigned fitted = 0;
    enum guira_status last = GUIRA_OK;
    while (last == GUIRA_OK && fitted <= most) {
        last = guira_insert(demo->filter, word->bytes, word->length);
        fitted += last == GUIRA_OK;
    }
    bool exact = last == GUIRA_LIMIT && fitted == most &&
                 guira_count(demo->filter, word->bytes, word->length) == most;
    printf("  limit    one word goes in %u times, into all its %u slots; then the answer is %s\n",
           fitted, most, last == GUIRA_LIMIT ? "LIMIT" : guira_status_text(last));
    for (unsigned i = 0; i < fitted; i++) {
        exact = guira_remove(demo->filter, word->bytes, word->length) == GUIRA_OK && exact;
    }
    exact = guira_remove(demo->filter, word->bytes, word->length) == GUIRA_NOT_FOUND && exact;
    judge(demo, exact);
    demo_verify(demo, 0);
    return true;
}
