#!/bin/sh
# What the tests of the command share; sourced, with $1 being the command. Each runs in a new folder
# of its own, which is removed at the end.
set -eu
# shellcheck disable=SC2034 # the tests use it
guira=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/guira-tools.XXXXXX")
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder"

wrong() {
    echo "WRONG: $*" >&2
    exit 1
}

# expect STATUS COMMAND...: it ends with that status, and an error has a message; both outputs are
# in the files out and err.
expect() {
    wanted=$1
    shift
    got=0
    "$@" >out 2>err || got=$?
    if [ "$got" -ne "$wanted" ]; then
        cat err >&2
        wrong "status $got, not $wanted: $*"
    fi
    if [ "$wanted" -eq 2 ] && [ ! -s err ]; then
        wrong "no message: $*"
    fi
}

# says TEXT: the last message has it.
says() {
    grep -q -F -e "$1" err || {
        cat err >&2
        wrong "no word of '$1'"
    }
}

same() {
    cmp "$1" "$2" >&2 || wrong "$1 and $2 differ"
}

# Nothing but the files that are named is in the folder, and hidden ones not at all.
only() {
    # shellcheck disable=SC2045 # no name here has a blank
    for file in $(ls -A); do
        case " $* out err " in
        *" $file "*) ;;
        *) wrong "left behind: $file" ;;
        esac
    done
}
