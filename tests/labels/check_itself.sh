#!/bin/sh
# Plants mistakes in a copy, one at a time, each of which check_labels.sh or check_mutants.sh must
# find. The copy as it is must pass.
#
#     check_itself.sh SOURCE_DIR
# shellcheck disable=SC2016 # the edits are for sed, the backquotes are those of Markdown
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

copy() {
    rm -rf "${work:?}"/*
    (cd "$source" && tar -cf - lib docs stress/explore stress/model stress/mutants.sh tests tsan) |
        tar -xf - -C "$work"
}

for check in check_labels.sh check_mutants.sh; do
    copy
    if ! "$source/tests/labels/$check" "$work"; then
        echo "$check: fails on an unchanged copy"
        failed=1
    fi
done

plant() { # CHECK NAME FILE SED-EXPRESSION
    copy
    sed -i -E "$4" "$work/$3"
    if cmp -s "$source/$3" "$work/$3"; then
        echo "$2: the edit does not apply"
        failed=1
    elif "$source/tests/labels/$1" "$work" >"$work/out"; then
        echo "$2: not found"
        failed=1
    else
        echo "$2: found"
    fi
}

# The file of lib/ that has the text.
with() {
    (cd "$source" && grep -lF -- "$1" lib/*.[ch] | head -n 1)
}

in_labels() {
    plant check_labels.sh "$@"
}
in_labels 'a label left out' "$(with 'sum += word_load(&f->table.removals')" 's| /\* E1 observes \*/||'
in_labels 'one of two labels left out' lib/protocol.h '/before \+= word_load/s| /\*.*\*/||'
in_labels 'an order below its label' lib/protocol.h '/define ORDER_COUNTER_STORE/s|memory_order_release|memory_order_relaxed|'
in_labels 'an access that bypasses the functions' lib/stripe.c 's|    uint64_t sum = 0;|    atomic_load(\&stripes->all[0].items.value);\n&|'
in_labels 'an edge that nobody observes' lib/view.h 's|E6 observes|E6 counts|'
in_labels 'an edge without a row' docs/memory-model.md '/^\| E3 /d'

in_mutants() {
    plant check_mutants.sh "$@"
}
doc=docs/memory-model.md
in_mutants 'an order without a row' $doc '/^\| `ORDER_SEARCH_READ`/d'
in_mutants 'a row of no order' lib/protocol.h 's/ORDER_SEARCH_READ/ORDER_WORD_READ/'
in_mutants 'a row with another edge' $doc '/^\| `ORDER_SEARCH_READ`/s/E2/E3/'
in_mutants 'an edge whose orders have no row' $doc '/^\| the stripe lock \| E4/d'
in_mutants 'an order of growth without a row' $doc '/^\| `ORDER_VIEW_STORE`/d'
in_mutants 'an order that no mutant weakens' stress/explore/mutant.c 's/"ORDER_SEARCH_READ /"SEARCH_READ /'
in_mutants 'a line that no mutant weakens alone' lib/stripe.c 's/    uint64_t sum = 0;/    uint64_t sum = word_load(0, ORDER_WORD_READ);/'
in_mutants 'a line that is weakened only with another' stress/explore/mutant.c 's/ORDER_WORD_READ acquire, away only/ORDER_WORD_READ acquire, home only/'
in_mutants 'a row with a mutant that is not there' stress/explore/mutant.c '/"unvalidated miss"/d'
in_mutants 'a mutant without a row' $doc 's/`unvalidated miss`//'
in_mutants 'a row with a fault that is not planted' stress/mutants.sh '/ hole-not-checked /d'
in_mutants 'a planted fault without a row' $doc 's/`hole-not-checked`, //'
in_mutants 'a row with a fault that no model has' stress/model/run.sh 's/MUTANT_BUSY/MUTANT_IDLE/'
in_mutants 'a fault of a model without a row' $doc 's/, `MUTANT_BUSY`//'
in_mutants 'a control program without a row' $doc 's/, `tsan.control.inversion`//'
in_mutants 'a row with a control program that is gone' tsan/CMakeLists.txt '/tsan.control.inversion/d'
in_mutants 'a row with a test that is gone' tests/test_smoke.c '/cmocka_unit_test\(statistics_of_many_threads_add_up\)/d'
in_mutants 'a harmless mutant that the document calls killed' $doc 's/ \| (`ORDER_COUNTER_BEFORE relaxed, home only`) \|/, \1 | |/'
in_mutants 'a harmless step that the document calls noticed' $doc 's/^(\| W3 from table to table \|) \| (`[^`]*`)/\1 \2 |/'
in_mutants 'a killed mutant that the document calls harmless' $doc 's/`ORDER_SEARCH_READ relaxed` \| \|/| `ORDER_SEARCH_READ relaxed` |/'
in_mutants 'a mutant in the row of another order' $doc 's/`ORDER_SEARCH_READ relaxed`//; s/`ORDER_WORD_READ relaxed`/&, `ORDER_SEARCH_READ relaxed`/'
in_mutants 'a mutant that has become harmless' stress/explore/mutant.c '/"unvalidated miss"/s/NULL/home_first/'
in_mutants 'a relaxed access without a row' $doc '/^\| `stats_add` /d'
in_mutants 'an order made relaxed without a row' lib/protocol.h '/define ORDER_SEARCH_READ/s/memory_order_acquire/memory_order_relaxed/'
in_mutants 'a row of a function without a relaxed access' lib/stats.h 's/amount, memory_order_relaxed/amount, memory_order_release/'
in_mutants 'a relaxed access that nothing notices' $doc '/^\| `look` /s/\| the mutants.*/| |/'
exit "$failed"
