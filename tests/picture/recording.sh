#!/bin/sh
# recording.sh RECORDER PAGE [--renew]: is the recording in the page what the recorder prints? With
# --renew put it there.
set -eu
recorder=$1
page=$2
folder=$(mktemp -d "${TMPDIR:-/tmp}/guira-picture.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
begin='^<script type="application\/json" id="recording">$'
end='^<\/script>$'

"$recorder" >"$folder/new"
if [ "${3-}" = --renew ]; then
    sed -e "/$begin/,/$end/{//!d}" -e "/$begin/r $folder/new" "$page" >"$folder/page"
    cat "$folder/page" >"$page"
fi
sed -n "/$begin/,/$end/{//!p}" "$page" >"$folder/old"
if ! cmp -s "$folder/old" "$folder/new"; then
    sed -i 's/},{/},\n{/g' "$folder/old" "$folder/new" # an event a line
    diff "$folder/old" "$folder/new" | cut -c1-160 | head -n 20 >&2
    echo "$page plays what the library no longer does: run ./dev picture" >&2
    exit 1
fi

# A page that is not up to date would be noticed.
"$recorder" | sed 's/"MOVE_DONE","set":\[\[0/"MOVE_DONE","set":[[1/' >"$folder/other"
if cmp -s "$folder/old" "$folder/other"; then
    echo "an altered recording was taken for this one" >&2
    exit 1
fi
