#!/bin/sh
# Put the results of ./dev bench into docs/: the summary below the last section of
# docs/benchmarks.md, and the plots beside it.
#
#     bench/publish.sh [RESULTS]
#
# RESULTS is a folder that guira_bench wrote; build/bench/results by default.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
results=${1:-$root/build/bench/results}
page=$root/docs/benchmarks.md

[ -s "$results/summary.md" ] || {
    echo "publish: no summary in $results; run ./dev bench" >&2
    exit 1
}
new=$(mktemp)
trap 'rm -f "$new"' EXIT
sed '/^# Figures$/,$d' "$page" >"$new"
mkdir -p "$root/docs/plots"
{
    echo '# Figures'
    echo
    for plot in "$results"/*.svg; do
        cp "$plot" "$root/docs/plots/"
        name=$(basename "$plot" .svg)
        echo "![$name](plots/$name.svg)"
    done
    echo
    sed '1d; s/^## /### /; 2{/^$/d}' "$results/summary.md"
} >>"$new"
cat "$new" >"$page"
