#!/bin/sh
# Fails unless every atomic access in lib/ says which edge of docs/memory-model.md it is an end of, or
# why it needs none.
#
#     check_labels.sh [SOURCE_DIR]
#
# An access is a line that names an order, memory_order_... or ORDER_..., outside lib/atomic.h, which
# only passes orders on. It is labelled if it or the line before says "E<n> publishes", "E<n>
# observes" (or "E<n> and E<m> ...") or "relaxed: <reason>".
set -eu
source=${1:-$(dirname "$0")/../..}
cd "$source"

unlabelled=$(awk '
    FILENAME == "lib/atomic.h" { next }
    FNR == 1 { before = "" }
    /memory_order_[a-z]|[( ]ORDER_[A-Z]/ && !/^#ifndef/ && !/memory_order order/ {
        text = before " " $0
        if (text !~ /E[0-9]+ (and E[0-9]+ )?(publishes|observes)/ && text !~ /relaxed: [a-zA-Z]/) {
            print FILENAME ":" FNR ": " $0
        }
    }
    { before = $0 }
' lib/*.[ch])

failed=0
if [ -n "$unlabelled" ]; then
    printf 'accesses without a label:\n%s\n' "$unlabelled"
    failed=1
fi
raw=$(grep -nE 'atomic_(load|store|exchange|fetch|thread_fence|compare)|__atomic|__sync|ck_pr_fence' \
    lib/*.[ch] | grep -v '^lib/atomic\.h:' || true)
if [ -n "$raw" ]; then
    printf 'accesses that bypass lib/atomic.h:\n%s\n' "$raw"
    failed=1
fi
ends() { # all edges of which lib/ has the end $1
    grep -hoE "E[0-9]+ (and E[0-9]+ )?$1" lib/*.[ch] | grep -oE 'E[0-9]+' | sort -u
}
rows=$(grep -oE '^\| E[0-9]+ ' docs/memory-model.md | grep -oE 'E[0-9]+' | sort -u)
for end in publishes observes; do
    if [ "$(ends "$end")" != "$(printf '%s\n' "$rows" | grep -v '^E4$')" ]; then
        # E4 is the lock, whose two ends are calls, not accesses.
        printf 'edges that lib/ %s: %s; rows in docs/memory-model.md: %s\n' "$end" \
            "$(ends "$end" | tr '\n' ' ')" "$(printf '%s' "$rows" | tr '\n' ' ')"
        failed=1
    fi
done
[ "$failed" -eq 0 ] && printf 'every atomic access is labelled, every edge has both ends and a row\n'
exit "$failed"
