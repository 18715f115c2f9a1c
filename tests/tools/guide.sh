#!/bin/sh
# docs/command.md, which is $2, shows what happens: each command after a "$ " is run by bash, and
# prints the lines that follow. With --write the document is brought up to date in place of that.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"
guide=$2
PATH=$(dirname "$guira"):$PATH

# The guide as it is now: other lines as they are, of examples the commands with what they print.
is_example=
while IFS= read -r line; do
    case $line in
    '```console') is_example=yes ;;
    '```') is_example= ;;
    esac
    case $is_example$line in
    yes'$ '*)
        printf '%s\n' "$line"
        bash -c "${line#??}" 2>&1 </dev/null || true
        ;;
    yes'```console' | [!y]* | '') printf '%s\n' "$line" ;;
    yes*) ;; # what was printed, when it was written
    *) printf '%s\n' "$line" ;;
    esac
done <"$guide" >now
grep -c '^\$ ' now >count
[ "$(cat count)" -gt 10 ] || wrong 'there are no examples in the guide'
if [ "${3:-}" = --write ]; then
    cp now "$guide"
else
    diff "$guide" now >&2 || wrong 'the guide shows other output than the command prints'
fi
