#!/bin/sh
# Plants wrong labels in a copy, each of which check_labels.sh must find.
#
#     check_itself.sh SOURCE_DIR
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

plant() { # NAME FILE SED-EXPRESSION
    rm -rf "${work:?}/lib" "${work:?}/docs"
    mkdir -p "$work/docs"
    cp -r "$source/lib" "$work/lib"
    cp "$source/docs/memory-model.md" "$work/docs/"
    sed -i "$3" "$work/$2"
    if cmp -s "$source/$2" "$work/$2"; then
        echo "$1: the edit does not apply"
        failed=1
    elif "$source/tests/labels/check_labels.sh" "$work" >/dev/null; then
        echo "$1: not found"
        failed=1
    else
        echo "$1: found"
    fi
}
plant 'a label left out' lib/insert.c 's| /\* E1 observes \*/||'
plant 'one of two labels left out' lib/protocol.h '/away_before = word_load/s| /\*.*\*/||'
plant 'an order below its label' lib/protocol.h '/define ORDER_COUNTER_STORE/s|memory_order_release|memory_order_relaxed|'
plant 'an access that bypasses the functions' lib/remove.c 's|    if (matches == 0) {|    atomic_load(\&f->table.words[0].value);\n&|'
plant 'an edge that nobody observes' lib/protocol.h 's|E2 and E3 observes|E2 observes|'
plant 'an edge without a row' docs/memory-model.md '/^| E3 /d'
exit "$failed"
