#!/bin/sh
# Put the results of ./dev tables into docs/tables.md, below its own text, and the plots beside it.
#
#     bench/tables/publish.sh [RESULTS]
#
# RESULTS is a folder that guira_tables wrote; build/bench/tables by default.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
results=${1:-$root/build/bench/tables}
page=$root/docs/tables.md
summary=$results/summary.md

[ -s "$summary" ] || {
    echo "publish: no summary in $results; run ./dev tables" >&2
    exit 1
}
if grep -q '^Small sizes' "$summary"; then
    echo "publish: those are results of --smoke" >&2
    exit 1
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
sed '/^# Published and measured$/,$d' "$page" >"$new"
cat "$summary" >>"$new"
cat "$new" >"$page"
mkdir -p "$root/docs/plots"
cp "$results"/plots/*.svg "$root/docs/plots/"
