#!/bin/sh
# What a filter may replace, and where it goes if links name it.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

seq 1000 >keys
seq 500 >others
cp keys words
"$guira" build -s 1 -n 2000 set.guira keys
cp set.guira before

# A file of something else stays, whatever would replace it.
for call in 'build words others' 'add -o words set.guira others' 'merge -o words set.guira before' \
    'remove -k -o words set.guira others'; do
    # shellcheck disable=SC2086
    expect 2 "$guira" $call
    says '--force'
    same words keys
done
# Before any work: the keys are not even looked at.
expect 2 "$guira" build words none
says '--force'
expect 0 "$guira" build --force words others
expect 0 "$guira" verify words
expect 0 "$guira" build words others
printf x >short
expect 2 "$guira" build short keys
says '--force'
expect 0 "$guira" merge -f -o short set.guira before
expect 0 "$guira" verify short
: >nothing
expect 0 "$guira" build nothing others
expect 0 "$guira" verify nothing

# Keys are not lost, not by force and not under another name.
ln keys linked
ln -s keys pointer
for name in keys linked pointer ./keys; do
    expect 2 "$guira" build -f "$name" others keys
    says 'at once'
    expect 2 "$guira" add -f -o "$name" set.guira keys
    says 'at once'
done
# shellcheck disable=SC2094 # that is what is tried
expect 2 "$guira" build -f keys <keys
says 'at once'
[ "$(wc -l <keys)" -eq 1000 ] || wrong 'keys were lost'
expect 2 "$guira" add set.guira set.guira
says 'at once'
same set.guira before
rm linked pointer

# Links: what they name is replaced, and they stay.
mkdir folder
cp before folder/target.guira
ln -s folder/target.guira near
ln -s ../near folder/far
ln -s "$PWD/folder/far" absolute
for name in near folder/far absolute; do
    cp before folder/target.guira
    expect 0 "$guira" build "$name" others
    [ -L "$name" ] || wrong "the link $name was replaced"
    [ ! -L folder/target.guira ] || wrong "the target of $name is a link"
    expect 0 "$guira" query -q folder/target.guira others
    cmp -s folder/target.guira before && wrong "the target of $name was not replaced"
    expect 0 "$guira" add "$name" /dev/null
    [ -L "$name" ] || wrong "add replaced the link $name"
done
ln -s new.guira folder/dangling
expect 0 "$guira" build folder/dangling keys
[ -L folder/dangling ] || wrong 'the dangling link was replaced'
expect 0 "$guira" verify folder/new.guira
ln -s no/where.guira lost
expect 2 "$guira" build lost keys
says 'No such file'
ln -s loop2 loop1
ln -s loop1 loop2
expect 2 "$guira" build loop1 keys
says 'symbolic links'
[ "$(ls -A folder)" = "$(printf 'dangling\nfar\nnew.guira\ntarget.guira')" ] ||
    wrong 'something is left in the folder'

# Several commands by different names of one file: no key is lost.
"$guira" build -n 20000 -p 1e-6 -s 1 folder/target.guira nothing
for i in 1 2 3 4; do
    seq $((1000 * i)) $((1000 * i + 999)) >part$i
    name=near
    [ $((i % 2)) -eq 0 ] || name=absolute
    "$guira" add $name part$i &
done
wait
cat part? >others
expect 1 "$guira" query -a folder/target.guira others
rm -r folder part?
only keys others words set.guira before short nothing near absolute lost loop1 loop2
