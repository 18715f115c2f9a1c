#!/bin/sh
# Check the Promela model of the protocol: every property, every mutant, every place that the search
# must get to. Prints a table; fails unless each line is as expected and each search that found
# nothing was exhaustive. Exits with 77 if spin or a C compiler is missing.
#
#     run.sh [BUILD_DIR]
#
# After a surprise, BUILD_DIR/<line>/ has the output of pan and the trail; in it,
#     spin <flags> -t -p -g -l -k *.trail SOURCE_DIR/stress/model/<scenario>.pml
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
compiler=${CC:-cc}
for tool in spin "$compiler"; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: no $tool here (Debian packages: spin gcc)"
        exit 77
    fi
done
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    build=$(CDPATH='' cd -- "$1" && pwd)
else
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
    trap 'exit 1' HUP INT TERM
fi

megabytes=3500 # of memory, at most
depth=1000000
lines=0
failed=0

# What a search has to find, besides the names of properties in protocol.pml.
nothing=nothing
deadlock='invalid end state'
cycle='acceptance cycle'

# line EXPECTED SCENARIO FLAGS WHAT: one search and its line of the table.
line() {
    expected=$1
    scenario=$2
    flags=$3
    what=$4
    lines=$((lines + 1))
    mkdir -p "$build/$lines"
    cd "$build/$lines"
    rm -f ./*.trail

    case "$scenario $flags" in # what is said in temporal logic
    brim* | *-DSTALL* | *-DPROGRESS*) search='-DNFAIR=3' run='-a -f' ;;
    *) search='-DSAFETY -DNOCLAIM' run='' ;;
    esac
    optimize=-O1 # but for a search that soon finds something building takes longer than running
    [ "$expected" = "$nothing" ] || optimize=-O0
    # shellcheck disable=SC2086 # lists of words
    if ! spin -a $flags "$source/$scenario.pml" >spin.log 2>&1 ||
        ! "$compiler" $optimize -w -DCOLLAPSE -DMEMLIM=$megabytes $search -o pan pan.c >cc.log 2>&1; then
        cat spin.log cc.log
        echo "cannot build $scenario $flags" >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    ./pan -m$depth $run >pan.log 2>&1 || true

    found=$(sed -nE 's/^pan:1: (assertion violated )?(.*) \(at depth.*/\2/p' pan.log | head -n 1)
    if grep -q 'errors: 0$' pan.log; then
        found=nothing
    fi
    if grep -qE 'max search depth too small|reached -DMEMLIM|out of memory' pan.log; then
        found="$found, cut short"
    fi
    result=ok
    [ "$found" = "$expected" ] || result=FAILED
    [ $result = ok ] || failed=$((failed + 1))
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
    deep=$(sed -n 's/.*depth reached \([0-9]*\).*/\1/p' pan.log | tail -n 1)
    seconds=$(sed -n 's/^pan: elapsed time \([0-9.]*\).*/\1/p' pan.log)
    printf '%-6s %-50s %-20s %10s %7s %6s  %s\n' $result "$what" "${found:-?}" "$states" \
        "$deep" "$seconds" "$scenario $flags"
    [ $result = FAILED ] || rm -f pan pan.?
}

title() {
    printf '\n%-57s %-20s %10s %7s %6s  %s\n' "$1" 'found' 'states' 'depth' 's' 'scenario and flags'
}

holds() {
    line "$nothing" "$@"
}

two='-DTWO_WRITERS -DNO_SHARES -DLAST_STEP=2'
wish='-DNO_READER -DSTARTS'
title 'Holds:'
holds churn '-DONE_LOOK' 'none missed, lost or doubled; no deadlock'
holds churn '-DONE_LOOK -DSHIFT=1' 'the same with two buckets a stripe'
holds pairs '-DONE_LOOK -DCALLS=1' 'the same with two slots a word'
holds pairs '-DONE_LOOK -DCALLS=1 -DSHIFT=1' 'the same with both'
holds copies '-DONE_LOOK -DCALLS=2' 'the same with two copies, and LIMIT'
holds unique '-DONE_LOOK -DCALLS=2' 'the same, and one insert_unique wins'
holds brim '' 'two inserts near full both end'
holds churn '-DSTALL -DONE_LOOK -DCALLS=1' 'a stalled writer blocks no reader'
holds growth '-DCALLS=0 -DTWO_ELEMENTS' 'two growths beside a look'
holds growth '-DLAST_STEP=2' 'growth beside a change and a look'
holds growth "$two" 'growth beside two changes, and LIMIT'
holds growth "$two -DUNIQUE" 'the same, and one insert_unique wins'
holds growth "$wish" 'two growths, begun by whoever wants to'
holds growth '-DNO_READER -DPROGRESS' 'two growths and a change beside them end'

