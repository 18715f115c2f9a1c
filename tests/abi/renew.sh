#!/bin/sh
# renew.sh LIBRARY VERSION: make LIBRARY the last release, with which check.sh and packages compare
#
# Symbols that the last release had under the same SONAME keep the version that they first had.
set -eu
library=$(readlink -f "$1") version=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

soname=$(objdump -p "$library" | sed -n 's/ *SONAME *//p')
package=libguira${soname#libguira.so.}
mkdir "$work/debian"
: >"$work/debian/control" # without which dpkg-gensymbols does not start
(cd "$work" && dpkg-gensymbols -c0 -q -p"$package" -v"$version" -I"$here/symbols" -e"$library" \
    -O"$work/symbols")
sed '/^#MISSING/d' "$work/symbols" >"$work/kept"
"$here/dump.sh" "$library" "$here/../../include/guira" >"$work/dump"
cp "$work/kept" "$here/symbols"
cp "$work/dump" "$here/guira.abi"
echo "renewed for $soname: $here/symbols, $here/guira.abi"
