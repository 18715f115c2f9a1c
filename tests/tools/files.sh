#!/bin/sh
# Files that are not what they should be, and output that cannot be written.
# shellcheck disable=SC2002 # pipes are meant
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

seq 20000 >keys
"$guira" build -j1 -s 1 good.guira keys
mkdir place

# A folder in place of a file.
expect 2 "$guira" build x.guira place
says 'Is a directory'
expect 2 "$guira" query good.guira place
says 'Is a directory'
expect 2 "$guira" query place keys
says 'Is a directory'
expect 2 "$guira" build place keys
says 'Is a directory'
expect 2 "$guira" build place/ keys
expect 2 "$guira" build no/place.guira keys
says 'No such file'
expect 2 "$guira" build x.guira keys none
says 'none: No such file'
expect 2 "$guira" build /dev/null keys
says 'not a regular file'
[ -c /dev/null ] || wrong '/dev/null is no device any more'

# Output that cannot be written.
if [ -w /dev/full ]; then
    for call in 'query good.guira keys' 'query -c good.guira keys' 'query -A good.guira keys' \
        'build - keys' 'info good.guira' 'size 5' 'verify good.guira' 'add -o - good.guira keys' \
        '--help' 'build --help'; do
        status=0
        # shellcheck disable=SC2086
        "$guira" $call >/dev/full 2>err || status=$?
        [ $status -eq 2 ] || wrong "status $status: $call >/dev/full"
        says 'No space left'
    done
fi
status=0
"$guira" query good.guira keys >&- 2>err || status=$?
[ $status -eq 2 ] || wrong "status $status with closed output"
status=0
"$guira" query good.guira >out 2>err <&- || status=$?
[ $status -eq 2 ] || wrong "status $status with closed input"

# Somebody who reads no more: the end is quiet, by the signal.
yes 1 | {
    got=0
    "$guira" query good.guira 2>err || got=$?
    echo $got >status
} | head -n 1 >out
[ "$(cat out)" = 1 ] || wrong 'a pipe that is closed got no line'
[ "$(cat status)" -eq 141 ] || wrong "status $(cat status) after a closed pipe"
[ ! -s err ] || wrong 'a closed pipe is complained of'
# ... and if the signal is ignored, by a message.
(
    trap '' PIPE
    yes 1 2>/dev/null | {
        got=0
        "$guira" query good.guira 2>err || got=$?
        echo $got >status
    } | head -n 1 >out
)
[ "$(cat status)" -eq 2 ] || wrong "status $(cat status) after a closed pipe, signal ignored"
says 'Broken pipe'

# A folder that is protected; root is let in everywhere, so root becomes somebody else.
mkdir closed
cp good.guira closed/
chmod 777 .
chmod 644 keys good.guira
chmod 555 closed
somebody=
if [ "$(id -u)" -eq 0 ]; then
    somebody='setpriv --reuid=65534 --regid=65534 --clear-groups'
fi
if [ -z "$somebody" ] || $somebody "$guira" --version >out 2>&1; then
    for call in 'build closed/new.guira keys' 'add closed/good.guira keys' \
        'remove -k closed/good.guira keys' 'merge closed/good.guira good.guira'; do
        # shellcheck disable=SC2086
        expect 2 $somebody "$guira" $call
        says 'Permission denied'
        says 'closed/'
    done
    [ "$(ls -A closed)" = good.guira ] || wrong 'something is left in the closed folder'
    same good.guira closed/good.guira
else
    echo 'nobody may run the command here: the closed folder was not tried'
fi

# Damaged and hostile files: each call ends with a message.
size=$(wc -c <good.guira)
hostile() {
    for call in "query bad.guira keys" "info bad.guira" "add bad.guira keys" \
        "merge bad.guira good.guira" "merge good.guira bad.guira" "remove -k bad.guira keys" "query -M bad.guira keys"; do
        # shellcheck disable=SC2086
        expect 2 "$guira" $call
        says 'guira '
    done
    expect 1 "$guira" verify bad.guira
}
for length in 0 1 7 8 100 128 136 1000 $((size - 1)); do
    head -c "$length" good.guira >bad.guira
    hostile
done
for offset in 0 8 12 16 40 64 120 127 128 1000 $((size - 1)); do
    byte=$(od -A n -t u1 -j "$offset" -N 1 good.guira)
    cp good.guira bad.guira
    # shellcheck disable=SC2059
    printf "\\$(printf %03o $((byte ^ 85)))" |
        dd of=bad.guira bs=1 seek="$offset" conv=notrunc 2>err
    hostile
done
{
    cat good.guira
    echo more
} >bad.guira
hostile
for command in verify info; do
    cat bad.guira | "$guira" $command - >out 2>err && wrong "$command - takes what goes on"
    cat out >>err
    says 'goes on after the filter'
    cat good.guira | expect 0 "$guira" $command -
done
: >bad.guira
expect 1 "$guira" verify bad.guira
grep -q '^bad.guira: the file is empty$' out || wrong "of an empty file verify says $(cat out)"
expect 2 "$guira" info bad.guira
says 'the file is empty'
head -c 1000 good.guira >bad.guira
expect 2 "$guira" info bad.guira
says 'bad.guira: the saved filter ends too early; copy it again'
head -c 100000 /dev/urandom >bad.guira
hostile
: >bad.guira
truncate -s 1T bad.guira 2>err && hostile

# Filters through pipes, and over pages of the file.
"$guira" build -j1 -s 1 - keys >piped.guira
same good.guira piped.guira
cat good.guira | "$guira" query -c - keys >out
[ "$(cat out)" = 20000 ] || wrong 'a filter from a pipe does not find all'
cat good.guira | "$guira" remove -k - keys | "$guira" add - keys | "$guira" info - >out
"$guira" info good.guira | cmp - out || wrong 'remove and add do not cancel out'
"$guira" query -M -c good.guira keys >out
[ "$(cat out)" = 20000 ] || wrong 'a mapped filter does not find all'
mkfifo pipe
cat good.guira >pipe &
"$guira" query -M -c pipe keys >out
[ "$(cat out)" = 20000 ] || wrong 'a filter from a named pipe does not find all'
cat keys >pipe &
"$guira" build -j1 -n 20k -s 1 piped.guira pipe
same good.guira piped.guira
rm -rf closed
only keys good.guira place status piped.guira bad.guira pipe
