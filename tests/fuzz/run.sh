#!/bin/sh
# run.sh FOLDER [SECONDS [SEED]]: fuzz each target for that long, from the seeds, with programs that
# were built in FOLDER. Fails if something is found; the input is then in FOLDER. Fails too if a
# target was hardly run, or found no new ways through the code, as then something is wrong with it.
set -eu
programs=$1
seconds=${2:-20}
seed=${3:-1}
least_runs=300
least_found=50

fail() {
    echo "fuzz: $1" >&2
    exit 1
}

# statistic NAME LOG: a number that libFuzzer printed at the end
statistic() {
    sed -n "s/^stat::$1: *//p" "$2"
}

cd "$programs"
./fuzz_seeds seeds
for target in api load map; do
    case $target in
    api) seeds=seeds/api longest=600 ;;
    *) seeds=seeds/file longest=4096 ;;
    esac
    log=$target.log
    rm -rf "found.$target"
    mkdir "found.$target"
    echo "== $target: fuzz_$target -seed=$seed -max_total_time=$seconds"
    "./fuzz_$target" -seed="$seed" -max_total_time="$seconds" -max_len="$longest" -timeout=20 \
        -rss_limit_mb=2048 -artifact_prefix="$target-" -print_final_stats=1 \
        "found.$target" "$seeds" >"$log" 2>&1 || {
        tail -n 60 "$log"
        fail "$target found a fault; run fuzz_$target with the $target-* file that is named above"
    }
    runs=$(statistic number_of_executed_units "$log")
    found=$(statistic new_units_added "$log")
    echo "   $runs runs, $found new inputs, $(grep -o 'cov: [0-9]*' "$log" | tail -n 1)"
    [ "$runs" -ge "$least_runs" ] || fail "$target ran only $runs times"
    [ "$found" -ge "$least_found" ] || fail "$target found only $found ways through the code"
done
