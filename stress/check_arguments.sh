#!/bin/sh
# Numbers on the command lines of stress programs are read strictly, and a seed decides a schedule.
#
#     check_arguments.sh FOLDER_OF_PROGRAMS
set -u
programs=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
failed=0

# refused COMMAND...: it must end with status 2, and with the given number in what it says.
refused() {
    said=$("$@" 2>&1 >/dev/null)
    status=$?
    for last; do :; done
    case $status:$said in
    2:*"'$last'"*) ;;
    *)
        echo "not refused: $* (status $status: $said)"
        failed=1
        ;;
    esac
}

for bad in '' abc 0 00 -1 +1 ' 1' '1 ' 0x10 1.5 1e3 12a 18446744073709551616 nan; do
    for program in torture torture_hooked interleave stalled fills; do
        refused "$programs/guira_$program" --seed "$bad"
    done
    refused "$programs/guira_torture" --threads "$bad"
    refused "$programs/guira_interleave" --rounds "$bad"
    refused "$programs/guira_stalled" --rounds "$bad"
    refused "$programs/guira_fills" --fills "$bad"
    refused "$here/run.sh" "$programs" --seconds "$bad"
    refused "$here/run.sh" "$programs" --threads "$bad"
    refused "$here/run.sh" "$programs" --seed "$bad"
done
for bad in '' abc -1 ' 1' 0x10 nan inf 1e400 1e 1.2.3; do
    refused "$programs/guira_torture" --seconds "$bad"
    refused "$programs/guira_fills" --rate "$bad"
done

# schedule SEED: all that a run prints but the command that replays it.
schedule() {
    "$programs/guira_interleave" --seed "$1" --rounds 10 | grep -v '^replay'
}
once=$(schedule 7)
case $once in
*PASS*) ;;
*)
    echo "guira_interleave failed: $once"
    failed=1
    ;;
esac
if [ "$once" != "$(schedule 7)" ]; then
    echo "the same seed gave another schedule"
    failed=1
fi
if [ "$once" = "$(schedule 8)" ]; then
    echo "another seed gave the same schedule"
    failed=1
fi
exit "$failed"
