#!/bin/sh
# Fails unless every atomic access in lib/ says which edge of docs/memory-model.md it is an end of, or
# why it needs none.
#
#     check_labels.sh [SOURCE_DIR]
#
# An access is a line that names an order, memory_order_... or ORDER_..., outside lib/atomic.h, which
# only passes orders on (its atomic objects are structs, so that nothing else can touch them). Its
# label is in the line, or in a line of comment alone just before: "E<n> publishes", "E<n> observes"
# (or "E<n> and E<m> ..."), or "relaxed: <reason>". Where an order is named by memory_order_..., it must
# be as strong as the label says.
set -eu
source=${1:-$(dirname "$0")/../..}
cd "$source"
failed=0

found=$(awk '
    FILENAME ~ /lib\/atomic\.h$/ { next }
    FNR == 1 { comment = "" }
    /memory_order_[a-z]|[( ]ORDER_[A-Z]/ && !/^#ifndef/ {
        text = comment " " $0
        edge = text ~ /E[0-9]+ (and E[0-9]+ )?(publishes|observes)/
        reason = text ~ /relaxed: [a-zA-Z]/
        if (!edge && !reason) {
            print FILENAME ":" FNR ": no label: " $0
        } else if (/memory_order_relaxed/ ? !reason : /memory_order_/ && !edge) {
            print FILENAME ":" FNR ": the label does not fit the order: " $0
        }
    }
    { comment = ($0 ~ /^ *(\/\*| \*)/) ? $0 : "" }
' lib/*.[ch])
raw=$(grep -nE 'atomic_(load|store|exchange|fetch|thread_fence|compare)|_Atomic|__atomic|__sync|ck_pr_fence' \
    lib/*.[ch] | grep -v '^lib/atomic\.h:' || true)
if [ -n "$found$raw" ]; then
    printf '%s\n' "$found" "$raw"
    failed=1
fi

ends() { # all edges of which an access in lib/ is the end $1
    grep -hvE '^#define' lib/*.[ch] | grep -oE "E[0-9]+ (and E[0-9]+ )?$1" | grep -oE 'E[0-9]+' |
        sort -u
}
# E4 is the lock, whose two ends are calls, not accesses.
rows=$(grep -oE '^\| E[0-9]+ ' docs/memory-model.md | grep -oE 'E[0-9]+' | grep -v '^E4$' | sort -u)
for end in publishes observes; do
    if [ "$(ends "$end")" != "$rows" ]; then
        printf 'edges that lib/ %s: %s; rows in docs/memory-model.md: %s\n' "$end" \
            "$(ends "$end" | tr '\n' ' ')" "$(printf '%s' "$rows" | tr '\n' ' ')"
        failed=1
    fi
done
[ "$failed" -eq 0 ] && printf 'every atomic access is labelled, every edge has both ends and a row\n'
exit "$failed"
