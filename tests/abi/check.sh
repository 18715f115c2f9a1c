#!/bin/sh
# check.sh LIBRARY HEADERS DUMP
#
# While the library has the SONAME of DUMP, which dump.sh printed for the last release, programs that
# were linked with that release must run with this library. What is added harms none of them.
set -eu
library=$1 headers=$2 dump=$3
here=$(dirname "$0")
now=$(mktemp)
trap 'rm -f "$now"' EXIT

# attribute NAME DUMP: of the line that opens DUMP
attribute() {
    sed -n "1s/.* $1='\([^']*\)'.*/\1/p" "$2"
}

"$here/dump.sh" "$library" "$headers" >"$now"
name=$(attribute soname "$dump")
if [ -z "$(attribute soname "$now")" ] || [ -z "$name" ]; then
    echo "no SONAME in $library or in $dump" >&2
    exit 1
fi
if [ "$(attribute architecture "$now")" != "$(attribute architecture "$dump")" ]; then
    echo "skipped: the dump is of $(attribute architecture "$dump")"
    exit 0
fi
if [ "$(attribute soname "$now")" != "$name" ]; then
    echo "The SONAME is no longer $name, so nothing need fit; ./dev abi --renew at the release."
    exit 0
fi

result=0
report=$(abidiff --no-added-syms "$dump" "$now" 2>&1) || result=$?
if [ "$result" -ne 0 ]; then
    cat <<END
$report

This breaks programs that were linked with the last release of $name. Take it back; or,
for the next release, make another SONAME by another version in guira/version.h. If you are sure
that it breaks none, or the release is yet to come: ./dev abi --renew, and commit what it writes.
END
    exit 1
fi
abidiff "$dump" "$now" || echo "Additions break nothing; they are part of $name from its next release."
echo "$name keeps what it promised"
