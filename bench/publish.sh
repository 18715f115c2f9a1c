#!/bin/sh
# Put the results of ./dev bench into docs/: all tables into docs/figures.md, and below the last
# section of docs/benchmarks.md the plots, the targets and the instructions.
#
#     bench/publish.sh [RESULTS]
#
# RESULTS is a folder that guira_bench wrote; build/bench/results by default.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
results=${1:-$root/build/bench/results}
page=$root/docs/benchmarks.md
summary=$results/summary.md

[ -s "$summary" ] || {
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
    # What is before the first section, and two of the sections.
    awk '/^# / { next } /^## / { shown = /^## (Targets|Instructions)/; seen = 1 } shown || !seen' \
        "$summary" | sed '1{/^$/d}'
    echo
    echo 'All tables are in [figures.md](figures.md).'
} >>"$new"
cat "$new" >"$page"
sed '1s/.*/# All figures of the last published benchmark/' "$summary" >"$root/docs/figures.md"
