#!/bin/sh
# check.sh NM SHARED_LIBRARY STATIC_LIBRARY LIST
#
# The shared library exports the symbols of the list, no more and no fewer. A static library cannot
# hide what its objects share, so there all global names begin with the prefix.
set -eu
nm=$1 shared=$2 static=$3 list=$4
LC_ALL=C
export LC_ALL

listed=$(cat "$list")
exported=$("$nm" -D --defined-only --format=posix "$shared" | cut -d ' ' -f 1 | sort)
if [ "$exported" != "$listed" ]; then
    echo "listed and exported symbols differ; each side's own lines:"
    printf '%s\n%s\n' "$listed" "$exported" | sort | uniq -u
    exit 1
fi

# Lines that end in a colon name the objects.
global=$("$nm" -g --defined-only --format=posix "$static" | sed '/:$/d; s/ .*//; /^$/d')
[ -n "$global" ] || { echo "no symbols in $static"; exit 1; }
foreign=$(echo "$global" | grep -v '^guira_' || true)
if [ -n "$foreign" ]; then
    echo "global symbols without the prefix guira_:"
    echo "$foreign"
    exit 1
fi
