#!/bin/sh
# Fails unless docs/memory-model.md, "What notices a break", agrees with the code: each order of
# lib/protocol.h and lib/view.h is weakened by mutants of stress/explore, in as many lines as use it; each function
# with a relaxed access has a row; and the planted faults that are named exist, and none is left out.
#
#     check_mutants.sh [SOURCE_DIR]
#
# That the mutants are killed, and the harmless ones harmless, is for the tests that run them.
set -eu
source=${1:-$(dirname "$0")/../..}
cd "$source"
doc=docs/memory-model.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

fail() {
    printf '%s\n' "$1"
    failed=1
}

# same WHAT: $work/code and $work/doc hold the same lines, in any order, and some
same() {
    sort -u "$work/code" >"$work/code.sorted"
    sort -u "$work/doc" >"$work/doc.sorted"
    [ -s "$work/code" ] || fail "$1: none in the code"
    comm -23 "$work/code.sorted" "$work/doc.sorted" >"$work/missing"
    comm -13 "$work/code.sorted" "$work/doc.sorted" >"$work/unknown"
    [ ! -s "$work/missing" ] || fail "$1, not in $doc: $(paste -sd '|' "$work/missing")"
    [ ! -s "$work/unknown" ] || fail "$1, only in $doc: $(paste -sd '|' "$work/unknown")"
}

# rows HEADER: the rows of the table with that header
rows() {
    awk -v header="$1" '
        index($0, header) == 1 { inside = 1; next }
        !/^\|/ { inside = 0 }
        inside && !/^\|---/' "$doc"
}

# column N: that cell of each row
column() {
    awk -F '|' -v n="$(($1 + 1))" '{ gsub(/^ +| +$/, "", $n); print $n }'
}

# shellcheck disable=SC2016 # the backquotes are those of Markdown
quoted() {
    grep -oE '`[^`]+`' | tr -d '`'
}

rows '| order |' >"$work/orders"
rows '| step |' >"$work/steps"
rows '| function |' >"$work/functions"
{
    column 4 <"$work/orders"
    column 3 <"$work/steps"
} | quoted >"$work/harmless"
{
    column 3 <"$work/orders"
    column 2 <"$work/steps"
    column 3 <"$work/functions"
} | quoted >"$work/noticed"

# The explorer's mutants: a name, and NULL last if it must be killed.
tr '\n' ' ' <stress/explore/mutant.c | grep -oE '\{"[^}]*\}' |
    sed -E 's/^\{"([^"]*)".*, *([A-Za-z_]+)\}$/\2|\1/' >"$work/mutants"
grep '^NULL|' "$work/mutants" | sed 's/[^|]*|//' >"$work/killed" || true
grep -v '^NULL|' "$work/mutants" | sed 's/[^|]*|//' >"$work/code" || true
cp "$work/harmless" "$work/doc"
same 'harmless mutants'

# All that is planted, and what the document names besides: tests, which must exist.
grep -hoE 'cmocka_unit_test[a-z_]*\([a-z_0-9]+' tests/*.c | sed 's/.*(//' >"$work/tests"
{
    cat "$work/killed"
    grep -oE '^mutant [a-z]+ [a-z-]+' stress/mutants.sh | sed 's/.* //' |
        grep -vx none
    grep '^line ' stress/model/run.sh | grep -oE 'MUTANT_[A-Z_]+'
    grep -oE '^control\([a-z.-]+ REPORT' tsan/CMakeLists.txt | sed -E 's/.*\((.*) .*/\1/'
} >"$work/code"
grep -vxFf "$work/tests" "$work/noticed" >"$work/doc" || true
same 'planted faults'

# Orders: from the definition its edges, from the uses how many lines each has.
awk '/^#define ORDER_/ && !/memory_order_relaxed/ {
    edges = ""
    for (i = 4; i <= NF; i++) {
        if ($i ~ /^E[0-9]/) {
            edges = edges (edges == "" ? "" : ", ") $i
        }
    }
    print $2 "|" edges
}' lib/protocol.h lib/view.h >"$work/code"
cut -d '|' -f 1 "$work/code" >"$work/names"
# shellcheck disable=SC2016
sed -nE 's/^\| `(ORDER_[A-Z_]+)` \| ([^|]*[^ |]) \|.*/\1|\2/p' "$work/orders" >"$work/doc"
same 'orders and their edges'

rows '| edge |' | column 1 >"$work/code"
column 2 <"$work/orders" | grep -oE 'E[0-9]+' >"$work/doc"
same 'edges'

while read -r order; do
    # lib/eight.h says the lines of look() again, for eight elements.
    uses=$(find lib -name '*.[ch]' ! -name eight.h -exec cat {} + |
        grep -vE '^#(define|ifndef)' | grep -cw "$order" || true)
    grep -qE "^$order (relaxed|acquire|release)" "$work/killed" ||
        fail "$order: no mutant that must be killed"
    alone=$(grep -oE "\|$order [a-z]+, .*" "$work/mutants" | sed 's/.*, //' | sort -u | grep -c . || true)
    [ "$uses" -le 1 ] || [ "$uses" -eq "$alone" ] ||
        fail "$order: $uses lines use it, $alone are weakened alone"
done <"$work/names"

# shellcheck disable=SC2016
sed -E 's/^\| `?([A-Za-z_ ]+[A-Za-z_])`? \|/\1|/' "$work/orders" | awk -F '|' '{
    for (rest = $0; match(rest, /`ORDER_[A-Z_]+/); rest = substr(rest, RSTART + RLENGTH)) {
        if (substr(rest, RSTART + 1, RLENGTH - 1) != $1) {
            print "a mutant of another order in the row of " $1
        }
    }
}' >"$work/misplaced"
[ ! -s "$work/misplaced" ] || fail "$(cat "$work/misplaced")"

# Accesses without an order: the functions that have one.
awk '
    /^#define ORDER_.* memory_order_relaxed/ { relaxed[$2] = 1 }
    FILENAME ~ /lib\/atomic\.h$/ || /^#/ { next }
    /^[a-z].*\(/ {
        name = $0
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
    }
    {
        plain = /memory_order_relaxed/
        for (order in relaxed) {
            plain = plain || index($0, order)
        }
        if (plain) {
            print name
        }
    }' lib/protocol.h lib/view.h lib/*.[ch] >"$work/code"
column 1 <"$work/functions" | quoted >"$work/doc"
same 'functions with a relaxed access'
column 3 <"$work/functions" | grep -q '^$' && fail "$doc: a relaxed access that nothing notices"

[ "$failed" -eq 0 ] && printf 'every order and every planted fault is in %s, and exists\n' "$doc"
exit "$failed"
