#!/bin/sh
# A filter that grows with the keys of a pipe, or up to a bound, can be saved and go on growing.
# shellcheck disable=SC2002 # pipes are meant
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

seq 1 500000 >keys
cat keys | "$guira" build -s 1 grown.guira
expect 0 "$guira" verify grown.guira
expect 1 "$guira" query -a grown.guira keys
seq 500001 700000 >further
"$guira" add grown.guira further
expect 0 "$guira" verify grown.guira
expect 1 "$guira" query -a grown.guira keys further

"$guira" build -s 1 -n 1000 -m 800k -p 0.1% bound.guira keys
expect 1 "$guira" query -a bound.guira keys
"$guira" add bound.guira further
expect 1 "$guira" query -a bound.guira keys further
seq 700001 2000000 >much
expect 2 "$guira" add bound.guira much
expect 1 "$guira" query -a bound.guira keys further
