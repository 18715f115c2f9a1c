#!/bin/sh
# Run all stress programs, one after the other, each with its share of the time.
#
#     run.sh FOLDER_OF_PROGRAMS [--seconds S] [--threads T] [--seed N] [--scenario NAME]
#
# Default: 60 seconds, 4 threads, a seed from the clock. With a scenario guira_torture alone runs,
# with that. Each program prints the command that replays it. Fails if one does, after all have run.
set -eu
programs=$1
shift
seconds=60
threads=4
seed=$(date +%s)
scenario=
usage() {
    echo 'usage: ./dev stress [--seconds S] [--threads T] [--seed N] [--scenario NAME]'
}
# number NAME VALUE LOW HIGH: digits without a leading 0, so that the shell can compare them.
number() {
    case $2 in
    '' | 0* | *[!0-9]* | ???????????????????*) ;;
    *) [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ] || return 0 ;;
    esac
    echo "$1 '$2': not a whole number from $3 to $4" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage && exit 0 ;;
    esac
    [ $# -gt 1 ] || { usage >&2 && exit 2; }
    case $1 in
    --seconds) number "$1" "$2" 1 10000000 && seconds=$2 ;;
    --threads) number "$1" "$2" 2 64 && threads=$2 ;;
    --seed) number "$1" "$2" 1 999999999999999999 && seed=$2 ;;
    --scenario) scenario=$2 ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift 2
done

if [ -n "$scenario" ]; then
    exec "$programs/guira_torture" --seconds "$seconds" --threads "$threads" --seed "$seed" \
        --scenario "$scenario"
fi
failed=0
run() {
    echo
    echo "== $*"
    program=$1
    shift
    "$programs/$program" "$@" || failed=1
}
share=$(((seconds + 5) / 6))
run guira_torture --seconds "$share" --threads "$threads" --seed "$seed"
run guira_torture --seconds "$share" --threads 64 --seed "$seed"
run guira_torture_hooked --seconds "$share" --threads 64 --seed "$seed"
run guira_interleave --rounds $((share * 60)) --seed "$seed"
run guira_stalled --rounds 11 --seed "$seed"
run history/guira_history --seconds "$share" --threads "$threads" --seed "$seed"
run history/guira_history_paused --seconds "$share" --threads "$threads" --seed "$seed"
echo
[ "$failed" -eq 0 ] && echo "PASS: all stress programs" || echo "FAIL: see above"
exit "$failed"
