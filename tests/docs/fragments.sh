#!/bin/sh
# Every fragment of C and C++ in the documents compiles.
#
#     fragments.sh SOURCE CC [CXX]
set -eu
source=$1 cc=$2 cxx=${3:-}
folder=$(mktemp -d "${TMPDIR:-/tmp}/guira-fragments.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$source"

# What a fragment declares it need not use, as it is a part of something.
warnings='-Wall -Wextra -Wpedantic -Werror -Wno-unused'
failed=0
find README.md docs -name '*.md' ! -path 'docs/site/*' | LC_ALL=C sort |
    xargs awk -v FOLDER="$folder" -f tests/docs/fragments.awk >"$folder/list"
while read -r file; do
    case $file in
    *.c)
        # shellcheck disable=SC2086 # a list of words
        "$cc" -std=c11 -D_DEFAULT_SOURCE $warnings -Wno-unused-parameter -Iinclude \
            -fsyntax-only "$file" || failed=$((failed + 1))
        ;;
    *)
        # shellcheck disable=SC2086
        [ -z "$cxx" ] || "$cxx" -std=c++17 $warnings -Iinclude -fsyntax-only "$file" ||
            failed=$((failed + 1))
        ;;
    esac
done <"$folder/list"
count=$(wc -l <"$folder/list")
echo "$count fragments, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 15 ]
