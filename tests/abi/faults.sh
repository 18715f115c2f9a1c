#!/bin/sh
# faults.sh SOURCE WORK: check.sh finds faults that are planted in a copy
#
# A shared library may lack what it calls, so one file of the library is enough: info.c.
set -eu
source=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)

# library SONAME
library() {
    gcc -std=c11 -O1 -g -shared -fPIC -fvisibility=hidden -Wl,-soname,"$1" -Iinclude \
        -o library.so lib/info.c
}

# plant FILE SCRIPT: sed changes FILE by SCRIPT, all else is as it was
plant() {
    rm -rf include lib
    cp -r "$source/include" "$source/lib" .
    sed -i "$2" "$1"
    if cmp -s "$source/$1" "$1"; then
        echo "nothing planted in $1 by $2" >&2
        exit 1
    fi
}

check() {
    "$here/check.sh" library.so include/guira dump >answer 2>&1
}

# found WHAT WORDS: check fails and says so with WORDS
found() {
    library libguira.so.1
    if check || ! grep -q "$2" answer; then
        cat answer
        echo "not found: $1" >&2
        exit 1
    fi
    echo "found: $1"
}

# taken WHAT WORDS [SONAME]: check passes and says so with WORDS
taken() {
    library "${3:-libguira.so.1}"
    if ! check || ! grep -q "$2" answer; then
        cat answer
        echo "not taken: $1" >&2
        exit 1
    fi
    echo "taken: $1"
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cp -r "$source/include" "$source/lib" .
library libguira.so.1
"$here/dump.sh" library.so include/guira >dump
taken 'no change' 'keeps what it promised'

plant include/guira/options.h 's/^struct guira_info {/&\n    uint64_t planted;/'
found 'a field before the others' 'type size changed'
taken 'a field before the others, with another SONAME' 'no longer libguira.so.1' libguira.so.2

plant include/guira/options.h 's/bool is_growing;/uint8_t is_growing;/'
found 'a field of another type' 'is_growing'

plant include/guira/guira.h 's/^GUIRA_API \(uint64_t guira_capacity\)/\1/'
found 'a function that is no longer exported' guira_capacity

plant include/guira/status.h 's/GUIRA_BAD_RATE = 34/GUIRA_BAD_RATE = 60/'
found 'a status of another value' 'GUIRA_BAD_RATE'

plant lib/info.c 's/^uint64_t guira_size(/GUIRA_API int guira_planted(void);\nint guira_planted(void) {\n    return 0;\n}\n\n&/'
taken 'a new function' 'guira_planted'

plant include/guira/status.h 's/GUIRA_WRONG_COUNT = 72/&,\n    GUIRA_PLANTED = 73/'
taken 'a new status' 'keeps what it promised'
