#!/bin/sh
# Fails unless each test that docs/faults.md names exists: as a cmocka test or a ctest name.
#
#     check_faults.sh SOURCE_DIR BUILD_DIR
set -eu
# shellcheck disable=SC2016 # the backquotes are those of Markdown
names=$(grep -E '^\| [0-9]+ \|' "$1/docs/faults.md" |
    grep -oE '`[a-z_0-9.]+`' | tr -d '`' | sort -u)
known=$(
    grep -ohE 'cmocka_unit_test[a-z_]*\([a-z_0-9]+' "$1"/tests/*.c | sed 's/.*(//'
    ctest --test-dir "$2" -N | sed -n 's/^ *Test *#[0-9]*: //p'
)
failed=0
for name in $names; do
    if ! printf '%s\n' "$known" | grep -qx -- "$name"; then
        printf 'docs/faults.md names a test that does not exist: %s\n' "$name"
        failed=1
    fi
done
[ "$failed" -eq 0 ] && printf '%s\n' "$names" | wc -l | xargs printf '%s tests named, all exist\n'
exit "$failed"
