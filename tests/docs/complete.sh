#!/bin/sh
# Nothing is left out of the documents: the guide explains every status, and docs/README.md lists every
# page.
#
#     complete.sh SOURCE
set -eu
cd "$1"
missing=0

# listed NAME FILE: the file has the name, as a word of code or the target of a link
listed() {
    grep -qF -e "\`$1\`" -e "($1)" "$2" || {
        echo "$2 says nothing of $1"
        missing=$((missing + 1))
    }
}

statuses=$(sed -n 's/^    \(GUIRA_[A-Z_]*\) =.*/\1/p' include/guira/status.h)
for status in $statuses; do
    listed "$status" docs/guide/errors.md
done
[ "$(echo "$statuses" | wc -l)" -gt 30 ]
for page in docs/*.md docs/guide/*.md; do
    [ "$page" = docs/README.md ] || listed "${page#docs/}" docs/README.md
done
[ "$missing" -eq 0 ]
