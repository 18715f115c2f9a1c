#!/bin/sh
# An interrupt leaves the old file or the new one, whole, and nothing beside it. $2, if it is there,
# is a library whose fsync sends SIGTERM to its own process: in the middle of every save.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

seq 1000 >keys
"$guira" build -j1 -s 1 set.guira keys
cp set.guira before

# While keys are waited for.
mkfifo pipe
for signal in INT TERM HUP; do
    for call in 'build -n 5000 set.guira pipe' 'add set.guira pipe' 'remove -k set.guira pipe'; do
        # A shell's background commands ignore INT, but for those of a new environment.
        # shellcheck disable=SC2086
        env --default-signal "$guira" $call 2>err &
        exec 3>pipe
        echo 5000 >&3
        kill -s $signal $!
        status=0
        wait $! || status=$?
        exec 3>&-
        [ $status -gt 128 ] || wrong "status $status after $signal: $call"
        same set.guira before
        only keys set.guira before pipe
    done
done

# While the filter is saved: then it is saved, and the signal comes after that.
if [ -n "${2:-}" ]; then
    status=0
    LD_PRELOAD=$2 "$guira" build -j1 -s 1 new.guira keys || status=$?
    [ $status -eq 143 ] || wrong "status $status after a signal during the save"
    same new.guira before
    only keys set.guira before pipe new.guira
fi