title 'Mutants:'
line no_false_negative churn '-DONE_LOOK -DMUTANT_NO_COUNTER' 'no counter'
line no_false_negative churn '-DONE_LOOK -DMUTANT_COUNTER_AFTER_CLEAR' 'counter after the clear'
line no_false_negative churn '-DONE_LOOK -DMUTANT_CLEAR_BEFORE_FILL' 'clear before fill'
line no_false_negative churn '-DONE_LOOK -DMUTANT_UNVALIDATED' 'a miss is not validated'
line no_false_negative churn '-DONE_LOOK -DMUTANT_COUNTERS_LATE' 'counters first read after the words'
line no_false_negative churn '-DONE_LOOK -DMUTANT_ONE_COUNTER' 'only one of the two counters compared'
line none_lost_or_doubled pairs '-DONE_LOOK -DCALLS=1 -DMUTANT_NO_RECHECK' 'no re-check under the locks'
line "$deadlock" pairs '-DONE_LOOK -DCALLS=1 -DMUTANT_LOCK_ORDER' 'one writer locks paths in descending order'
line "$deadlock" copies '-DONE_LOOK -DCALLS=2 -DMUTANT_LOCK_ORDER' 'the same, for both stripes of one element'
line one_winner unique '-DONE_LOOK -DCALLS=2 -DMUTANT_ONE_SIDE_LOCKED' 'insert_unique locks one side only'
line "$cycle" brim '-DMUTANT_HOP_BY_HOP' 'hop-by-hop locking'
line "$cycle" churn '-DSTALL -DONE_LOOK -DCALLS=1 -DMUTANT_BUSY' 'readers wait for writers'
line none_left_behind growth '-DLAST_STEP=2 -DMUTANT_UNVISITED' 'an empty bucket is not visited'
line none_left_behind growth '-DLAST_STEP=2 -DMUTANT_VIEW_NOT_HELD' 'no look at the view under the locks'
line no_false_negative growth '-DLAST_STEP=2 -DMUTANT_VIEW_UNVALIDATED' 'no look at the view before a miss'
line no_false_negative growth '-DCALLS=0 -DTWO_ELEMENTS -DMUTANT_VIEW_UNVALIDATED' 'the same through two growths'
line no_false_negative growth '-DLAST_STEP=2 -DMUTANT_CLEAR_BEFORE_FILL' 'clear before fill, across tables'
line none_left_behind growth '-DCALLS=0 -DTWO_ELEMENTS -DMUTANT_OLD_CURSOR' 'cursors of the growth before'
line none_left_behind growth "$wish -DMUTANT_WISH_IN_ANY_VIEW" 'a wish is carried out in any view'
line limit_kept growth "$two -DMUTANT_ONE_STRIPE" 'inserts in mid-growth lock one stripe'
line one_winner growth "$two -DUNIQUE -DMUTANT_NEW_PLACES" 'or those of the new table only'
line "$deadlock" growth "$two -DMUTANT_LOCK_ORDER" 'one writer locks in descending order'
line "$cycle" growth '-DNO_READER -DPROGRESS -DMUTANT_EMPTY_NOT_COUNTED' 'stripes that begin empty are not counted'

title 'Reached, so the proofs speak of it:'
line unreached churn '-DONE_LOOK -DREACH=1' 'an insert that moves two or more'
line unreached churn '-DONE_LOOK -DREACH=2' 'a reader that looks again'
line unreached pairs '-DONE_LOOK -DCALLS=1 -DREACH=3' 'a path that no longer stands'
line unreached brim '-DREACH=4' 'FULL'
line unreached copies '-DONE_LOOK -DCALLS=2 -DREACH=5' 'LIMIT'
line unreached unique '-DONE_LOOK -DCALLS=2 -DREACH=6' 'EXISTS, seen under the locks only'
line unreached copies '-DONE_LOOK -DCALLS=2 -DREACH=7' 'remove finds the element gone'
line unreached churn '-DSTALL -DONE_LOOK -DCALLS=1 -DREACH=8' 'an answer beside a writer stopped midway'
line unreached growth '-DLAST_STEP=2 -DREACH=1' 'the old table filled after growth began'
line unreached growth '-DCALLS=0 -DTWO_ELEMENTS -DREACH=2' 'a look whose view is two growths old'
line unreached growth '-DNO_READER -DLAST_STEP=2 -DREACH=3' 'two threads that emptied a stripe each'
line unreached growth "$two -DUNIQUE -DREACH=4" 'EXISTS, seen under the locks in mid-growth'
line unreached growth "$two -DREACH=5" 'LIMIT in mid-growth'
holds churn '-DONE_LOOK -DREACH=1 -DMUTANT_NO_MOVES' 'without moves the first place is not reached'

title 'Too strong to hold:'
line no_false_negative copies '-DONE_LOOK -DCALLS=2 -DSTRICT' 'a remove counts only from its clear on'
line full_is_honest brim '-DSTRICT_FULL' 'with still counters FULL: no path at the end'

echo
if [ "$failed" -gt 0 ]; then
    echo "$failed of $lines lines are not as expected"
    exit 1
fi
echo "all $lines lines are as expected"
